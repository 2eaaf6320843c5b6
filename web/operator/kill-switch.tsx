import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { Panel } from '../components/panel.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import type { ExchangeStatus } from './protection.tsx';

const HALT_WORD = 'HALT';

interface KillSwitchProps {
  readonly trading: ExchangeStatus['trading'];
  readonly onDone: () => Promise<void>;
}

/** Stops trading in all markets at once, and resumes it. */
export function KillSwitch({ trading, onDone }: KillSwitchProps) {
  const isOpen = useSignal(false);
  const { status, reason, since } = trading;
  const isTrading = status === 'trading';
  const close = () => {
    isOpen.value = false;
  };
  return (
    <Panel
      title="Kill switch"
      lead="Stops trading in all markets at once. The status of each market is kept for when trading resumes."
    >
      <div class="stack">
        {isTrading ? (
          <Notice kind="success">
            <b>Trading.</b> Every market has its own status.
          </Notice>
        ) : (
          <Notice kind="error">
            <b>{status === 'halted' ? 'Halted' : 'Cancel-only'} in all markets</b>
            {since === null ? null : `. Last changed ${dateTime(since)}: ${reason}`}
          </Notice>
        )}
        <div class="buttons">
          <button
            type="button"
            class="button danger"
            onClick={() => {
              isOpen.value = true;
            }}
          >
            Halt all markets…
          </button>
        </div>
        {isTrading ? null : <Resume onDone={onDone} />}
      </div>
      <Dialog title="Halt all markets" open={isOpen.value} onClose={close}>
        <HaltForm
          onDone={async () => {
            close();
            await onDone();
          }}
        />
      </Dialog>
    </Panel>
  );
}

export function HaltForm({ onDone }: { onDone: () => Promise<void> }) {
  const status = useSignal<'halted' | 'cancel_only'>('halted');
  const orders = useSignal<'keep' | 'cancel'>('keep');
  const reason = useSignal('');
  const typed = useSignal('');
  const action = useAction();
  const submit = async () => {
    const why = reason.value.trim();
    if (why === '') throw new FieldError('reason', 'Enter a reason. Clients see it.');
    if (typed.value.trim() !== HALT_WORD)
      throw new FieldError('typed', `Type ${HALT_WORD} exactly`);
    const cancelOrders = orders.value === 'cancel';
    await api.setTradingStatus({ status: status.value, reason: why, cancelOrders });
    announce('All markets are halted', 'success');
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['reason', 'typed']}>
      <Select
        label="Status"
        value={status.value}
        options={[
          ['halted', 'Halted'],
          ['cancel_only', 'Cancel-only'],
        ]}
        onChange={(chosen) => {
          status.value = chosen;
        }}
      />
      <Select
        label="Open orders"
        value={orders.value}
        options={[
          ['keep', 'Keep open; clients can cancel them'],
          ['cancel', 'Cancel all open orders'],
        ]}
        onChange={(chosen) => {
          orders.value = chosen;
        }}
      />
      <Field
        label="Reason"
        {...bound(reason)}
        hint="Shown to clients and recorded in the audit trail"
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <Field
        label={`Type ${HALT_WORD} to stop trading in all markets`}
        {...bound(typed)}
        error={action.fieldError('typed')}
        input={{ name: 'typed', required: true }}
      />
      <div class="dialog-actions">
        <Submit action={action} label="Halt all markets" kind="danger" />
      </div>
    </Form>
  );
}

function Resume({ onDone }: { onDone: () => Promise<void> }) {
  const reason = useSignal('');
  const action = useAction();
  const submit = async () => {
    const why = reason.value.trim();
    if (why === '') throw new FieldError('reason', 'Enter a reason for the audit trail.');
    await api.setTradingStatus({ status: 'trading', reason: why });
    announce('The kill switch is released', 'success');
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['reason']}>
      <Field
        label="Reason to resume"
        {...bound(reason)}
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <div class="buttons">
        <Submit action={action} label="Resume trading" />
      </div>
    </Form>
  );
}
