import { type Database, isPostgres } from './database.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { SqliteDatabase } from './sqlite-database.ts';

/**
 * Opens history's database.
 * @param url `sqlite://PATH` (created if it does not exist), `sqlite://:memory:` or `postgres://…`
 * @throws HistoryUnreadableError
 */
export function openDatabase(url: string): Database {
  if (url.startsWith('sqlite:')) return SqliteDatabase.open(url);
  if (isPostgres(url)) return new PostgresDatabase(url);
  throw new Error(
    `The history database must be sqlite://PATH or postgres://…, not ${url.split(':')[0]}:`,
  );
}
