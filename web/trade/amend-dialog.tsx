import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiRequestError } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { announce } from '../components/toast.tsx';
import { decimal, ungrouped } from '../decimal.ts';
import { grouped, sentenceCase } from '../format.ts';
import { T, t } from '../i18n/index.ts';
import { fillToasts, openOrders, pastOrders } from './account.ts';
import { amendRequest } from './amend-request.ts';
import { priceDecimalsFor, priceText } from './markets.ts';
import { describeOutcome } from './order-outcome.ts';
import { describeFailure } from './order-rejection.ts';
import { notNumber } from './order-rules.ts';
import type { ExactOrder } from './records.ts';
import { trade } from './trading.ts';

type Name =
  | 'price'
  | 'triggerPrice'
  | 'trailingPercent'
  | 'trailingAmount'
  | 'activationPrice'
  | 'amount'
  | 'displayAmount';
type Values = Partial<Record<Name, string>>;

const FIELDS: readonly (readonly [Name, string])[] = [
  ['triggerPrice', 'Trigger price'],
  ['price', 'Limit price'],
  ['trailingPercent', 'Trailing distance'],
  ['trailingAmount', 'Trailing distance'],
  ['activationPrice', 'Activation price'],
  ['amount', 'Total amount'],
  ['displayAmount', 'Visible amount'],
];

interface AmendFault {
  /** Empty if the fault concerns the whole order. */
  readonly field: string;
  readonly text: string;
  /** The nearest valid value. */
  readonly nearest?: string | undefined;
}

/** Changes an open order; only edited fields are sent. */
export function AmendDialog() {
  const request = amendRequest.value;
  const order = request?.order;
  const onClose = () => {
    amendRequest.value = undefined;
  };
  const values = useSignal<Values>({});
  const fault = useSignal<AmendFault | undefined>(undefined);
  const isSending = useSignal(false);
  useEffect(() => {
    values.value = { ...request?.values };
    fault.value = undefined;
  }, [request, values, fault]);
  const current = openOrders.value.find(({ orderId }) => orderId === order?.orderId);
  const isClosed = order !== undefined && current === undefined && !isSending.value;
  useEffect(() => {
    if (!isClosed) return;
    announceClosed(order.orderId);
    onClose();
  }, [isClosed]);

  const send = async () => {
    if (order === undefined) return;
    const read = readChanges(values.value, order);
    if ('text' in read) {
      fault.value = read;
      return;
    }
    if (Object.keys(read.changes).length > 0) {
      isSending.value = true;
      fault.value = await amend(current ?? order, read.changes).finally(() => {
        isSending.value = false;
      });
    }
    if (fault.value === undefined) onClose();
  };

  const shown = FIELDS.filter(([name]) => order !== undefined && takes(order, name));
  const isAtField = shown.some(([name]) => name === fault.value?.field);
  return (
    <Dialog title={t('Amend order')} open={order !== undefined} onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSending.value) void send();
        }}
      >
        {current === undefined ? null : <Summary order={current} />}
        {order === undefined
          ? null
          : shown.map(([name, label]) => (
              <AmendField
                key={name}
                name={name}
                label={label}
                order={order}
                values={values}
                fault={fault}
              />
            ))}
        <p class="form-error" role="alert">
          {isAtField ? '' : fault.value?.text}
        </p>
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            {t('Keep order')}
          </button>
          <button type="submit" class="button primary">
            {t('Amend')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The order and its place: in the queue when the dialog opened, or the trigger that it waits for. */
function Summary({ order }: { order: ExactOrder }) {
  const { orderId, side, symbol, type, filled, triggerPrice } = order;
  const [base] = symbol.split('/');
  const ahead = useSignal<string | null | undefined>(undefined);
  useEffect(() => {
    let isOver = false;
    api
      .getOrder({ id: orderId, queueAhead: 'true' })
      .then(({ queueAhead }) => {
        if (!isOver) ahead.value = queueAhead;
      })
      // The dialog works without it.
      .catch(() => {});
    return () => {
      isOver = true;
    };
  }, [orderId, ahead]);
  const rests = type === 'limit' || typeof ahead.value === 'string';
  return (
    <p class="muted">
      {t('{side, select, buy {↑ Buy} other {↓ Sell}} {symbol}, {type}, {filled} filled.', {
        side,
        symbol,
        type: sentenceCase(type).toLowerCase(),
        filled: grouped(filled),
      })}{' '}
      {ahead.value
        ? t('{ahead} {base} ahead in the queue. ', {
            ahead: grouped(ahead.value),
            base: base ?? '',
          })
        : ''}
      {rests ? t('Reducing the amount keeps queue priority; other changes lose it.') : ''}
      {rests || triggerPrice === null
        ? ''
        : t('Trigger price: {triggerPrice}. ', { triggerPrice: priceText(triggerPrice, symbol) })}
      {type === 'trailing_stop' && triggerPrice !== null
        ? t('A new distance counts from the best price so far.')
        : ''}
    </p>
  );
}

function announceClosed(id: string): void {
  const status = pastOrders.value?.find(({ orderId }) => orderId === id)?.status ?? 'closed';
  announce(t('The order is already {status} and cannot be amended.', { status }));
}

interface AmendFieldProps {
  readonly name: Name;
  readonly label: string;
  readonly order: ExactOrder;
  readonly values: Signal<Values>;
  readonly fault: Signal<AmendFault | undefined>;
}

function AmendField({ name, label, order, values, fault }: AmendFieldProps) {
  const [base, quote] = order.symbol.split('/');
  const set = (text: string) => {
    values.value = { ...values.value, [name]: text };
    fault.value = undefined;
  };
  const own = fault.value?.field === name ? fault.value : undefined;
  const nearest = own?.nearest;
  const suggestion =
    nearest === undefined ? null : (
      <button type="button" class="link-button" onClick={() => set(nearest)}>
        <T text="Use {nearest}" nearest={grouped(nearest)} />
      </button>
    );
  return (
    <Field
      label={label}
      unit={readUnit(name, base, quote)}
      value={values.value[name] ?? order[name] ?? ''}
      input={{ inputMode: 'decimal', maxLength: 40 }}
      error={
        own === undefined ? undefined : (
          <>
            {own.text} {suggestion}
          </>
        )
      }
      onInput={(text) => set(text.trim())}
    />
  );
}

/** Whether the order has the field and it may change. */
function takes(order: ExactOrder, name: Name): boolean {
  if (order[name] === null) return false;
  // The amount of an OCO order cannot change (decision 36).
  if (name === 'amount' && order.ocoOrderId !== null) return false;
  // The trigger price of a trailing stop follows the market, and a reached activation price is past.
  if (name === 'triggerPrice') return order.type !== 'trailing_stop';
  return name !== 'activationPrice' || order.triggerPrice === null;
}

function readUnit(name: Name, base = '', quote = ''): string {
  if (name === 'trailingPercent') return '%';
  return name === 'amount' || name === 'displayAmount' ? base : quote;
}

/** Returns the edited fields as the API takes them, or the first one that is not a positive number. */
function readChanges(values: Values, order: ExactOrder): { changes: Values } | AmendFault {
  const changes: Values = {};
  for (const [name, label] of FIELDS) {
    const text = values[name];
    if (text === undefined || text === order[name]) continue;
    const value = decimal(ungrouped(text));
    if (value === undefined || value.lte(0)) {
      return { field: name, text: notNumber(text, `${label} must be greater than 0.`) };
    }
    changes[name] = value.toFixed();
  }
  return { changes };
}

/** Sends the changes and announces the outcome; returns the fault if the request failed. */
async function amend(order: ExactOrder, changes: Values): Promise<AmendFault | undefined> {
  try {
    const [amended] = await fillToasts.reportedBy(() =>
      trade(
        async (trader) => [await trader.amendOrder({ id: order.orderId, ...changes })] as const,
      ),
    );
    const { text, tone } = describeOutcome(amended, priceDecimalsFor(order.symbol));
    const isUntouched = amended.status === 'open' && amended.filled === order.filled;
    if (isUntouched) announce(t('Order amended.'), 'success');
    else announce(text, tone);
    return undefined;
  } catch (error) {
    const { field, nearest } = error instanceof ApiRequestError ? error.details : {};
    return {
      field: typeof field === 'string' ? field : '',
      text: describeFailure(error, 'amended'),
      nearest: typeof nearest === 'string' ? nearest : undefined,
    };
  }
}
