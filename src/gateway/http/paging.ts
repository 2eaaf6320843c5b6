import type { PageTerms } from '../../history/history.ts';
import type { Query } from './query.ts';

/** What every list takes, beside what it filters by. */
export const PAGE_PARAMETERS = ['since', 'until', 'limit', 'cursor', 'sort'] as const;

/**
 * The page that a query asks for. @param owner The account, of a list that is one's own.
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
