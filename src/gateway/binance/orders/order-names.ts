import type { OrderRecord } from '../../../engine/event.ts';
import { OrderType } from '../../../engine/terms.ts';

/**
 * The client order ids of an OCO order: Binance has one for the list and one for each order, the exchange one for both.
 * The dialect joins the three to the one of the exchange, which so recognizes a repeated request.
 */
export interface ListNames {
  readonly list: string;
  /** The name of the take-profit order, which has the lower id; empty if it is named by its order id. */
  readonly first: string;
  /** The name of the stop, in the same way. */
  readonly second: string;
}

/** Client order ids have none of it. */
const SEPARATOR = '~';
const KIND = 'oco';

export function joinNames({ list, first, second }: ListNames): string {
  return [KIND, list, first, second].join(SEPARATOR);
}

/** Returns the names of the list whose first order has this client order id; undefined if it is not of a list. */
export function readListNames(clientOrderId: string | null): ListNames | undefined {
  const [kind, list, first, second] = clientOrderId?.split(SEPARATOR) ?? [];
  return kind === KIND && second !== undefined ? { list: list!, first: first!, second } : undefined;
}

/** The names of an order in the dialect. */
export interface OrderNames {
  readonly clientOrderId: string;
  /** The id of the first order of its list; -1 for none. */
  readonly orderListId: number;
}

/** Returns an order's names. @param first The order before it, if it may be the first of its list. */
export function orderNames(order: OrderRecord, first?: OrderRecord): OrderNames {
  const { id, clientOrderId, account } = order;
  const own = readListNames(clientOrderId);
  if (own !== undefined) return { clientOrderId: own.first || String(id), orderListId: id };
  const isSecond = mayBeSecond(order) && first?.id === id - 1 && first.account === account;
  const list = isSecond ? readListNames(first.clientOrderId) : undefined;
  return list === undefined
    ? { clientOrderId: clientOrderId ?? String(id), orderListId: -1 }
    : { clientOrderId: list.second || String(id), orderListId: first!.id };
}

/** Returns whether an order may be the second of a list, which is only known from the order before it. */
export function mayBeSecond({ clientOrderId, type, parentId }: OrderRecord): boolean {
  return clientOrderId === null && type >= OrderType.stop && parentId === 0;
}
