import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiRequestError } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { announce } from '../components/toast.tsx';
import { decimal, toText, ungrouped } from '../decimal.ts';
import { grouped } from '../format.ts';
import { openOrders, pastOrders } from './account.ts';
import { describeOutcome } from './order-outcome.ts';
import { describeFailure } from './order-rejection.ts';
import { notNumber } from './order-rules.ts';
import type { ExactOrder } from './records.ts';

interface AmendProps {
  /** Undefined where none is amended: the dialog is closed. */
  readonly order: ExactOrder | undefined;
  readonly onClose: () => void;
}

type Name = 'price' | 'triggerPrice' | 'amount';
const NAMES: readonly (readonly [Name, string])[] = [
  ['triggerPrice', 'Trigger price'],
  ['price', 'Limit price'],
  ['amount', 'Amount in all'],
];

/** Changes an open order; only what was changed is sent. */
export function AmendDialog({ order, onClose }: AmendProps) {
  const values = useSignal<Partial<Record<Name, string>>>({});
  const error = useSignal<{ field: string; text: string; nearest?: string } | undefined>(undefined);
  useEffect(() => {
    values.value = {};
    error.value = undefined;
  }, [order, values, error]);
  const isSending = useSignal(false);
  const id = order?.orderId;
  const current = openOrders.value.find(({ orderId }) => orderId === id);
  const hasEnded = order !== undefined && current === undefined && !isSending.value;
  useEffect(() => {
    if (!hasEnded) return;
    const status = pastOrders.value?.find(({ orderId }) => orderId === id)?.status ?? 'over';
    announce(`There is nothing left to amend: the order is ${status}.`);
    onClose();
  }, [hasEnded]);
  const [base = '', quote = ''] = order?.symbol.split('/') ?? [];

  const send = async () => {
    if (order === undefined) return;
    const changed: Partial<Record<Name, string>> = {};
    for (const [name, label] of NAMES) {
      const text = values.value[name];
      if (text === undefined || text === order[name]) continue;
      const value = decimal(ungrouped(text));
      if (value === undefined || value.units <= 0n) {
        error.value = { field: name, text: notNumber(text, `${label} must be a number above 0.`) };
        return;
      }
      changed[name] = toText(value);
    }
    if (Object.keys(changed).length === 0) {
      onClose();
      return;
    }
    try {
      isSending.value = true;
      const amended = await api.amendOrder({ id: order.orderId, ...changed });
      const { text, tone } = describeOutcome(amended);
      if (amended.status === 'open') announce('Order amended.', 'success');
      else announce(text, tone);
      onClose();
    } catch (thrown) {
      const details = thrown instanceof ApiRequestError ? thrown.details : {};
      const { field, nearest } = details;
      error.value = {
        field: typeof field === 'string' ? field : '',
        text: describeFailure(thrown, 'amended'),
        ...(typeof nearest === 'string' ? { nearest } : {}),
      };
    } finally {
      isSending.value = false;
    }
  };

  const fault = error.value;
  const shown = NAMES.filter(([name]) => order !== undefined && order[name] !== null);
  const hasPlace = shown.some(([name]) => name === fault?.field);
  return (
    <Dialog title="Amend order" open={order !== undefined} onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSending.value) void send();
        }}
      >
        <p class="muted">
          {order?.side === 'buy' ? '↑ Buy' : '↓ Sell'} {order?.symbol},{' '}
          {grouped(current?.filled ?? '0')} filled. Less amount keeps its place in the queue;
          anything else goes to its end.
        </p>
        {shown.map(([name, label]) => (
          <Field
            key={name}
            label={label}
            unit={name === 'amount' ? base : quote}
            value={values.value[name] ?? order?.[name] ?? ''}
            input={{ inputMode: 'decimal', maxLength: 40 }}
            error={
              fault?.field !== name ? undefined : (
                <>
                  {fault.text}{' '}
                  {fault.nearest === undefined ? null : (
                    <button
                      type="button"
                      class="link-button"
                      onClick={() => {
                        values.value = { ...values.value, [name]: fault.nearest };
                        error.value = undefined;
                      }}
                    >
                      Use {grouped(fault.nearest)}
                    </button>
                  )}
                </>
              )
            }
            onInput={(text) => {
              values.value = { ...values.value, [name]: text.trim() };
              error.value = undefined;
            }}
          />
        ))}
        <p class="form-error" role="alert">
          {fault !== undefined && !hasPlace ? fault.text : ''}
        </p>
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            Leave it
          </button>
          <button type="submit" class="button primary">
            Amend
          </button>
        </div>
      </form>
    </Dialog>
  );
}
