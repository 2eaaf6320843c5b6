import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { isNarrow } from '../viewport.ts';
import { useScrollFade } from './scroll-fade.ts';

export interface Column<Row> {
  /** Also the class of its cells, `col-KEY`. */
  readonly key: string;
  /** Marked with `msg`; translated here. */
  readonly title: string;
  /** Shown in place of the title above the column. */
  readonly head?: (rows: readonly Row[]) => ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  /** Right-aligned with tabular digits. */
  readonly numeric?: boolean;
  /** Whether only screen readers get the title, as in a column of buttons. */
  readonly hiddenTitle?: boolean;
}

interface TableProps<Row> {
  /** For screen readers; not shown. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Whether a row is the one that the page is about. */
  readonly isCurrent?: (row: Row) => boolean;
  /** Shown if there are no rows: why, and what to do. */
  readonly empty: ComponentChildren;
  /** Called on a click on a row, next to which the row has a control that does the same. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  /** A row on a phone; by default a card of all columns. */
  readonly card?: RowCard<Row> | undefined;
}

export type RowCard<Row> = (row: Row, columns: readonly Column<Row>[]) => ComponentChildren;

/** A table that scrolls in its box, also by keyboard. On a phone each row is a card. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, isCurrent, onOpen, empty, card } = props;
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  if (card !== undefined && isNarrow.value) {
    return (
      <ScrollBox>
        <ul class="cards" aria-label={caption}>
          {rows.map((row) => (
            <li key={rowKey(row)} aria-current={isCurrent?.(row) ? 'true' : undefined}>
              {card(row, columns)}
            </li>
          ))}
        </ul>
      </ScrollBox>
    );
  }
  return (
    <ScrollBox>
      <table class="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ key, title, head, numeric, hiddenTitle }) => (
              <th key={key} scope="col" class={`col-${key} ${numeric ? 'numeric' : ''}`}>
                {hiddenTitle ? (
                  <span class="visually-hidden">{t(title)}</span>
                ) : (
                  (head?.(rows) ?? t(title))
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              aria-current={isCurrent?.(row) ? 'true' : undefined}
              class={onOpen && 'opens'}
              onClick={onOpen && ((event) => isPlainClick(event) && onOpen(row))}
            >
              {columns.map(({ key, title, cell, numeric, hiddenTitle }) => (
                <td
                  key={key}
                  class={`col-${key} ${numeric ? 'numeric' : ''}`}
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

/** Returns whether a click is neither on a control nor the end of a selection of text. */
export function isPlainClick({ target }: MouseEvent): boolean {
  return (target as Element).closest('button, a') === null && getSelection()?.isCollapsed !== false;
}

/** Scrolls sideways, also by keyboard, and fades where columns are out of view. */
export function ScrollBox({ children }: { children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  useScrollFade(box);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <div class="table-box" tabIndex={0} ref={box}>
      {children}
    </div>
  );
}
