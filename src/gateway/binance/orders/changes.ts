import type { OrderRecord } from '../../../engine/event.ts';
import { executeAmendment } from '../../endpoints/orders/amend-order.ts';
import { executeCancels } from '../../endpoints/orders/cancel-orders.ts';
import { previewOrder } from '../../endpoints/orders/test-order.ts';
import { JsonNumber, type JsonObject } from '../../http/json.ts';
import { ApiError } from '../../http/response/errors.ts';
import { NO_DISCOUNT, rates, rateText } from '../account/account.ts';
import type { BinanceCall } from '../call.ts';
import type { BinanceEndpoint } from '../endpoint.ts';
import { BinanceError, errorText, toBinanceError, unknownOrder } from '../errors.ts';
import { type OrderList, listText as orderListText } from '../order-lists/list-text.ts';
import { missing } from '../parameters.ts';
import { resolveNames } from './find-order.ts';
import { orderNames, readListNames } from './order-names.ts';
import { amendedText } from './order-text.ts';
import {
  canceledText,
  executeNewOrder,
  readCancellation,
  readNewClientOrderId,
  readNewOrder,
  readOrderName,
} from './orders.ts';
import { listPending, PENDING_NEW } from './pending-orders.ts';

/** POST /api/v3/order/test: checks an order in the present state of the exchange, and does nothing. */
async function testOrder(call: BinanceCall): Promise<string> {
  const { given } = call;
  const showsRates = given.boolean('computeCommissionRates') ?? false;
  const { market, body } = readNewOrder(call);
  given.checkAllRead();
  await previewOrder(call, body);
  if (!showsRates) return '{}';
  const { maker, taker } = rates(call, market);
  const none = '{"maker":"0.00000000","taker":"0.00000000"}';
  return (
    `{"standardCommissionForOrder":{"maker":"${rateText(maker)}","taker":"${rateText(taker)}"},` +
    `"specialCommissionForOrder":${none},"taxCommissionForOrder":${none},"discount":${NO_DISCOUNT}}`
  );
}

/** DELETE /api/v3/openOrders: cancels the open orders in a market. */
async function cancelOpenOrders(call: BinanceCall): Promise<string> {
  const market = call.symbols.read(call.given);
  call.given.checkAllRead();
  await call.useOnce();
  const newId = readNewClientOrderId(call);
  const selection = { orderIds: null, clientOrderId: null, market: market.index };
  const orders = await executeCancels(call, selection);
  if (orders.length === 0) throw unknownOrder();
  const names = await resolveNames(call, orders);
  const byId = new Map(orders.map((order) => [order.id, order]));
  const texts = orders.flatMap((order) => {
    const list = findCanceledList(order, byId);
    const text = (each: OrderRecord) => canceledText(each, market, newId, orderNames(each, order));
    if (list !== undefined) return orderListText(list, market, list.map(text));
    const { orderListId } = names(order);
    // An order of a list whose first one had ended before is shown by itself.
    return byId.has(orderListId) && orderListId !== order.id
      ? []
      : canceledText(order, market, newId, names(order));
  });
  return `[${texts.join(',')}]`;
}

/** Returns the list that an order is the first of, if all its orders were canceled at once. */
function findCanceledList(
  order: OrderRecord,
  canceled: ReadonlyMap<number, OrderRecord>,
): OrderList | undefined {
  const names = readListNames(order);
  if (names === undefined) return undefined;
  const { status, reason, updatedAt } = order;
  const second = names.kind === 'OCO' ? canceled.get(order.id + 1) : undefined;
  if (second !== undefined) return [order, second];
  // Pending orders end with their working order, for the same reason.
  const pending = listPending(order).map((each) => ({ ...each, status, reason, updatedAt }));
  return pending.length > 0 ? [order, ...pending] : undefined;
}

const MODES = ['STOP_ON_FAILURE', 'ALLOW_FAILURE'] as const;
const EXCEEDED_MODES = ['DO_NOTHING', 'CANCEL_ONLY'] as const;
const REPLACED = {
  orderId: 'cancelOrderId',
  origClientOrderId: 'cancelOrigClientOrderId',
  newClientOrderId: 'cancelNewClientOrderId',
};

/**
 * POST /api/v3/order/cancelReplace: cancels an order, then places another one. These are two commands: between them the
 * market may move, as on Binance.
 */
async function cancelReplace(call: BinanceCall): Promise<string> {
  const { given } = call;
  given.required('cancelReplaceMode');
  const mode = given.choice('cancelReplaceMode', MODES)!;
  const whenExceeded = given.choice('orderRateLimitExceededMode', EXCEEDED_MODES);
  const cancel = readCancellation(call, REPLACED);
  const order = readNewOrder(call);
  given.checkAllRead();
  const limitError = takeOrder(call);
  if (limitError !== undefined && whenExceeded !== 'CANCEL_ONLY') throw limitError;
  const canceled = await attempt(cancel);
  const stops = canceled.error !== undefined && mode === 'STOP_ON_FAILURE';
  const placed = stops
    ? undefined
    : limitError === undefined
      ? await attempt(() => executeNewOrder(call, order))
      : { text: errorText(limitError), error: limitError };
  const data =
    `{"cancelResult":"${resultName(canceled)}","newOrderResult":"${resultName(placed)}",` +
    `"cancelResponse":${canceled.text},"newOrderResponse":${placed?.text ?? 'null'}}`;
  const isPlaced = placed !== undefined && placed.error === undefined;
  if (canceled.error === undefined && isPlaced) return data;
  const isPartial = canceled.error === undefined || isPlaced;
  const status = limitError === undefined ? (isPartial ? 409 : 400) : 429;
  throw isPartial
    ? new BinanceError(-2021, 'Order cancel-replace partially failed.', status, undefined, data)
    : new BinanceError(-2022, 'Order cancel-replace failed.', status, undefined, data);
}

interface Attempt {
  /** The answer, or the error, as JSON. */
  readonly text: string;
  readonly error?: BinanceError;
}

async function attempt(work: () => Promise<string>): Promise<Attempt> {
  try {
    return { text: await work() };
  } catch (thrown) {
    const error = toBinanceError(thrown);
    return { text: errorText(error), error };
  }
}

function resultName(result: Attempt | undefined): string {
  if (result === undefined) return 'NOT_ATTEMPTED';
  return result.error === undefined ? 'SUCCESS' : 'FAILURE';
}

/** Counts the new order. @returns The error if it is one too many */
function takeOrder(call: BinanceCall): BinanceError | undefined {
  try {
    call.orderCounts = call.limits.takeOrders(call.account, 1);
    return undefined;
  } catch (error) {
    return toBinanceError(error);
  }
}

/** PUT /api/v3/order/amend/keepPriority: reduces the amount of an open order, which keeps its place in the queue. */
async function amendKeepPriority(call: BinanceCall): Promise<string> {
  const { given } = call;
  const market = call.symbols.read(given);
  const find = readOrderName(call);
  const newQty = given.decimal('newQty');
  if (newQty === undefined) throw missing('newQty');
  // The order keeps its client order id.
  given.clientOrderId('newClientOrderId');
  given.checkAllRead();
  const order = await find();
  if (order === undefined || order.market !== market.index) throw rejected('Unknown order sent.');
  if (order.status === PENDING_NEW) throw rejected('Order amend (pending order) is not supported.');
  const body: JsonObject = Object.create(null);
  body.amount = new JsonNumber(newQty);
  const amended = await executeAmendment(call, order.id, body, { reduceOnly: true }).catch(
    (error) => Promise.reject(amendmentError(error)),
  );
  const executionId = call.userData.amendmentId(amended);
  const names = await resolveNames(call, [order]);
  return amendedText(amended, market, names(order), executionId);
}

/** Returns the error for an amendment that the exchange rejected. */
function amendmentError(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.details.rule === 'increase') {
    return rejected('Order amend (quantity increase) is not supported.');
  }
  if (error.details.rule === 'same') {
    return rejected('The requested action would change no state; rejecting.');
  }
  return error.code.startsWith('ORDER_NOT') ? rejected('Unknown order sent.') : error;
}

function rejected(message: string): BinanceError {
  return new BinanceError(-2038, message);
}

export const CHANGE_ENDPOINTS: readonly BinanceEndpoint[] = [
  {
    method: 'POST',
    path: '/api/v3/order/test',
    operation: 'order.test',
    access: 'place',
    weight: (given) => (given.has('computeCommissionRates') ? 20 : 1),
    handle: testOrder,
  },
  {
    method: 'DELETE',
    path: '/api/v3/openOrders',
    operation: 'openOrders.cancelAll',
    access: 'trade',
    weight: 1,
    handle: cancelOpenOrders,
  },
  {
    method: 'POST',
    path: '/api/v3/order/cancelReplace',
    operation: 'order.cancelReplace',
    access: 'place',
    weight: 1,
    takesOrders: true,
    handle: cancelReplace,
  },
  {
    method: 'PUT',
    path: '/api/v3/order/amend/keepPriority',
    operation: 'order.amend.keepPriority',
    access: 'trade',
    weight: 4,
    takesOrders: true,
    handle: amendKeepPriority,
  },
];
