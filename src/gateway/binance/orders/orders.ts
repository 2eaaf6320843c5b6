import type { OrderRecord } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { OrderPage } from '../../../history/history.ts';
import {
  executeCancel,
  findOrder,
  prepareOrder,
  submitOrder,
} from '../../endpoints/orders/orders.ts';
import { ApiError } from '../../http/response/errors.ts';
import type { BinanceCall } from '../call.ts';
import type { BinanceEndpoint } from '../endpoint.ts';
import { BinanceError, noSuchOrder, unknownOrder } from '../errors.ts';
import { readOrderRequest } from './order-body.ts';
import { clientId, headText, orderFields, orderText, selfTradePrevention } from './order-text.ts';

const RESPONSE_TYPES = ['ACK', 'RESULT', 'FULL'] as const;
type ResponseType = (typeof RESPONSE_TYPES)[number];

/** POST /api/v3/order. */
async function placeOrder(call: BinanceCall): Promise<string> {
  const { given } = call;
  const market = call.symbols.read(given);
  const { type, body } = readOrderRequest(given, market, readNewClientOrderId(call));
  const isImmediate = type === 'MARKET' || type === 'LIMIT';
  const responseType =
    given.choice('newOrderRespType', RESPONSE_TYPES) ?? (isImmediate ? 'FULL' : 'ACK');
  given.checkAllRead();
  const prepared = await prepareOrder(call, body);
  return submitOrder(call, prepared, (order) => placedText(order, market, responseType));
}

/**
 * Returns the client order id of a new order. One that the client does not choose is made from its signature, so that a copy
 * of the request is the same order and not another one.
 */
export function readNewClientOrderId(call: BinanceCall, name = 'newClientOrderId'): string {
  const given = call.given.clientOrderId(name);
  if (given !== undefined) return given;
  const { signed } = call;
  const hash = signed === undefined ? crypto.getRandomValues(new Uint8Array(16)) : signed.hash;
  return Buffer.from(hash).toString('base64url').slice(0, 22);
}

/** Returns a placed order as the client asked for it. */
function placedText(order: OrderRecord, market: Market, type: ResponseType): string {
  const head = `{${headText(order, market)},"transactTime":${order.updatedAt}`;
  if (type === 'ACK') return `${head}}`;
  const result = `${head},${orderFields(order, market)},"workingTime":${order.createdAt}`;
  const end = selfTradePrevention(order);
  return type === 'RESULT' ? `${result},${end}}` : `${result},"fills":[],${end}}`;
}

/** GET /api/v3/order. */
async function queryOrder(call: BinanceCall): Promise<string> {
  const market = call.symbols.read(call.given);
  const find = readOrderName(call);
  call.given.checkAllRead();
  const order = await find();
  if (order === undefined || order.market !== market.index) throw noSuchOrder();
  return orderText(order, market);
}

/** DELETE /api/v3/order. */
async function cancelOrder(call: BinanceCall): Promise<string> {
  const market = call.symbols.read(call.given);
  const newId = readNewClientOrderId(call);
  const find = readOrderName(call);
  call.given.checkAllRead();
  const order = await find();
  if (order === undefined || order.market !== market.index) throw unknownOrder();
  try {
    const canceled = await executeCancel(call, order.id);
    return canceledText(canceled, market, newId);
  } catch (error) {
    const isGone = error instanceof ApiError && error.code.startsWith('ORDER_NOT');
    throw isGone ? unknownOrder() : error;
  }
}

export function canceledText(order: OrderRecord, market: Market, newId: string): string {
  const head = headText(order, market).replace('"clientOrderId"', '"origClientOrderId"');
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
export function readOrderName(call: BinanceCall): () => Promise<OrderRecord | undefined> {
  const { given } = call;
  const orderId = given.integer('orderId');
  const name = given.clientOrderId('origClientOrderId');
  if (orderId === undefined && name === undefined) {
    throw new BinanceError(
      -1102,
      "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!",
    );
  }
  return async () => {
    const order =
      orderId === undefined ? await findByClientId(call, name!) : await findById(call, orderId);
    return order === undefined || name === undefined || clientId(order) === name
      ? order
      : undefined;
  };
}

async function findById(call: BinanceCall, orderId: number): Promise<OrderRecord | undefined> {
  const open = call.exchange.state.openOrder(orderId);
  return open?.account === call.account.index ? open : findOrder(call, orderId);
}

async function findByClientId(call: BinanceCall, name: string): Promise<OrderRecord | undefined> {
  const { archivist, replica } = call.services;
  const filter = { account: call.account.index, clientOrderId: name, limit: 1, descending: true };
  const page = (await archivist.query(
    { kind: 'orders', filter: filter as never },
    replica.position,
  )) as OrderPage;
  if (page.orders.length > 0) return page.orders[0];
  // An order without a client order id is known by its own.
  const order = /^[1-9]\d{0,14}$/.test(name) ? await findById(call, Number(name)) : undefined;
  return order?.clientOrderId === null ? order : undefined;
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
    method: 'GET',
    path: '/api/v3/order',
    operation: 'order.status',
    access: 'read',
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
