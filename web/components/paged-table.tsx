import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';
import { usePages } from '../trade/history/pages.ts';
import { Notice } from './notice.tsx';
import { type Column, Table } from './table.tsx';

interface PagedTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly isCurrent?: (row: Row) => boolean;
  readonly empty: ComponentChildren;
  readonly fetchPage: (
    cursor: string | undefined,
  ) => Promise<{ readonly rows: readonly Row[]; readonly nextCursor: string | null }>;
}

/** A table that loads its rows page by page. Give it another key to load it from the beginning. */
export function PagedTable<Row>({ fetchPage, empty, ...table }: PagedTableProps<Row>) {
  const { rows, cursor, failure, load } = usePages(fetchPage, table.rowKey);
  const shown = rows.value;
  const problem = failure.value;
  return (
    <>
      {shown === undefined && problem !== undefined ? null : (
        <Table
          {...table}
          rows={shown ?? []}
          empty={
            shown === undefined
              ? t('Loading…')
              : cursor.value === null
                ? empty
                : t('No matches among the newest rows')
          }
        />
      )}
      {problem === undefined ? null : <Notice kind="error">{problem}</Notice>}
      {cursor.value === null && problem === undefined ? null : (
        <div class="panel-foot">
          <button type="button" class="button" onClick={() => void load()}>
            {problem === undefined ? t('Load older rows') : t('Try again')}
          </button>
        </div>
      )}
    </>
  );
}
