import type { OrderRecord } from '../../../engine/event.ts';
import { NONE } from '../../../engine/terms.ts';
import type { OrderPage } from '../../../history/history.ts';
import { findOrder } from '../../endpoints/orders/orders.ts';
import type { BinanceCall } from '../call.ts';
import { queryHistory } from '../history-page.ts';
import { findFirstId, type OrderNames, orderNames, readListNames } from './order-names.ts';
import { findPending, listOpenOrders } from './pending-orders.ts';

/** Returns one of the account's orders: open, pending in a list, or final. */
export async function findById(
  call: BinanceCall,
  orderId: number,
): Promise<OrderRecord | undefined> {
  const { account, exchange } = call;
  const open = exchange.state.openOrder(orderId);
  if (open?.account === account.index) return open;
  return findPending(exchange.state, account, orderId) ?? findOrder(call, orderId);
}

/** Returns those of the account's orders that have these ids, like `findById`. */
export async function findAllById(
  call: BinanceCall,
  orderIds: Iterable<number>,
): Promise<Map<number, OrderRecord>> {
  const { account, exchange } = call;
  const found = new Map<number, OrderRecord>();
  const ended: number[] = [];
  for (const id of orderIds) {
    const open = exchange.state.openOrder(id);
    const order = open?.account === account.index ? open : findPending(exchange.state, account, id);
    if (order === undefined) ended.push(id);
    else found.set(id, order);
  }
  for (let start = 0; start < ended.length; start += MAX_IDS) {
    const orderIds = ended.slice(start, start + MAX_IDS);
    const query = { kind: 'ordersById', account: account.index, orderIds } as const;
    for (const order of await queryHistory<OrderRecord[]>(call, query)) found.set(order.id, order);
  }
  return found;
}

/** Maximum orders that one query of history finds. */
const MAX_IDS = 1000;

/** Returns the account's last order with a client order id. Orders of lists are found by theirs while they are open. */
export async function findByClientId(
  call: BinanceCall,
  name: string,
): Promise<OrderRecord | undefined> {
  const named = await findExact(call, name);
  if (named !== undefined) return named;
  const listed = await findListed(call, name);
  if (listed !== undefined) return listed;
  // An order without a client order id is known by its own.
  const order = /^[1-9]\d{0,14}$/.test(name) ? await findById(call, Number(name)) : undefined;
  if (order === undefined) return undefined;
  return (await resolveNames(call, [order]))(order).clientOrderId === name ? order : undefined;
}

/** Returns the account's last order whose client order id the exchange has in this form. */
export async function findExact(
  call: BinanceCall,
  clientOrderId: string,
): Promise<OrderRecord | undefined> {
  const { archivist, replica } = call.services;
  const filter = { account: call.account.index, clientOrderId, limit: 1, descending: true };
  const query = { kind: 'orders', filter: { ...filter, beforeId: undefined } } as never;
  return ((await archivist.query(query, replica.position)) as OrderPage).orders[0];
}

async function findListed(call: BinanceCall, name: string): Promise<OrderRecord | undefined> {
  const open = listOpenOrders(call.exchange.state, call.account);
  const listed = open.filter(
    (order) => order.clientOrderId === null || readListNames(order) !== undefined,
  );
  const names = await resolveNames(call, listed);
  return listed.find((order) => names(order).clientOrderId === name);
}

/** Returns the names of orders. The first orders of their lists are looked up where they are not among them. */
export async function resolveNames(
  call: BinanceCall,
  orders: readonly OrderRecord[],
): Promise<(order: OrderRecord) => OrderNames> {
  const firsts = new Map<number, OrderRecord>();
  for (const order of orders) {
    if (readListNames(order) !== undefined) firsts.set(order.id, order);
  }
  const missing = new Set<number>();
  for (const order of orders) {
    const id = findFirstId(order);
    if (id !== undefined && !firsts.has(id)) missing.add(id);
  }
  for (const [id, order] of await findAllById(call, missing)) firsts.set(id, order);
  return (order) => orderNames(order, firsts.get(findFirstId(order) ?? NONE));
}
