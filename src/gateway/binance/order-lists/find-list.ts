import type { BinanceCall } from '../call.ts';
import { findAllById, findExact } from '../orders/find-order.ts';
import { findFirstId, joinNames, type ListNames, readListNames } from '../orders/order-names.ts';
import { isOpenOrPending, listName, type OrderList } from './list-text.ts';

/** Returns the list whose first order has this id. */
export async function findList(call: BinanceCall, id: number): Promise<OrderList | undefined> {
  return (await findLists(call, [id]))[0];
}

/** Returns the lists whose first orders have these ids. Ids of other orders are ignored. */
export async function findLists(call: BinanceCall, ids: readonly number[]): Promise<OrderList[]> {
  const orders = await findAllById(call, ids);
  const others = new Map<number, number[]>();
  for (const [id, order] of orders) {
    const names = readListNames(order);
    if (names !== undefined)
      others.set(
        id,
        names.orders.slice(1).map((_, place) => id + 1 + place),
      );
  }
  const found = await findAllById(call, [...others.values()].flat());
  return ids.flatMap((id) => {
    const members = others.get(id)?.map((each) => found.get(each)) ?? [];
    const known = members.filter((order) => order !== undefined);
    const isWhole = known.length > 0 && known.length === members.length;
    return isWhole ? [[orders.get(id)!, ...known]] : [];
  });
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
  return (await findLists(call, sorted)).filter((list) => list.some(isOpenOrPending));
}
