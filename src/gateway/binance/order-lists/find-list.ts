import type { BinanceCall } from '../call.ts';
import { findById, findExact } from '../orders/find-order.ts';
import { findFirstId, joinNames, type ListNames, readListNames } from '../orders/order-names.ts';
import { isOpenOrPending, listName, type OrderList } from './list-text.ts';

/** Returns the list whose first order has this id. */
export async function findList(call: BinanceCall, id: number): Promise<OrderList | undefined> {
  const first = await findById(call, id);
  const names = first === undefined ? undefined : readListNames(first);
  if (first === undefined || names === undefined) return undefined;
  const ids = names.orders.slice(1).map((_, place) => id + 1 + place);
  const others = await Promise.all(ids.map((each) => findById(call, each)));
  const known = others.filter((order) => order !== undefined);
  return known.length === others.length ? [first, ...known] : undefined;
}

/** Returns the open list of that name, or the last one that names no orders of its own. */
export async function findListByName(
  call: BinanceCall,
  name: string,
): Promise<OrderList | undefined> {
  const open = (await listOpenLists(call)).find((list) => listName(list) === name);
  if (open !== undefined) return open;
  const unnamed = (kind: ListNames['kind'], count: number) =>
    joinNames({ kind, list: name, orders: Array<string>(count).fill('') });
  for (const id of [unnamed('OCO', 2), unnamed('OTO', 2), unnamed('OTO', 3), name]) {
    const first = await findExact(call, id);
    const list = first === undefined ? undefined : await findList(call, first.id);
    if (list !== undefined) return list;
  }
  return undefined;
}

/** Returns the account's lists with an order that is open or pending, the oldest first. */
export async function listOpenLists(call: BinanceCall): Promise<OrderList[]> {
  const ids = new Set<number>();
  for (const order of call.exchange.state.accountOpenOrders(call.account)) {
    const id = readListNames(order) === undefined ? findFirstId(order) : order.id;
    if (id !== undefined) ids.add(id);
  }
  const sorted = [...ids].sort((a, b) => a - b);
  const found = await Promise.all(sorted.map((id) => findList(call, id)));
  return found.filter((list) => list !== undefined).filter((list) => list.some(isOpenOrPending));
}
