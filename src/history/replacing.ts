import { storedColumns } from './checksum.ts';
import type { Table } from './database.ts';

/** The end of an INSERT whose rows take the place of those that are there; SQLite and PostgreSQL take it. */
export function replacing(table: Table<never>): string {
  const { replaces } = table;
  if (replaces === undefined) return '';
  const others = storedColumns(table).filter((column) => !replaces.includes(column));
  const set = others.map((column) => `${column} = excluded.${column}`).join(', ');
  return ` ON CONFLICT (${replaces.join(', ')}) DO UPDATE SET ${set}`;
}
