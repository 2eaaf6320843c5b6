import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, type Row } from '../../src/history/database.ts';
import { History } from '../../src/history/history.ts';

export interface TemporaryHistory {
  readonly url: string;
  readonly history: History;
  /** All rows of a table, in no order, as another connection sees them. */
  rows(table: string): Promise<Row[]>;
}

/** Does `work` with the URL of a database in a directory of its own, which goes with it. */
export async function withTemporaryUrl(
  work: (url: string, path: string) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-history-'));
  try {
    const path = join(directory, 'history.sqlite');
    await work(`sqlite://${path}`, path);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Does `work` with an empty history in a file of its own. */
export function withTemporaryHistory(
  work: (temporary: TemporaryHistory) => Promise<void>,
): Promise<void> {
  return withTemporaryUrl(async (url) => {
    const history = await History.open(url);
    try {
      await work({ url, history, rows: (table) => rowsOf(url, table) });
    } finally {
      await history.close();
    }
  });
}

/** All rows of a table of the database at `url`. */
export async function rowsOf(url: string, table: string): Promise<Row[]> {
  const database = Database.open(url);
  try {
    return await database.query(`SELECT * FROM ${table}`);
  } finally {
    await database.close();
  }
}

/**
 * For properties over databases: nothing there waits, so a timer could not end a search for the
 * smallest failing case, which may be long.
 */
export const LIMITS = { interruptAfterTimeLimit: 50_000, markInterruptAsFailure: true } as const;
/** For the tests around them, milliseconds. */
export const PROPERTY_TIMEOUT_MS = 60_000;
