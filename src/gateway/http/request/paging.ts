import type { PageTerms } from '../../../history/history.ts';
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
