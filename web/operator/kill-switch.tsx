import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Panel } from '../components/panel.tsx';
import { announce } from '../components/toast.tsx';
import { msg, t } from '../i18n/index.ts';
import type { ExchangeStatus } from './protection.tsx';
import { Restriction } from './restriction.tsx';

const HALT_WORD = 'HALT';

interface KillSwitchProps {
  readonly status: ExchangeStatus;
  readonly onDone: () => Promise<void>;
}

/** Stops trading in all markets at once, and resumes it. */
export function KillSwitch({ status, onDone }: KillSwitchProps) {
  const isOpen = useSignal(false);
  const { trading } = status;
  const isReleased = trading.killSwitch === 'trading';
  // Maintenance restricts trading too.
  const isOn = trading.status === 'trading';
  const close = () => {
    isOpen.value = false;
  };
  const halt = (
    <button
      type="button"
      class={isReleased ? 'button danger' : 'button'}
      onClick={() => {
        isOpen.value = true;
      }}
    >
      {isReleased ? t('Halt all markets…') : t('Change the halt…')}
    </button>
  );
  return (
    <>
      <Panel
        title={t('Kill switch')}
        badge={isOn ? <span class="badge on">{t('Trading is on')}</span> : null}
        lead={t(
          'Stops trading in all markets at once. The status of each market is kept for when trading resumes.',
        )}
        aside={isReleased ? halt : null}
        flush={isOn}
      >
        {isOn ? null : (
          <div class="stack">
            <Restriction status={status} onDone={onDone} resume={null} />
            {isReleased ? null : <Resume halt={halt} onDone={onDone} />}
          </div>
        )}
      </Panel>
      <Dialog title={t('Halt all markets')} open={isOpen.value} onClose={close}>
        <HaltForm
          onDone={async () => {
            close();
            await onDone();
          }}
        />
      </Dialog>
    </>
  );
}

const STATUSES = [
  ['halted', msg('Halted')],
  ['cancel_only', msg('Cancel-only')],
] as const;
const ORDER_CHOICES = [
  ['keep', msg('Keep open; users can cancel them')],
  ['cancel', msg('Cancel all open orders')],
] as const;

export function HaltForm({ onDone }: { onDone: () => Promise<void> }) {
  const status = useSignal<'halted' | 'cancel_only'>('halted');
  const orders = useSignal<'keep' | 'cancel'>('keep');
  const reason = useSignal('');
  const typed = useSignal('');
  const action = useAction();
  const submit = async () => {
    const why = reason.value.trim();
    if (why === '') throw new FieldError('reason', t('Enter a reason. Users see it.'));
    if (typed.value.trim() !== HALT_WORD)
      throw new FieldError('typed', t('Type {word} exactly', { word: HALT_WORD }));
    const cancelOrders = orders.value === 'cancel';
    const chosen = status.value;
    await api.setTradingStatus({ status: chosen, reason: why, cancelOrders });
    announce(
      chosen === 'halted' ? t('All markets are halted') : t('All markets are cancel-only'),
      'success',
    );
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['reason', 'typed']}>
      <Select
        label={t('Status')}
        value={status.value}
        options={STATUSES}
        onChange={(chosen) => {
          status.value = chosen;
        }}
      />
      <Select
        label={t('Open orders')}
        value={orders.value}
        options={ORDER_CHOICES}
        onChange={(chosen) => {
          orders.value = chosen;
        }}
      />
      <Field
        label={t('Reason')}
        {...bound(reason)}
        hint={t('Shown to all users and recorded in the audit trail')}
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <Field
        label={t('Type {word} to stop trading in all markets', { word: HALT_WORD })}
        {...bound(typed)}
        error={action.fieldError('typed')}
        input={{ name: 'typed', required: true }}
      />
      <div class="dialog-actions">
        <Submit
          action={action}
          label={
            status.value === 'halted' ? t('Halt all markets') : t('Set all markets to cancel-only')
          }
          kind="danger"
        />
      </div>
    </Form>
  );
}

interface ResumeProps {
  readonly halt: ComponentChildren;
  readonly onDone: () => Promise<void>;
}

function Resume({ halt, onDone }: ResumeProps) {
  const reason = useSignal('');
  const action = useAction();
  const submit = async () => {
    const why = reason.value.trim();
    if (why === '') throw new FieldError('reason', t('Enter a reason for the audit trail.'));
    const { trading } = await api.setTradingStatus({ status: 'trading', reason: why });
    announce(
      trading.status === 'trading'
        ? t('Trading resumed')
        : t('The halt has ended. Maintenance still restricts trading.'),
      'success',
    );
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['reason']} label={t('Resume trading')}>
      <Field
        label={t('Reason to resume')}
        {...bound(reason)}
        hint={t('Shown to all users and recorded in the audit trail')}
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <div class="buttons">
        <Submit action={action} label={t('Resume trading')} />
        {halt}
      </div>
    </Form>
  );
}
