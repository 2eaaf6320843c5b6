import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Confirm } from '../components/confirm.tsx';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Panel } from '../components/panel.tsx';
import { Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime, sentenceCase } from '../format.ts';
import { t } from '../i18n/index.ts';
import type { ExchangeStatus } from './protection.tsx';

interface MaintenanceProps {
  readonly periods: ExchangeStatus['maintenance'];
  readonly onDone: () => Promise<void>;
}

type Period = MaintenanceProps['periods'][number];

/** The announced maintenance, which starts and ends by itself. */
export function Maintenance({ periods, onDone }: MaintenanceProps) {
  const asked = useSignal<Period | undefined>(undefined);
  const cancel = async () => {
    await api.cancelMaintenance({ from: asked.value!.from });
    announce(t('Maintenance canceled'), 'success');
    await onDone();
  };
  return (
    <Panel
      title="Maintenance"
      lead="Announced to clients at once; starts and ends by itself. Times are local."
    >
      <Table
        caption="Announced maintenance"
        columns={[
          { key: 'from', title: 'From', cell: ({ from }) => dateTime(from) },
          { key: 'to', title: 'To', cell: ({ to }) => dateTime(to) },
          { key: 'mode', title: 'Mode', cell: ({ mode }) => sentenceCase(mode) },
          { key: 'message', title: 'Message', cell: ({ message }) => message },
          {
            key: 'cancel',
            title: 'Action',
            cell: (period) => (
              <button
                type="button"
                class="button small"
                onClick={() => {
                  asked.value = period;
                }}
              >
                {period.active ? t('End now…') : t('Cancel…')}
              </button>
            ),
          },
        ]}
        rows={periods}
        rowKey={({ from }) => from}
        empty="No maintenance is announced"
      />
      <Confirm
        title={t('Cancel the maintenance?')}
        open={asked.value !== undefined}
        verb={asked.value?.active ? t('End the maintenance') : t('Cancel the maintenance')}
        dismiss={t('Keep it')}
        onConfirm={cancel}
        onClose={() => {
          asked.value = undefined;
        }}
      >
        {asked.value === undefined ? null : (
          <p>
            {t('{message}, from {start} to {end}. Clients see at once that it is canceled.', {
              message: asked.value.message,
              start: dateTime(asked.value.from),
              end: dateTime(asked.value.to),
            })}
          </p>
        )}
      </Confirm>
      <ScheduleForm onDone={onDone} />
    </Panel>
  );
}

function ScheduleForm({ onDone }: { onDone: () => Promise<void> }) {
  const from = useSignal('');
  const to = useSignal('');
  const message = useSignal('');
  const mode = useSignal<'halted' | 'cancel_only'>('cancel_only');
  const action = useAction();
  const submit = async () => {
    const start = toIsoTime(from.value, 'from');
    const end = toIsoTime(to.value, 'to');
    if (end <= start) throw new FieldError('to', 'Choose a time after the start.');
    const announcement = message.value.trim();
    if (announcement === '') throw new FieldError('message', 'Enter a message for clients.');
    const terms = { from: start, to: end, mode: mode.value, message: announcement };
    await api.scheduleMaintenance(terms);
    announce('Maintenance announced', 'success');
    message.value = '';
    await onDone();
  };
  return (
    <Form
      action={action}
      onSubmit={submit}
      fields={['from', 'to', 'message']}
      label="Announce maintenance"
    >
      <div class="two-columns">
        <Field
          label="From"
          {...bound(from)}
          error={action.fieldError('from')}
          input={{ type: 'datetime-local', name: 'from', required: true }}
        />
        <Field
          label="To"
          {...bound(to)}
          error={action.fieldError('to')}
          input={{ type: 'datetime-local', name: 'to', required: true }}
        />
      </div>
      <Select
        label="Mode"
        value={mode.value}
        options={[
          ['cancel_only', 'Cancel-only'],
          ['halted', 'Halted'],
        ]}
        onChange={(chosen) => {
          mode.value = chosen;
        }}
      />
      <Field
        label="Message"
        {...bound(message)}
        hint="Shown to clients"
        error={action.fieldError('message')}
        input={{ name: 'message', maxLength: 200, required: true }}
      />
      <div class="buttons">
        <Submit action={action} label="Announce maintenance" />
      </div>
    </Form>
  );
}

/** Converts the value of a local date and time input. @throws FieldError if it is empty */
function toIsoTime(text: string, field: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new FieldError(field, 'Choose a date and time.');
  return time.toISOString();
}
