import type { Table } from './database.ts';

/** The end of an INSERT whose rows take the place of those that are there; SQLite and PostgreSQL take it. */
export function replacing({ columns, replaces }: Table<never>): string {
  if (replaces === undefined) return '';
  const others = columns.filter((column) => !replaces.includes(column));
  const set = others.map((column) => `${column} = excluded.${column}`).join(', ');
  return ` ON CONFLICT (${replaces.join(', ')}) DO UPDATE SET ${set}`;
}
