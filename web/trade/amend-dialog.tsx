import { batch, type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiRequestError } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Facts } from '../components/panel.tsx';
import { announce } from '../components/toast.tsx';
import { localNumber } from '../components/typed-number.ts';
import { grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { isStale } from '../live.ts';
import { fillToasts, openOrders, pastOrders } from './account.ts';
import {
  AMEND_FIELDS,
  type AmendFault,
  type AmendField,
  type AmendValues,
  draftAmended,
  readChanges,
  takes,
  unitFor,
} from './amend-changes.ts';
import { amendRequest } from './amend-request.ts';
import { mustConfirm, PriceWarning } from './confirm-order.tsx';
import { EMPTY_DRAFT } from './draft.ts';
import { FaultText } from './fault-text.tsx';
import { priceDecimalsFor, priceText } from './markets.ts';
import { contextFor } from './order-draft.ts';
import { typeName } from './order-names.ts';
import { describeOutcome } from './order-outcome.ts';
import { describeFailure } from './order-rejection.ts';
import type { ExactOrder } from './records.ts';
import { trade } from './trading.ts';

/** Changes an open order; only edited fields are sent. Prices far from the market are confirmed first, as for new orders. */
export function AmendDialog() {
  const request = amendRequest.value;
  const order = request?.order;
  const values = useSignal<AmendValues>({});
  const fault = useSignal<AmendFault | undefined>(undefined);
  const isSending = useSignal(false);
  const isConfirming = useSignal(false);
  useEffect(() => {
    values.value = { ...request?.values };
    fault.value = undefined;
    isConfirming.value = false;
  }, [request, values, fault, isConfirming]);
  const current = openOrders.value.find(({ orderId }) => orderId === order?.orderId);
  const ahead = useQueueAhead(order);
  const isClosed = order !== undefined && current === undefined && !isSending.value;
  useEffect(() => {
    if (!isClosed) return;
    announceClosed(order.orderId);
    close();
  }, [isClosed]);
  const isTriggered = typeof ahead.value === 'string' || Number(current?.filled ?? 0) > 0;
  const amended = order && draftAmended(EMPTY_DRAFT, values.value, current ?? order, isTriggered);
  const context = order === undefined ? undefined : contextFor(order.symbol);

  const submit = () => {
    if (order === undefined || isSending.value) return;
    const read = readChanges(values.value, order);
    if ('text' in read) fault.value = read;
    else if (Object.keys(read.changes).length === 0) close();
    else if (mustConfirm(amended ?? EMPTY_DRAFT, context)) isConfirming.value = true;
    else void send(read.changes);
  };
  const send = async (changes: AmendValues) => {
    if (order === undefined) return;
    if (isStale.peek()) {
      announce(t('Connection lost. Trading resumes when prices are live.'), 'error');
      return;
    }
    isSending.value = true;
    const found = await amend(current ?? order, changes);
    batch(() => {
      isConfirming.value = false;
      fault.value = found;
      // Closed before `isSending` ends: a filled order is no longer open, and its fill has been announced.
      if (found === undefined) close();
      isSending.value = false;
    });
  };

  const warning = amended === undefined ? null : <PriceWarning draft={amended} context={context} />;
  const read = order === undefined ? undefined : readChanges(values.value, order);
  const isConfirmed = isConfirming.value && read !== undefined && 'changes' in read;
  return (
    <Dialog
      title={isConfirmed ? t('Confirm amended order') : t('Amend order')}
      open={order !== undefined}
      onClose={close}
    >
      {order === undefined ? null : isConfirmed ? (
        <>
          {warning}
          <Changes order={order} changes={read.changes} />
          <div class="dialog-actions">
            <button
              type="button"
              class="button"
              ref={focusOnce}
              onClick={() => {
                isConfirming.value = false;
              }}
            >
              {t('Go back')}
            </button>
            <button
              type="button"
              class={`button ${order.side}-fill`}
              aria-disabled={isSending.value}
              onClick={() => {
                if (!isSending.value) void send(read.changes);
              }}
            >
              {t('Amend order')}
            </button>
          </div>
        </>
      ) : (
        <form
          class="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          {current === undefined ? null : <Summary order={current} ahead={ahead.value} />}
          <Fields order={order} values={values} fault={fault} />
          {warning}
          <div class="dialog-actions">
            <button type="button" class="button" onClick={close}>
              {t('Keep order')}
            </button>
            <button type="submit" class="button primary">
              {t('Amend')}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function close(): void {
  amendRequest.value = undefined;
}

/** A ref with a lasting identity, which is called only when the element appears. */
function focusOnce(element: HTMLElement | null): void {
  element?.focus();
}

interface FieldsProps {
  readonly order: ExactOrder;
  readonly values: Signal<AmendValues>;
  readonly fault: Signal<AmendFault | undefined>;
}

function Fields({ order, values, fault }: FieldsProps) {
  const shown = AMEND_FIELDS.filter(([name]) => takes(order, name));
  const isAtField = shown.some(([name]) => name === fault.value?.field);
  return (
    <>
      {shown.map(([name, label]) => (
        <AmendInput
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
    </>
  );
}

/** Returns the amount ahead of an order in the queue when the dialog opened; null if it is not in the book, undefined until that is known. */
function useQueueAhead(order: ExactOrder | undefined): Signal<string | null | undefined> {
  const ahead = useSignal<string | null | undefined>(undefined);
  const id = order?.orderId;
  useEffect(() => {
    ahead.value = undefined;
    if (id === undefined) return;
    let isOver = false;
    api
      .getOrder({ id, queueAhead: 'true' })
      .then(({ queueAhead }) => {
        if (!isOver) ahead.value = queueAhead;
      })
      // The dialog works without it.
      .catch(() => {});
    return () => {
      isOver = true;
    };
  }, [id, ahead]);
  return ahead;
}

interface SummaryProps {
  readonly order: ExactOrder;
  readonly ahead: string | null | undefined;
}

/** The order and its place: in the queue when the dialog opened, or the trigger that it waits for. */
function Summary({ order, ahead }: SummaryProps) {
  const { side, symbol, type, filled, triggerPrice, ocoOrderId } = order;
  const [base = ''] = symbol.split('/');
  const rests = type === 'limit' || typeof ahead === 'string';
  const isOco = ocoOrderId !== null;
  return (
    <p class="muted">
      {t('{side, select, buy {↑ Buy} other {↓ Sell}} {symbol} · {type} · {filled} filled.', {
        side,
        symbol,
        type: typeName(type),
        filled: grouped(filled),
      })}{' '}
      {ahead ? `${t('{ahead} {base} ahead in the queue.', { ahead: grouped(ahead), base })} ` : ''}
      {isOco && rests ? t('OCO amounts cannot be changed. A new price loses queue priority.') : ''}
      {isOco && !rests ? `${t('OCO amounts cannot be changed.')} ` : ''}
      {!isOco && rests ? t('Reducing the amount keeps queue priority; other changes lose it.') : ''}
      {rests || triggerPrice === null
        ? ''
        : `${t('Trigger price: {triggerPrice}.', { triggerPrice: priceText(triggerPrice, symbol) })} `}
      {type === 'trailing_stop' && triggerPrice !== null
        ? t('A new distance counts from the best price so far.')
        : ''}
    </p>
  );
}

/** The order with each change: old and new value. */
function Changes({ order, changes }: { order: ExactOrder; changes: AmendValues }) {
  const name = `${order.symbol} · ${typeName(order.type)}`;
  const changed = AMEND_FIELDS.filter(([field]) => changes[field] !== undefined);
  return (
    <Facts
      facts={[
        [order.side === 'buy' ? msg('↑ Buy') : msg('↓ Sell'), name],
        ...changed.map(([field, label]) => {
          const [from, to] = [grouped(order[field] ?? '0'), grouped(changes[field]!)];
          return [label, `${from} → ${to} ${unitFor(field, order.symbol)}`] as const;
        }),
      ]}
    />
  );
}

function announceClosed(id: string): void {
  const status = pastOrders.value?.find(({ orderId }) => orderId === id)?.status;
  announce(
    status === undefined
      ? t('The order is closed and cannot be amended.')
      : t(
          'The order is already {status, select, filled {filled} canceled {canceled} expired {expired} other {rejected}} and cannot be amended.',
          { status },
        ),
  );
}

interface AmendInputProps extends FieldsProps {
  readonly name: AmendField;
  readonly label: string;
}

function AmendInput({ name, label, order, values, fault }: AmendInputProps) {
  const set = (text: string) => {
    values.value = { ...values.value, [name]: text };
    fault.value = undefined;
  };
  const own = fault.value?.field === name ? fault.value : undefined;
  return (
    <Field
      label={t(label)}
      unit={unitFor(name, order.symbol)}
      value={values.value[name] ?? localNumber(order[name] ?? '')}
      input={{ inputMode: 'decimal', maxLength: 40 }}
      error={own && <FaultText fault={own} onUse={(nearest) => set(localNumber(nearest))} />}
      onInput={(text) => set(text.trim())}
    />
  );
}

/** Sends the changes and announces the outcome; returns the fault if the request failed. */
async function amend(order: ExactOrder, changes: AmendValues): Promise<AmendFault | undefined> {
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
