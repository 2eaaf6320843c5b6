import {
  type CancelCondition,
  CommandKind,
  type PlaceBracket,
  type PlaceOrder,
  type PlaceStopOrder,
} from '../../../engine/command.ts';
import type { OrderRecord, Outcome } from '../../../engine/event.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import { type Rejection, RejectionCode } from '../../../engine/rejection.ts';
import { OrderType, orderStatuses } from '../../../engine/terms.ts';
import type { Batch } from '../../../log/log.ts';
import { showOrder } from '../../faults/reports.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { BOOLEAN_VALUES } from '../../http/request/query.ts';
import { ApiError } from '../../http/response/errors.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod } from '../../openapi/json-schema.ts';
import { orderBody } from '../../openapi/order-schema.ts';
import { recordRef } from '../../openapi/record-schemas.ts';
import { readOrder } from '../../orders/order-request.ts';
import {
  deadlineError,
  type PlacedReply,
  type Prepared,
  prepare,
  submit,
  withCancelDeadline,
} from '../../orders/placing.ts';
import { type RejectedOrder, rejectionError } from '../../orders/rejections.ts';
import { orderText, withQueueAhead } from '../records.ts';
import { formatOrderWithFills, formatPlacedOrder } from './order-fills.ts';
import {
  executeForReceipt,
  RECEIPT_PARAMETERS,
  type ReceiptedOrder,
  receiptText,
  wantsReceipt,
  withReceipt,
} from './receipts.ts';

/** POST /api/orders: places an order. `data` is the order after matching. */
export function placeOrder(call: Call): Promise<string> {
  const body = call.body();
  const prepared = prepareOrder(call, body);
  return prepared instanceof Promise
    ? prepared.then((each) => submitWithExtras(call, each, body))
    : submitWithExtras(call, prepared, body);
}
placeOrder.description = describe({
  operationId: 'placeOrder',
  tag: 'Trading',
  summary: 'Place an order',
  notes:
    '`data` is the order after matching. Repeating the request with the same `clientOrderId` within 24 hours ' +
    'returns the first order and places nothing. With `returnFills` the order has its `fills`, with `returnReceipt` the `receipt` of its place in the log. Attached orders are activated when the order has ' +
    'ended, for the filled amount; find them by `parentOrderId`.',
  body: {
    schema: fromZod(orderBody),
    examples: {
      limit: { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 117000 },
      immediate: {
        symbol: 'ETH/USDT',
        side: 'sell',
        type: 'limit',
        amount: 0.5,
        price: 5300,
        timeInForce: 'IOC',
      },
      goodTillDate: {
        symbol: 'BTC/USDT',
        side: 'sell',
        type: 'limit',
        amount: 0.02,
        price: 120000,
        timeInForce: 'GTD',
        expiresAt: '2126-01-05T12:00:00Z',
        postOnly: true,
        clientOrderId: 'bot-1',
      },
      stopLoss: {
        symbol: 'BTC/USDT',
        side: 'sell',
        type: 'stop_limit',
        amount: 0.01,
        price: 109900,
        triggerPrice: 110000,
      },
      bracket: {
        symbol: 'BTC/USDT',
        side: 'buy',
        type: 'limit',
        amount: 0.01,
        price: 117000,
        attached: {
          takeProfit: { price: 125000 },
          stopLoss: { triggerPrice: 110000, price: 109900 },
        },
      },
      oneTriggersTheOther: {
        symbol: 'BTC/USDT',
        side: 'buy',
        type: 'limit',
        amount: 0.01,
        price: 117000,
        attached: {
          side: 'sell',
          amount: 0.005,
          order: { type: 'limit', price: 119000, timeInForce: 'GTC' },
        },
      },
      marketByCost: { symbol: 'BTC/USDT', side: 'buy', type: 'market', cost: 100 },
    },
  },
  data: recordRef('Order'),
  errors: [
    'INVALID_SYMBOL',
    'INVALID_SIDE',
    'INVALID_TYPE',
    'INVALID_AMOUNT',
    'INVALID_PRICE',
    'MIN_NOTIONAL',
    'INSUFFICIENT_BALANCE',
    'POST_ONLY_WOULD_TAKE',
    'MARKET_UNAVAILABLE',
    'NO_LIQUIDITY',
    'TOO_MANY_OPEN_ORDERS',
    'ACCOUNT_LIMIT',
    'DUPLICATE_CLIENT_ORDER_ID',
    'CLOCK_OFF',
    'OVERLOADED',
  ],
});

/** A validated request to place one order. */
export type PreparedOrder = Prepared<PlaceOrder | PlaceStopOrder | PlaceBracket>;

/**
 * Validates everything that does not need the engine.
 * @param read Reads the command from the body.
 * @throws ApiError
 */
export function prepareOrder(
  call: Call,
  body: JsonObject,
  read: typeof readOrder = readOrder,
): PreparedOrder | Promise<PreparedOrder> {
  return prepare(call, body, read);
}

/**
 * Places an order and resolves with it as JSON. The command is submitted synchronously, so that commands are
 * logged in the order of the calls. The JSON is built in the callback, from the engine's own record.
 * @param format Returns the JSON of the order.
 * @param formatRepeated Returns the JSON of an order that was placed before.
 */
export function submitOrder(
  call: Call,
  prepared: PreparedOrder,
  format: (order: OrderRecord, batch?: Batch, index?: number) => string = (order) =>
    formatOrder(call, order),
  formatRepeated: (order: OrderRecord) => string | Promise<string> = format,
): Promise<string> {
  const { command } = prepared;
  return new Promise((resolve, reject) => {
    const reply: PlacedReply = (outcome, batch, index) => {
      if (outcome.kind !== 'order')
        handleOtherOutcome(call, command, outcome, formatRepeated).then(resolve, reject);
      else {
        try {
          resolve(format(outcome.order, batch, index));
        } catch (error) {
          reject(error);
        }
      }
    };
    submit(call, prepared, reply, reject);
  });
}

/** Places an order and resolves with it as JSON, with its fills and its receipt if the body asks for them. */
export function submitWithExtras(
  call: Call,
  prepared: PreparedOrder,
  { returnFills, returnReceipt }: JsonObject,
): Promise<string> {
  const hasFills = returnFills === true;
  if (!hasFills && returnReceipt !== true) return submitOrder(call, prepared);
  const format = hasFills ? formatPlacedOrder : formatOrder;
  const formatRepeated = hasFills ? formatOrderWithFills : formatOrder;
  if (returnReceipt !== true) {
    const repeated = (order: OrderRecord) => formatRepeated(call, order);
    return submitOrder(call, prepared, (order) => format(call, order), repeated);
  }
  return submitOrder(
    call,
    prepared,
    (order, batch, index) => withReceipt(format(call, order), receiptText(batch, index)),
    async (order) => withReceipt(await formatRepeated(call, order), receiptText()),
  );
}

async function handleOtherOutcome(
  call: Call,
  command: PlaceOrder | PlaceStopOrder | PlaceBracket,
  outcome: Outcome,
  format: (order: OrderRecord) => string | Promise<string>,
): Promise<string> {
  if (outcome.kind === 'repeated') {
    const order = await findOrder(call, outcome.orderId);
    if (order !== undefined) return format(order);
  }
  if (outcome.kind === 'rejected') {
    throw rejectionError(outcome, call.exchange.state, rejectedOrder(command, outcome));
  }
  throw new Error(`unexpected outcome of placing an order: ${outcome.kind}`);
}

/** Returns the order to which a rejection refers: the order itself or one of its legs. */
export function rejectedOrder(
  command: PlaceOrder | PlaceStopOrder | PlaceBracket,
  { attached }: Rejection,
): RejectedOrder {
  if (command.kind !== CommandKind.placeBracket) return command;
  const { oto, ...legs } = command.attached;
  const leg = attached === undefined ? null : { order: oto?.order ?? null, ...legs }[attached];
  if (leg === null) return command.order;
  const { market } = command.order;
  return {
    market,
    type: 'type' in leg ? leg.type : OrderType.limit,
    price: leg.price,
    triggerPrice: 'triggerPrice' in leg ? leg.triggerPrice : 0,
    cost: 0,
    ...(oto !== undefined && { amountField: 'attached.amount' }),
  };
}

/** DELETE /api/orders/:id: cancels an open order. `data` is the order. */
export async function cancelOrder(call: Call): Promise<string> {
  const hasReceipt = wantsReceipt(call.query(RECEIPT_PARAMETERS));
  const { order, receipt } = await cancelForReceipt(call, readOrderId(call));
  const text = formatOrder(call, order);
  return hasReceipt ? withReceipt(text, receipt) : text;
}

/**
 * Cancels one of the account's open orders.
 * @param onlyIf Absent to cancel it whatever it has filled.
 * @throws ApiError ORDER_NOT_FOUND, ORDER_NOT_OPEN
 */
export async function executeCancel(
  call: Call,
  orderId: number,
  onlyIf?: CancelCondition,
): Promise<OrderRecord> {
  return (await cancelForReceipt(call, orderId, onlyIf)).order;
}

async function cancelForReceipt(
  call: Call,
  orderId: number,
  onlyIf?: CancelCondition,
): Promise<ReceiptedOrder> {
  const command = {
    ...{ kind: CommandKind.cancelOrder, ...call.actor, orderId },
    ...(onlyIf === undefined ? {} : { onlyIf }),
  };
  const { outcome, receipt } = await executeForReceipt(call, withCancelDeadline(call, command));
  const late = deadlineError(call, outcome);
  if (late !== undefined) throw late;
  if (outcome.kind === 'order') return { order: outcome.order, receipt };
  if (outcome.kind !== 'rejected')
    throw new Error(`unexpected outcome of a cancellation: ${outcome.kind}`);
  if (outcome.code !== RejectionCode.orderNotOpen) {
    throw rejectionError(outcome, call.exchange.state);
  }
  throw await notOpenError(call, orderId);
}

cancelOrder.description = describe({
  operationId: 'cancelOrder',
  tag: 'Trading',
  summary: 'Cancel an open order',
  notes:
    '`data` is the canceled order. With `returnReceipt=true` it has the `receipt` of the place of its cancellation in the log.',
  path: { id: 'orderId' },
  query: RECEIPT_PARAMETERS,
  data: recordRef('Order'),
  errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_OPEN', 'OVERLOADED'],
});

/** Returns the error for an order that is not an open order of the account. */
export async function notOpenError(call: Call, orderId: number): Promise<ApiError> {
  const order = await findOrder(call, orderId);
  if (order === undefined) return new ApiError('ORDER_NOT_FOUND');
  const status = orderStatuses[order.status]!;
  const message = `The order is ${status} and can no longer be canceled or amended.`;
  return new ApiError('ORDER_NOT_OPEN', message, { status });
}

const QUEUE_PARAMETERS = ['queueAhead'] as const;

/** GET /api/orders/:id: one of the account's orders, open or final. */
export async function getOrder(call: Call): Promise<string> {
  const showsQueue = call.query(QUEUE_PARAMETERS).choice('queueAhead', BOOLEAN_VALUES) === 'true';
  const orderId = readOrderId(call);
  // Open orders need no query to history.
  let open = findOwnOpenOrder(call, orderId);
  if (open !== undefined && showsQueue) {
    const queue = call.services.queuePositions.prepare([orderId]);
    if (queue !== undefined) {
      await queue;
      open = findOwnOpenOrder(call, orderId);
    }
  }
  const order = open ?? (await findOrder(call, orderId));
  if (order === undefined) throw new ApiError('ORDER_NOT_FOUND');
  const text = formatOrder(call, order);
  if (!showsQueue) return text;
  const market = call.exchange.state.markets[order.market]!;
  return withQueueAhead(text, call.services.queuePositions.ahead(order.id), market);
}
getOrder.description = describe({
  operationId: 'getOrder',
  tag: 'Trading',
  summary: "One of the account's orders",
  notes:
    'With `queueAhead=true` the order has a field `queueAhead`: the amount that trades before it at its price, or ' +
    'null if it does not rest in the order book.',
  path: { id: 'orderId' },
  query: QUEUE_PARAMETERS,
  data: recordRef('Order'),
  errors: ['ORDER_NOT_FOUND', 'OVERLOADED'],
});

function findOwnOpenOrder(call: Call, orderId: number): OrderRecord | undefined {
  const open = call.exchange.state.openOrder(orderId);
  return open?.account === call.account.index ? open : undefined;
}

/** Returns the order id in the path. @throws ApiError ORDER_NOT_FOUND if it is not a valid id */
export function readOrderId(call: Call, parameter: 'id' | 'orderId' = 'id'): number {
  const text = call.parameters[parameter]!;
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new ApiError('ORDER_NOT_FOUND');
}

/** Returns one of an account's orders, open or final. @param account By default the caller's. */
export async function findOrder(
  call: Call,
  orderId: number,
  account: Account = call.account,
): Promise<OrderRecord | undefined> {
  const { archivist, replica } = call.services;
  const query = { kind: 'order', account: account.index, orderId } as const;
  return (await archivist.query(query, replica.position)) as OrderRecord | undefined;
}

export function formatOrder(call: Call, order: OrderRecord): string {
  return orderText(showOrder(call, order), call.exchange.state.markets[order.market]!);
}
