import type { OrderRecord } from '../../../engine/event.ts';

/**
 * The client order ids of an order list: Binance has one for the list and one for each order, the exchange one for all of
 * them. The dialect joins them to the one of the exchange, which so recognizes a repeated request.
 */
export interface ListNames {
  /** One cancels the other, or one triggers the other (or an OCO order). */
  readonly kind: 'OCO' | 'OTO';
  readonly list: string;
  /**
   * The names of the orders, whose ids are consecutive: the take profit and the stop, before them the working order if
   * there is one. Empty for an order that is named by its order id.
   */
  readonly orders: readonly string[];
}

/** Client order ids have none of it. */
const SEPARATOR = '~';
const KINDS = ['OCO', 'OTO'] as const;

export function joinNames({ kind, list, orders }: ListNames): string {
  return [kind.toLowerCase(), list, ...orders].join(SEPARATOR);
}

/**
 * Returns the names of the list that an order is the first of; undefined if there is none. An OCO or bracket order of the
 * native API has the name of its first order.
 */
export function readListNames(first: OrderRecord): ListNames | undefined {
  const { id, clientOrderId, attached, ocoId = 0, parentId } = first;
  const [prefix, list, ...orders] = clientOrderId?.split(SEPARATOR) ?? [];
  const kind = KINDS.find((each) => each.toLowerCase() === prefix);
  if (kind !== undefined && orders.length > 1) return { kind, list: list!, orders };
  const own = clientOrderId ?? '';
  if (ocoId > id && parentId === 0) {
    return { kind: 'OCO', list: own || String(id), orders: [own, ''] };
  }
  if (attached === null || attached.firstOrderId === undefined) return undefined;
  const { takeProfit, stopLoss, oto } = attached;
  const legs = [takeProfit, stopLoss, oto?.order ?? null].filter((leg) => leg !== null);
  return { kind: 'OTO', list: own || String(id), orders: [own, ...legs.map(() => '')] };
}

/** The names of an order in the dialect. */
export interface OrderNames {
  readonly clientOrderId: string;
  /** The id of the first order of its list; -1 for none. */
  readonly orderListId: number;
}

/** Returns an order's names. @param first The order with the id that `findFirstId` returns, if there is one. */
export function orderNames(order: OrderRecord, first?: OrderRecord): OrderNames {
  const { id, clientOrderId, account } = order;
  const own = readListNames(order);
  if (own !== undefined) return { clientOrderId: own.orders[0] || String(id), orderListId: id };
  const isOther = first !== undefined && first.account === account && first.id < id;
  const name = isOther ? readListNames(first)?.orders[id - first.id] : undefined;
  return name === undefined
    ? { clientOrderId: clientOrderId ?? String(id), orderListId: -1 }
    : { clientOrderId: name || String(id), orderListId: first!.id };
}

/** Returns the id of the first order of the list that this order is a later one of; undefined if there is none. */
export function findFirstId({ id, parentId, ocoId }: OrderRecord): number | undefined {
  if (parentId !== 0) return parentId;
  return ocoId !== undefined && ocoId < id ? ocoId : undefined;
}
