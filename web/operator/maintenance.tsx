import { type Signal, useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Panel } from '../components/panel.tsx';
import { readCells } from '../components/row-card.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce, announceError } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { clock } from '../preferences.ts';
import { readTimeField } from './alert-filters.tsx';
import { readExchangeTime } from './exchange-time.ts';
import type { ExchangeStatus } from './protection.tsx';
import { ConfirmEnd } from './restriction.tsx';
import { TimeField } from './time-field.tsx';

interface MaintenanceProps {
  readonly periods: ExchangeStatus['maintenance'];
  readonly onDone: () => Promise<void>;
}

type Period = MaintenanceProps['periods'][number];

const MODES = [
  ['cancel_only', msg('Cancel-only')],
  ['halted', msg('Halted')],
] as const;
const MODE_NAMES: Readonly<Record<Period['mode'], string>> = Object.fromEntries(MODES) as Record<
  Period['mode'],
  string
>;

/** The announced maintenance, which starts and ends by itself. */
export function Maintenance({ periods, onDone }: MaintenanceProps) {
  const asked = useSignal<Period | undefined>(undefined);
  return (
    <>
      {periods.length === 0 ? null : (
        <Panel title={t('Announced maintenance')} flush>
          <Table
            caption={t('Announced maintenance')}
            columns={[
              { key: 'from', title: msg('From'), cell: ({ from }) => dateTime(from) },
              { key: 'to', title: msg('Until'), cell: ({ to }) => dateTime(to) },
              { key: 'mode', title: msg('Mode'), cell: ({ mode }) => t(MODE_NAMES[mode]) },
              {
                key: 'message',
                title: msg('Message'),
                cell: ({ message }) => <span class="wrapped">{message}</span>,
              },
              {
                key: 'cancel',
                title: msg('Action'),
                hiddenTitle: true,
                cell: (period) => (
                  <button
                    type="button"
                    class="button small"
                    onClick={() => {
                      asked.value = period;
                    }}
                  >
                    {period.active ? t('End now…') : t('Cancel…')}
                    <span class="visually-hidden"> {period.message}</span>
                  </button>
                ),
              },
            ]}
            rows={periods}
            rowKey={({ from }) => from}
            card={periodCard}
            empty={null}
          />
        </Panel>
      )}
      <Panel
        title={t('Announce maintenance')}
        lead={t('Users see it at once. It starts and ends by itself, and restricts all markets.')}
      >
        <ScheduleForm onDone={onDone} />
      </Panel>
      <ConfirmEnd
        period={asked.value}
        onDone={onDone}
        onClose={() => {
          asked.value = undefined;
        }}
      />
    </>
  );
}

/** A maintenance on a phone. */
function periodCard(period: Period, columns: readonly Column<Period>[]) {
  const cell = readCells(period, columns);
  return (
    <div class="list-card">
      <span class="list-card-head">
        <b>{cell('mode')}</b>
        {cell('cancel')}
      </span>
      <span>
        {cell('from')} – {cell('to')}
      </span>
      <span>{period.message}</span>
    </div>
  );
}

const MINUTE_MS = 60_000;
/** Lengths of the buttons that fill the end, minutes. */
const PRESETS = [15, 30, 60, 120] as const;

function ScheduleForm({ onDone }: { onDone: () => Promise<void> }) {
  const from = useSignal('');
  const to = useSignal('');
  const message = useSignal('');
  const mode = useSignal<Period['mode']>('cancel_only');
  const action = useAction();
  const submit = async () => {
    const start = readRequiredTime('from', from);
    const end = readRequiredTime('to', to);
    if (end <= start) throw new FieldError('to', t('Choose a time after the start.'));
    const announcement = message.value.trim();
    if (announcement === '') throw new FieldError('message', t('Enter a message for users.'));
    const terms = { from: start, to: end, mode: mode.value, message: announcement };
    await api.scheduleMaintenance(terms);
    announce(t('Maintenance announced'), 'success');
    message.value = '';
    await onDone();
  };
  return (
    <Form
      action={action}
      onSubmit={submit}
      fields={['from', 'to', 'message']}
      label={t('Announce maintenance')}
    >
      <div class="two-columns">
        <TimeField
          label={t('From')}
          name="from"
          {...bound(from)}
          error={action.fieldError('from')}
        />
        <TimeField label={t('Until')} name="to" {...bound(to)} error={action.fieldError('to')} />
        <Durations from={from} to={to} />
        <Select
          label={t('Mode')}
          value={mode.value}
          options={MODES}
          hint={
            mode.value === 'cancel_only'
              ? t('Users can cancel orders but not place any.')
              : undefined
          }
          onChange={(chosen) => {
            mode.value = chosen;
          }}
        />
      </div>
      <Field
        label={t('Message')}
        {...bound(message)}
        hint={t('Shown to all users.')}
        error={action.fieldError('message')}
        input={{ name: 'message', maxLength: 200, required: true }}
      />
      <div class="buttons">
        <Submit action={action} label={t('Announce maintenance')} />
      </div>
    </Form>
  );
}

/** Buttons that set the end a while after the start; without a start, that is five minutes from now on the exchange's clock. */
function Durations({ from, to }: { from: Signal<string>; to: Signal<string> }) {
  const choose = async (minutes: number) => {
    const typed = Date.parse(readTimeField('from', from));
    const start = Number.isNaN(typed)
      ? Math.ceil((await readExchangeTime()) / MINUTE_MS + 5) * MINUTE_MS
      : typed;
    from.value = toText(start);
    to.value = toText(start + minutes * MINUTE_MS);
  };
  return (
    <fieldset class="field durations">
      <legend>{t('Duration')}</legend>
      {PRESETS.map((minutes) => (
        <button
          key={minutes}
          type="button"
          class="button small"
          onClick={() => choose(minutes).catch(announceError)}
        >
          {minutes < 60
            ? t('{minutes} min', { minutes })
            : t('{hours, plural, one {# hour} other {# hours}}', { hours: minutes / 60 })}
        </button>
      ))}
    </fieldset>
  );
}

/** Returns a time as operators type it, on their clock. */
function toText(time: number): string {
  const offset = clock.value === 'utc' ? 0 : new Date(time).getTimezoneOffset() * MINUTE_MS;
  return new Date(time - offset).toISOString().slice(0, 16).replace('T', ' ');
}

/** @throws FieldError if the text is empty or no time */
function readRequiredTime(name: string, text: Signal<string>): string {
  const time = readTimeField(name, text);
  if (time === '') throw new FieldError(name, t('Choose a date and time.'));
  return time;
}
