import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Icon } from '../components/icon.tsx';
import { isPlainClick, type RowCard, ScrollBox, Table } from '../components/table.tsx';
import { t } from '../i18n/index.ts';
import { isNarrow } from '../viewport.ts';

export interface SortedColumn<Row> {
  readonly key: string;
  /** Marked with `msg`; translated here. */
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly numeric?: boolean;
  /** Whether only screen readers get the title, as in a column of buttons. */
  readonly hiddenTitle?: boolean;
  /** The value to sort by; null comes last. Columns without it cannot be sorted. */
  readonly sortBy?: (row: Row) => number | string | null;
}

interface SortedTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly SortedColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly empty: ComponentChildren;
  /** Called on a click on a row, next to which the row has a control that does the same. */
  readonly onOpen?: (row: Row) => void;
  /** The key of the column by which the rows are sorted already, in ascending order. */
  readonly sortedBy?: string;
  /** Maximum rows shown, after sorting. */
  readonly maxRows?: number;
  /** A row on a phone; by default the table is laid out by its class. */
  readonly card?: RowCard<Row>;
  readonly class?: string;
}

type Direction = 'ascending' | 'descending';

/** A table whose rows are sorted by the column that the user chooses; numbers begin with the highest. */
export function SortedTable<Row>(props: SortedTableProps<Row>) {
  const { caption, columns, rows, rowKey, onOpen, empty, card, maxRows = rows.length } = props;
  const sorting = useSignal<{ readonly key: string; readonly direction: Direction } | undefined>(
    props.sortedBy === undefined ? undefined : { key: props.sortedBy, direction: 'ascending' },
  );
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  const { key: sortKey, direction } = sorting.value ?? {};
  const column = columns.find(({ key }) => key === sortKey);
  const sorted = column?.sortBy === undefined ? rows : sortRows(rows, column.sortBy, direction!);
  const shown = sorted.slice(0, maxRows);
  if (card !== undefined && isNarrow.value) return <Table {...props} rows={shown} card={card} />;
  const sort = ({ key, numeric }: SortedColumn<Row>) => {
    const first: Direction = numeric ? 'descending' : 'ascending';
    const other: Direction = numeric ? 'ascending' : 'descending';
    sorting.value = { key, direction: sortKey === key && direction === first ? other : first };
  };
  return (
    <ScrollBox>
      <table class={`table sorted-table ${props.class ?? ''}`}>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((each) => (
              <th
                key={each.key}
                scope="col"
                data-key={each.key}
                class={each.numeric ? 'numeric' : ''}
                aria-sort={each.key === sortKey ? direction : undefined}
              >
                {each.hiddenTitle ? (
                  <span class="visually-hidden">{t(each.title)}</span>
                ) : each.sortBy === undefined ? (
                  t(each.title)
                ) : (
                  <button type="button" class="sort-button" onClick={() => sort(each)}>
                    {t(each.title)}
                    <Icon name={each.key === sortKey ? direction! : 'sort'} class="sort-mark" />
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr
              key={rowKey(row)}
              class={onOpen && 'opens'}
              onClick={onOpen && ((event) => isPlainClick(event) && onOpen(row))}
            >
              {columns.map(({ key, title, cell, numeric, hiddenTitle }) => (
                <td
                  key={key}
                  data-key={key}
                  class={numeric ? 'numeric' : ''}
                  data-title={hiddenTitle ? undefined : t(title)}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function sortRows<Row>(
  rows: readonly Row[],
  read: (row: Row) => number | string | null,
  direction: Direction,
): Row[] {
  const sign = direction === 'ascending' ? 1 : -1;
  return rows.toSorted((first, second) => {
    const [a, b] = [read(first), read(second)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'string') return sign * a.localeCompare(`${b}`);
    return sign * (a - Number(b));
  });
}
