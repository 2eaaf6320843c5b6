import { storedColumns } from './checksum.ts';
import type { Table } from './database.ts';

/** Returns the clause that makes an INSERT replace existing rows, in SQLite and PostgreSQL; empty if they must be new. */
export function conflictClause(table: Table<never>): string {
  const { replaces } = table;
  if (replaces === undefined) return '';
  const others = storedColumns(table).filter((column) => !replaces.includes(column));
  const set = others.map((column) => `${column} = excluded.${column}`).join(', ');
  return ` ON CONFLICT (${replaces.join(', ')}) DO UPDATE SET ${set}`;
}
