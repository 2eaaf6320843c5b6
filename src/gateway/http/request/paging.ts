import type { Page, PageTerms } from '../../../history/history.ts';
import type { Query } from './query.ts';

/** Query parameters of every list, in addition to its filters. */
export const PAGE_PARAMETERS = ['since', 'until', 'limit', 'cursor', 'sort'] as const;

/**
 * Reads the page of a list.
 * @param owner The account, if the list is private.
 * @throws ApiError INVALID_REQUEST
 */
export function readPageTerms(query: Query, list: string, owner?: number): PageTerms {
  const descending = query.isDescending();
  const edge = query.cursor(list, owner);
  return {
    descending,
    limit: query.count('limit'),
    since: query.time('since'),
    until: query.time('until'),
    beforeId: descending ? edge : undefined,
    afterId: descending ? undefined : edge,
  };
}

/**
 * Returns a page of what a query for one row more has found, and the id at which the next page continues; undefined if it is
 * the last one.
 * @param limit Maximum number of items on the page.
 */
export function cutPage<Item>(
  { items, searchedTo }: Page<Item>,
  limit: number,
  readId: (item: Item) => number,
): { readonly page: readonly Item[]; readonly edge: number | undefined } {
  const page = items.slice(0, limit);
  return { page, edge: items.length > page.length ? readId(page.at(-1)!) : searchedTo };
}
