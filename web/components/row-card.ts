import type { ComponentChildren } from 'preact';
import type { Column } from './table.tsx';

/** Returns a function that reads the cells of a row by the keys of their columns, for a card of the row. */
export function readCells<Row>(
  row: Row,
  columns: readonly Column<Row>[],
): (key: string) => ComponentChildren {
  return (key) => columns.find((column) => column.key === key)?.cell(row);
}
