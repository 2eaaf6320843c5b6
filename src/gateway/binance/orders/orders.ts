import { CancelCondition } from '../../../engine/command.ts';
import type { OrderRecord } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import type { ShownFill } from '../../endpoints/fills.ts';
import { placedFills, queryOrderFills } from '../../endpoints/orders/order-fills.ts';
import {
  executeCancel,
  type PreparedOrder,
  prepareOrder,
  submitOrder,
} from '../../endpoints/orders/orders.ts';
import { showFills, showOrder } from '../../faults/reports.ts';
import type { JsonObject } from '../../http/json.ts';
import { ApiError } from '../../http/response/errors.ts';
import type { BinanceCall } from '../call.ts';
import { decimalText } from '../decimals.ts';
import { type BinanceEndpoint, READ } from '../endpoint.ts';
import { BinanceError, CANCEL_REJECTED, noSuchOrder, unknownOrder } from '../errors.ts';
import { workingTime } from './conditional-fields.ts';
import { findByClientId, findById, resolveNames } from './find-order.ts';
import { readOrderRequest } from './order-body.ts';
import { type OrderNames, orderNames } from './order-names.ts';
import { headText, orderFields, orderText, selfTradePrevention } from './order-text.ts';
import { PENDING_NEW } from './pending-orders.ts';

export const RESPONSE_TYPES = ['ACK', 'RESULT', 'FULL'] as const;
type ResponseType = (typeof RESPONSE_TYPES)[number];

/** An order that a request asks for, read and translated. */
export interface NewOrder {
  readonly market: Market;
  /** The body of POST /api/orders. */
  readonly body: JsonObject;
  readonly responseType: ResponseType;
}

/** Reads the order that a request asks for. @throws BinanceError */
export function readNewOrder(call: BinanceCall): NewOrder {
  const { given } = call;
  const market = call.symbols.read(given);
  const name = given.clientOrderId('newClientOrderId') ?? signedName(call);
  const { type, body } = readOrderRequest(given, market, name);
  const isImmediate = type === 'MARKET' || type === 'LIMIT';
  const responseType =
    given.choice('newOrderRespType', RESPONSE_TYPES) ?? (isImmediate ? 'FULL' : 'ACK');
  return { market, body, responseType };
}

/** Places an order and returns the answer that its request asks for. @throws BinanceError or ApiError */
export function executeNewOrder(
  call: BinanceCall,
  { market, body, responseType }: NewOrder,
): Promise<string> {
  const preparing = prepareOrder(call, body);
  const place = (prepared: PreparedOrder) =>
    responseType === 'FULL'
      ? submitOrder(
          call,
          prepared,
          (order) =>
            placedText(
              showOrder(call, order),
              market,
              responseType,
              showFills(call, placedFills(call, order)),
            ),
          async (order) =>
            placedText(
              showOrder(call, order),
              market,
              responseType,
              showFills(call, await queryOrderFills(call, order)),
            ),
        )
      : submitOrder(call, prepared, (order) =>
          placedText(showOrder(call, order), market, responseType),
        );
  return preparing instanceof Promise ? preparing.then(place) : place(preparing);
}

/** POST /api/v3/order. */
function placeOrder(call: BinanceCall): Promise<string> {
  const order = readNewOrder(call);
  call.given.checkAllRead();
  return executeNewOrder(call, order);
}

/** Returns the name of a list, or of a cancellation. One that the client does not choose is made for it. */
export function readNewClientOrderId(call: BinanceCall, name = 'newClientOrderId'): string {
  return call.given.clientOrderId(name) ?? signedName(call) ?? randomName(call);
}

function randomName({ services }: BinanceCall): string {
  return Buffer.from(services.randomBytes(NAME_BYTES)).toString('base64url');
}

/**
 * Returns the name of what a signed request places: it is made from the text that was signed, so that a copy of the request is
 * the same order and not another one. Undefined on a connection that is logged on, whose messages arrive once.
 */
function signedName({ signed }: BinanceCall): string | undefined {
  if (signed === undefined) return undefined;
  Bun.SHA256.hash(signed.text, HASH);
  return HASH.toString('base64url', 0, NAME_BYTES);
}

/** Bytes of a name, which has 22 characters. */
const NAME_BYTES = 16;
/** Reused, because each of its uses ends before the next begins. */
const HASH = Buffer.alloc(32);

/** Returns a placed order as the client asked for it. @param fills Only for `FULL`. */
export function placedText(
  order: OrderRecord,
  market: Market,
  type: ResponseType,
  fills: readonly ShownFill[] = [],
  names = orderNames(order),
): string {
  const head = `{${headText(order, market, names)},"transactTime":${order.updatedAt}`;
  if (type === 'ACK') return `${head}}`;
  const result = `${head},${orderFields(order, market)},"workingTime":${workingTime(order)}`;
  const end = selfTradePrevention(order);
  if (type === 'RESULT') return `${result},${end}}`;
  return `${result},"fills":[${fills.map((fill) => placedFillText(fill, market)).join(',')}],${end}}`;
}

function placedFillText(fill: ShownFill, market: Market): string {
  const { rules } = market;
  const feeAsset = market.feeAsset(fill.side, fill.fee);
  const text = (units: Exact, decimals: number) => decimalText(units, decimals);
  return (
    `{"price":"${text(fill.price, rules.priceDecimals)}",` +
    `"qty":"${text(fill.amount, rules.amountDecimals)}",` +
    `"commission":"${text(fill.fee, feeAsset.decimals)}","commissionAsset":"${feeAsset.asset}",` +
    `"tradeId":${fill.tradeId}}`
  );
}

/** GET /api/v3/order. */
async function queryOrder(call: BinanceCall): Promise<string> {
  const market = call.symbols.read(call.given);
  const find = readOrderName(call);
  call.given.checkAllRead();
  const order = await find();
  if (order === undefined || order.market !== market.index) throw noSuchOrder();
  const names = await resolveNames(call, [order]);
  return orderText(showOrder(call, order), market, names(order));
}

/** DELETE /api/v3/order. */
function cancelOrder(call: BinanceCall): Promise<string> {
  const cancellation = readCancellation(call);
  call.given.checkAllRead();
  return cancellation();
}

/** The names of a cancellation's parameters, which differ if it is part of a request to replace the order. */
export interface CancellationNames {
  readonly orderId: string;
  readonly origClientOrderId: string;
  readonly newClientOrderId: string;
}

const CANCELLATION: CancellationNames = {
  orderId: 'orderId',
  origClientOrderId: 'origClientOrderId',
  newClientOrderId: 'newClientOrderId',
};
const RESTRICTIONS = {
  ONLY_NEW: CancelCondition.unfilled,
  ONLY_PARTIALLY_FILLED: CancelCondition.partiallyFilled,
} as const;
const RESTRICTION_NAMES = Object.keys(RESTRICTIONS) as readonly (keyof typeof RESTRICTIONS)[];

/**
 * Reads the cancellation of one order.
 * @returns Cancels it, and returns the answer.
 * @throws BinanceError
 */
export function readCancellation(call: BinanceCall, names = CANCELLATION): () => Promise<string> {
  const { given } = call;
  const market = call.symbols.read(given);
  const newId = readNewClientOrderId(call, names.newClientOrderId);
  const find = readOrderName(call, names);
  const restriction = given.choice('cancelRestrictions', RESTRICTION_NAMES, invalidRestriction);
  return async () => {
    const order = await find();
    if (order === undefined || order.market !== market.index) throw unknownOrder();
    const onlyIf = restriction && RESTRICTIONS[restriction];
    try {
      const names = await resolveNames(call, [order]);
      const canceled = await executeCancelInList(call, order, onlyIf);
      return canceledText(canceled, market, newId, names(order));
    } catch (error) {
      throw cancelError(error);
    }
  };
}

/**
 * Cancels an order. One that is pending in a list is canceled with the order for which it waits, and is neither new nor
 * partially filled.
 */
export async function executeCancelInList(
  call: BinanceCall,
  order: OrderRecord,
  onlyIf?: CancelCondition,
): Promise<OrderRecord> {
  if (order.status !== PENDING_NEW) return executeCancel(call, order.id, onlyIf);
  if (onlyIf !== undefined) throw restricted();
  await executeCancel(call, order.parentId);
  return (await findById(call, order.id))!;
}

/** Returns the error for a cancellation that failed: of an order that has ended, or does not have the fills asked for. */
function cancelError(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.details.rule === 'onlyIf') return restricted();
  return error.code.startsWith('ORDER_NOT') ? unknownOrder() : error;
}

function restricted(): BinanceError {
  return new BinanceError(CANCEL_REJECTED, 'Order was not canceled due to cancel restrictions.');
}

function invalidRestriction(): BinanceError {
  const message = '`cancelRestrictions` has to be either `ONLY_NEW` or `ONLY_PARTIALLY_FILLED`.';
  return new BinanceError(-1145, message);
}

export function canceledText(
  order: OrderRecord,
  market: Market,
  newId: string,
  names: OrderNames,
): string {
  const head = headText(order, market, names).replace('"clientOrderId"', '"origClientOrderId"');
  return (
    `{${head},"clientOrderId":"${newId}","transactTime":${order.updatedAt},` +
    `${orderFields(order, market)},${selfTradePrevention(order)}}`
  );
}

/**
 * Reads which order a request means: `orderId` or `origClientOrderId`; both must name the same one.
 * @returns Finds the order.
 * @throws BinanceError -1102
 */
export function readOrderName(
  call: BinanceCall,
  names: Pick<CancellationNames, 'orderId' | 'origClientOrderId'> = CANCELLATION,
): () => Promise<OrderRecord | undefined> {
  const { given } = call;
  const orderId = given.integer(names.orderId);
  const name = given.clientOrderId(names.origClientOrderId);
  if (orderId === undefined && name === undefined) {
    throw new BinanceError(
      -1102,
      `Param '${names.origClientOrderId}' or '${names.orderId}' must be sent, but both were empty/null!`,
    );
  }
  return async () => {
    const order =
      orderId === undefined ? await findByClientId(call, name!) : await findById(call, orderId);
    if (order === undefined || orderId === undefined || name === undefined) return order;
    const names = await resolveNames(call, [order]);
    return names(order).clientOrderId === name ? order : undefined;
  };
}

export const ORDER_ENDPOINTS: readonly BinanceEndpoint[] = [
  {
    method: 'POST',
    path: '/api/v3/order',
    operation: 'order.place',
    access: 'place',
    weight: 1,
    orders: 1,
    takesOrders: true,
    handle: placeOrder,
  },
  {
    ...READ,
    path: '/api/v3/order',
    operation: 'order.status',
    weight: 4,
    handle: queryOrder,
  },
  {
    method: 'DELETE',
    path: '/api/v3/order',
    operation: 'order.cancel',
    access: 'trade',
    weight: 1,
    handle: cancelOrder,
  },
];
