import type { OrderRecord } from '../engine/event.ts';
import type { Side } from '../engine/terms.ts';

/** Which orders of one account are asked for. What is left out, or undefined, excludes none. */
export interface OrderFilter {
  readonly account: number;
  readonly market?: number | undefined;
  readonly side?: Side | undefined;
  readonly statuses?: readonly number[] | undefined;
  readonly clientOrderId?: string | undefined;
  /** When it was placed, milliseconds since 1970, both ends included. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Where a page goes on: only orders below, or above, this id. */
  readonly beforeId?: number | undefined;
  readonly afterId?: number | undefined;
  /** The highest id first. */
  readonly descending: boolean;
  /** At most this many, from 1. */
  readonly limit: number;
}

export interface OrderPage {
  /** In the order asked for. */
  readonly orders: OrderRecord[];
  /**
   * Set where the search was given up before the page was full, because too many orders had to be
   * passed over: all that match up to this id are in the page, and the next page begins there.
   */
  readonly searchedTo: number | undefined;
}

export function matches(order: OrderRecord, filter: OrderFilter): boolean {
  const { market, side, statuses, clientOrderId, since, until, beforeId, afterId } = filter;
  return (
    order.account === filter.account &&
    (market === undefined || order.market === market) &&
    (side === undefined || order.side === side) &&
    (statuses === undefined || statuses.includes(order.status)) &&
    (clientOrderId === undefined || order.clientOrderId === clientOrderId) &&
    (since === undefined || order.createdAt >= since) &&
    (until === undefined || order.createdAt <= until) &&
    (beforeId === undefined || order.id < beforeId) &&
    (afterId === undefined || order.id > afterId)
  );
}

/**
 * The page with those of `others` that belong into it: they match the filter and none of them is
 * in it yet.
 */
export function withOrders(
  page: OrderPage,
  others: readonly OrderRecord[],
  { descending, limit }: Pick<OrderFilter, 'descending' | 'limit'>,
): OrderPage {
  const { searchedTo } = page;
  const direction = descending ? -1 : 1;
  const isBeyond = ({ id }: OrderRecord) =>
    searchedTo !== undefined && direction * (id - searchedTo) > 0;
  const orders = [...page.orders, ...others.filter((order) => !isBeyond(order))]
    .sort((a, b) => direction * (a.id - b.id))
    .slice(0, limit);
  return { orders, searchedTo: orders.length === limit ? undefined : searchedTo };
}
