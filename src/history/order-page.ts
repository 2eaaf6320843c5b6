import type { OrderRecord } from '../engine/event.ts';
import type { Side } from '../engine/terms.ts';
import { allows, type PageTerms, withOthers } from './id-search.ts';

/** Which orders of one account are asked for, by the time when they were placed. */
export interface OrderFilter extends PageTerms {
  readonly account: number;
  readonly market?: number | undefined;
  readonly side?: Side | undefined;
  readonly statuses?: readonly number[] | undefined;
  readonly clientOrderId?: string | undefined;
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
  const { market, side, statuses, clientOrderId } = filter;
  return (
    order.account === filter.account &&
    (market === undefined || order.market === market) &&
    (side === undefined || order.side === side) &&
    (statuses === undefined || statuses.includes(order.status)) &&
    (clientOrderId === undefined || order.clientOrderId === clientOrderId) &&
    allows(filter, order.id, order.createdAt)
  );
}

/**
 * The page with those of `others` that belong into it: they match the filter and none of them is
 * in it yet.
 */
export function withOrders(
  page: OrderPage,
  others: readonly OrderRecord[],
  terms: Pick<OrderFilter, 'descending' | 'limit'>,
): OrderPage {
  const { orders: items, searchedTo } = page;
  const all = withOthers({ items, searchedTo }, others, ({ id }) => id, terms);
  return { orders: all.items, searchedTo: all.searchedTo };
}
