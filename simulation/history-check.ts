import { Database } from 'bun:sqlite';
import { openFileArchive } from '../src/archivist/file-archive.ts';
import { SnapshotStore } from '../src/archivist/snapshots/snapshots.ts';
import { History } from '../src/history/history.ts';
import type { Batch } from '../src/log/log.ts';
import { SimulatedStorage } from '../src/testing/simulated-storage.ts';
import type { NaiveState } from '../test/reference/naive-state.ts';
import { type ExpectedHistory, recorded, transferTexts } from './expected-history.ts';
import { checkSame } from './failure.ts';
import type { HistoryFiles } from './history-files.ts';

/**
 * Checks that a history which holds the whole log has the expected rows, and equals one rebuilt from
 * the log alone, row by row.
 */
export async function checkHistory(
  files: HistoryFiles,
  batches: readonly Batch[],
  happened: ExpectedHistory,
  state: NaiveState,
): Promise<void> {
  checkRows(files.path, happened, transferTexts(state));
  await files.settle();
  const path = files.otherPath;
  const history = await History.open(`sqlite://${path}`);
  try {
    const storage = new SimulatedStorage();
    await storage.makeDirectory('/snapshots');
    await openFileArchive({
      log: { read: (after) => batches.filter(({ sequence }) => sequence > after) },
      snapshots: new SnapshotStore(storage, '/snapshots'),
      history,
      elapsedMs: () => 0,
    });
    await history.settle(true);
    checkSame(
      readTables(files.path),
      readTables(path),
      'history differs from one rebuilt from the log',
    );
  } finally {
    await history.close();
    files.forget(path);
  }
}

function checkRows(
  path: string,
  { fills, entries, orders }: ExpectedHistory,
  transfers: readonly string[],
): void {
  const happened = { fills, entries, orders, transfers };
  const database = new Database(path, { readonly: true });
  try {
    for (const name of ['fills', 'entries', 'orders', 'transfers'] as const) {
      const rows = database.query(recorded[name]).values();
      const texts = rows.map((row) => row.join(' ')).sort();
      checkSame(
        texts,
        happened[name].toSorted(),
        `the ${name} of history are not the expected ones`,
      );
    }
  } finally {
    database.close();
  }
}

/** Returns all rows of all tables, sorted. */
function readTables(path: string): Record<string, unknown[]> {
  const database = new Database(path, { readonly: true });
  try {
    const names = database
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
      )
      .all();
    return Object.fromEntries(
      names.map(({ name }) => {
        const rows = database.query(`SELECT * FROM ${name}`).values();
        return [name, rows.map((row) => JSON.stringify(row)).sort()];
      }),
    );
  } finally {
    database.close();
  }
}
