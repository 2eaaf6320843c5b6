import type { Dict, Exchange } from 'ccxt';

/** Maximum rows of a page. */
export const MAX_PAGE = 1000;
/** Maximum requests of a call with `paginate`, as in CCXT. */
const DEFAULT_CALLS = 10;

/** Bounds of a call with `paginate`. */
export interface Pagination {
  readonly calls: number;
  /** Rows per call. */
  readonly rows: number;
}

/**
 * Splits CCXT's pagination parameters from the others: `paginate`, `paginationCalls` (also in `options`) and
 * `maxEntriesPerRequest`. The direction follows from `since`: forward from there, else backward from the latest row.
 */
export function readPagination(
  exchange: Exchange,
  params: Dict,
): { readonly pages: Pagination | undefined; readonly rest: Dict } {
  const { paginate, paginationCalls, paginationDirection, maxEntriesPerRequest, ...rest } = params;
  if (paginate !== true) return { pages: undefined, rest };
  const calls = Number(paginationCalls ?? exchange.options.paginationCalls ?? DEFAULT_CALLS);
  return { pages: { calls, rows: Math.min(maxEntriesPerRequest ?? MAX_PAGE, MAX_PAGE) }, rest };
}
