import type { OrderRecord } from '../../engine/event.ts';
import type { Side } from '../../engine/terms.ts';
import { allows, mergePage, type PageTerms } from './id-search.ts';

/** A query for orders of one account, in the order of placing. */
export interface OrderFilter extends PageTerms {
  readonly account: number;
  readonly market?: number | undefined;
  readonly side?: Side | undefined;
  readonly statuses?: readonly number[] | undefined;
  readonly clientOrderId?: string | undefined;
}

export interface OrderPage {
  /** In the requested order. */
  readonly orders: OrderRecord[];
  /**
   * Set if the search stopped before the page was full, because it skipped too many orders: the page has all matches up
   * to this id, and the next page starts there.
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
 * Merges other orders into a page.
 * @param others Orders that match the filter and are not in the page.
 */
export function mergeOrders(
  page: OrderPage,
  others: readonly OrderRecord[],
  terms: Pick<OrderFilter, 'descending' | 'limit'>,
): OrderPage {
  const { orders: items, searchedTo } = page;
  const all = mergePage({ items, searchedTo }, others, ({ id }) => id, terms);
  return { orders: all.items, searchedTo: all.searchedTo };
}
