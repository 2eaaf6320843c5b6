import { useEffect, useMemo, useRef } from 'preact/hooks';
import { createPages, type LiveRows, type Page, type Pages } from './page-loader.ts';

export type { Page, Pages } from './page-loader.ts';

/**
 * Loads a list page by page, the first one when the component mounts. Rows are in the order of the pages.
 *
 * @param live Only for `change`
 */
export function usePages<Row>(
  fetchPage: (cursor: string | undefined) => Promise<Page<Row>>,
  readKey: (row: Row) => string,
  live?: LiveRows<Row>,
): Pages<Row> {
  const latest = useRef(fetchPage);
  latest.current = fetchPage;
  const pages = useMemo(() => createPages((cursor) => latest.current(cursor), readKey, live), []);
  useEffect(() => void pages.load(), []);
  return pages;
}
