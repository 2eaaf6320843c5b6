import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';
import { Notice } from './notice.tsx';
import { type Column, type RowCard, Table } from './table.tsx';
import { announceError } from './toast.tsx';

export interface PageListProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly isCurrent?: (row: Row) => boolean;
  readonly onOpen?: (row: Row) => void;
  readonly card?: RowCard<Row>;
  /** Undefined until loaded. */
  readonly rows: readonly Row[] | undefined;
  /** Shown if there are no rows. */
  readonly empty: ComponentChildren;
  /** Cursor of the next page; null after the last one. */
  readonly cursor: string | null;
  /** Loads the next page, or repeats the last request if it failed. */
  readonly load: () => Promise<void>;
  /** Why the last request failed. */
  readonly failure?: string | undefined;
}

/** A table whose older rows are loaded page by page. */
export function PageList<Row>({
  rows,
  empty,
  cursor,
  load,
  failure,
  ...table
}: PageListProps<Row>) {
  const isMissing = rows === undefined && failure !== undefined;
  const whenEmpty = cursor === null ? empty : t('Nothing matches among the newest rows.');
  return (
    <>
      {isMissing ? null : (
        <Table
          {...table}
          rows={rows ?? []}
          empty={rows === undefined ? t('Loading…') : whenEmpty}
        />
      )}
      {failure === undefined ? null : <Notice kind="error">{failure}</Notice>}
      {cursor === null && failure === undefined ? null : (
        <p class="more">
          <button type="button" class="button small" onClick={() => load().catch(announceError)}>
            {failure === undefined ? t('Load more') : t('Try again')}
          </button>
        </p>
      )}
    </>
  );
}
