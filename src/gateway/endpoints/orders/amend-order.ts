import { type AmendOrder, CommandKind } from '../../../engine/command.ts';
import type { OrderRecord } from '../../../engine/event.ts';
import { requiredToAmend } from '../../../engine/ledger/holds.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { RejectionCode } from '../../../engine/rejection.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError, quoteSender } from '../../http/response/errors.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod } from '../../openapi/json-schema.ts';
import { amendmentBody } from '../../openapi/order-schema.ts';
import { recordRef } from '../../openapi/record-schemas.ts';
import { readDisplay } from '../../orders/display-request.ts';
import { isPresent, readFlag } from '../../orders/order-fields.ts';
import { GridError, readAmount, readPrice } from '../../orders/order-number.ts';
import { tooLarge } from '../../orders/order-reader.ts';
import { deadlineError, withDeadline } from '../../orders/placing.ts';
import { rejectionError } from '../../orders/rejections.ts';
import { findTrailingField, readTrailing } from '../../orders/trailing-request.ts';
import { formatOrder, notOpenError, readOrderId } from './orders.ts';
import { executeForReceipt, type ReceiptedOrder, withReceipt } from './receipts.ts';

const RECEIPT = 'returnReceipt';
/** The fields that change something. */
const FIELDS: readonly string[] = Object.keys(amendmentBody.shape).filter(
  (name) => name !== RECEIPT,
);
/** The fields that nodes of an older release know. */
const FIELDS_OF_VERSION_1: readonly string[] = ['amount', 'price', 'triggerPrice'];

/** PATCH /api/orders/:id: amends an open order, which keeps its id. `data` is the order. */
export async function amendOrder(call: Call): Promise<string> {
  const body = call.body();
  checkForm(body, call.exchange.state.version < 2 ? FIELDS_OF_VERSION_1 : FIELDS);
  const hasReceipt = readFlag(body, 'returnReceipt');
  const { order, receipt } = await amendForReceipt(call, readOrderId(call), body);
  const text = formatOrder(call, order);
  return hasReceipt ? withReceipt(text, receipt) : text;
}

/**
 * Amends one of the account's open orders.
 * @param body As for PATCH /api/orders/:id.
 * @param condition With `reduceOnly` the new amount must be less than that of the order when it is amended.
 * @throws ApiError
 */
export async function executeAmendment(
  call: Call,
  orderId: number,
  body: JsonObject,
  condition: Pick<AmendOrder, 'reduceOnly'> = {},
): Promise<OrderRecord> {
  return (await amendForReceipt(call, orderId, body, condition)).order;
}

async function amendForReceipt(
  call: Call,
  orderId: number,
  body: JsonObject,
  condition: Pick<AmendOrder, 'reduceOnly'> = {},
): Promise<ReceiptedOrder> {
  const { state } = call.exchange;
  const order = state.openOrder(orderId);
  if (order?.account !== call.account.index) throw await notOpenError(call, orderId);
  const command = { ...readAmendment(body, order, call), ...condition };
  const { outcome, receipt } = await executeForReceipt(call, withDeadline(call, command));
  const late = deadlineError(call, outcome);
  if (late !== undefined) throw late;
  if (outcome.kind === 'order') return { order: outcome.order, receipt };
  if (outcome.kind !== 'rejected')
    throw new Error(`unexpected outcome of an amendment: ${outcome.kind}`);
  if (outcome.code === RejectionCode.orderNotOpen) throw await notOpenError(call, orderId);
  if (outcome.code === RejectionCode.amountBelowFilled) throw belowFilled(call, orderId);
  const price = command.price === 0 ? order.price : command.price;
  const triggerPrice = command.triggerPrice === 0 ? order.triggerPrice : command.triggerPrice;
  // The legs are not part of this request, so the order's own price was rejected.
  const { attached, ...own } = outcome;
  throw rejectionError(own, state, { ...order, price, triggerPrice });
}

amendOrder.description = describe({
  operationId: 'amendOrder',
  tag: 'Trading',
  summary: 'Amend an open order',
  notes:
    'The order keeps its id. Reducing only `amount` keeps queue priority; any other change loses it, and a ' +
    'price that crosses the book trades at once. A stop or take profit whose trigger is pending accepts a new ' +
    '`triggerPrice`. A trailing stop accepts a new distance, which counts from the best price it has followed. The ' +
    '`amount` of an OCO order cannot be changed. A rejected change leaves the order as it was. With `returnReceipt` ' +
    'the order has the `receipt` of the place of this change in the log.',
  path: { id: 'orderId' },
  body: {
    schema: fromZod(amendmentBody),
    examples: { lessAmount: { amount: 0.008 }, both: { amount: 0.012, price: 117100 } },
  },
  data: recordRef('Order'),
  errors: [
    'ORDER_NOT_FOUND',
    'ORDER_NOT_OPEN',
    'INVALID_AMOUNT',
    'INVALID_PRICE',
    'MIN_NOTIONAL',
    'INSUFFICIENT_BALANCE',
    'POST_ONLY_WOULD_TAKE',
    'MARKET_UNAVAILABLE',
    'ACCOUNT_LIMIT',
    'OVERLOADED',
  ],
});

function checkForm(body: JsonObject, fields: readonly string[]): void {
  for (const field in body) {
    if (field !== RECEIPT && !fields.includes(field)) {
      throw invalid(field, 'unknownField', `Unknown field ${quoteSender(field)}.`);
    }
  }
  if (!fields.some((field) => isPresent(body[field]))) {
    throw invalid('amount', 'required', `Send at least one of ${fields.join(', ')}.`);
  }
}

function readAmendment(body: JsonObject, order: OrderRecord, call: Call): AmendOrder {
  const market = call.exchange.state.markets[order.market]!;
  const change = (field: 'amount' | 'price' | 'triggerPrice') =>
    isPresent(body[field]) ? readChange(body[field], field, order, market) : 0;
  const [amount, price, triggerPrice] = [change('amount'), change('price'), change('triggerPrice')];
  const orderId = order.id;
  if (typeof amount === 'number' && typeof price === 'number' && typeof triggerPrice === 'number') {
    const numbers = { price, triggerPrice, amount, ...readSpecialChanges(body, order, market) };
    return { kind: CommandKind.amendOrder, ...call.actor, orderId, ...numbers };
  }
  const placer = { account: call.account, key: call.keyIndex };
  const changes = { price, triggerPrice, amount };
  const required = requiredToAmend(call.exchange.state, order, changes);
  const field =
    typeof amount !== 'number' ? 'amount' : typeof price !== 'number' ? 'price' : 'triggerPrice';
  throw tooLarge(required, order.side, market, placer, call.exchange, field);
}

/** Reads the changes that only trailing stops and icebergs take. */
function readSpecialChanges(
  body: JsonObject,
  order: OrderRecord,
  market: Market,
): Pick<AmendOrder, 'trailing' | 'displayAmount'> {
  const displayAmount = readDisplay(body, order.timeInForce, market, undefined);
  const isTrailing = findTrailingField(body) !== undefined;
  return {
    ...(displayAmount === undefined ? {} : { displayAmount }),
    ...(isTrailing ? { trailing: readTrailing(body, market, undefined, '', true) } : {}),
  };
}

/** Reads a number that must be a multiple of the current tick or step, unless it equals the order's own value. */
function readChange(
  value: JsonValue | undefined,
  field: 'amount' | 'price' | 'triggerPrice',
  order: OrderRecord,
  market: Market,
): Exact {
  const offGrid = new GridError();
  const units =
    field === 'amount'
      ? readAmount(value, market, offGrid)
      : readPrice(value, market, field, offGrid);
  if (offGrid.first !== undefined && units !== order[field]) throw offGrid.first;
  return units;
}

function belowFilled(call: Call, orderId: number): ApiError {
  const { state } = call.exchange;
  const message = 'The new amount is less than the amount that is already filled.';
  const order = state.openOrder(orderId);
  let nearest: JsonNumber | undefined;
  if (order !== undefined) {
    const { amountDecimals } = state.markets[order.market]!.rules;
    nearest = new JsonNumber(formatUnits(order.amount - order.remaining, amountDecimals));
  }
  return new ApiError('INVALID_AMOUNT', message, { field: 'amount', rule: 'filled', nearest });
}
