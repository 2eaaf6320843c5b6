import { PageList, type PageListProps } from './page-list.tsx';
import { type Page, usePages } from './pages.ts';

interface PagedTableProps<Row>
  extends Omit<PageListProps<Row>, 'rows' | 'cursor' | 'load' | 'failure'> {
  readonly fetchPage: (cursor: string | undefined) => Promise<Page<Row>>;
}

/** A table that loads its rows page by page. Give it another key to load it from the beginning. */
export function PagedTable<Row>({ fetchPage, ...list }: PagedTableProps<Row>) {
  const { rows, cursor, failure, load } = usePages(fetchPage, list.rowKey);
  return (
    <PageList
      {...list}
      rows={rows.value}
      cursor={cursor.value}
      load={load}
      failure={failure.value}
    />
  );
}
