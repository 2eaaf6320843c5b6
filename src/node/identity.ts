import type { ObjectSnapshots } from '../archivist/snapshots/object-snapshots.ts';
import { retryTransient } from '../cluster/stream/connection.ts';
import { HistoryUnavailableError } from '../history/errors.ts';
import { openDatabase } from '../history/history.ts';
import * as logger from '../monitoring/logger.ts';
import { retry } from '../monitoring/retry.ts';
import { WrongDataError } from './check-kind.ts';

const RETRY_MS = 1000;
const MAX_POLLS = 10;

/**
 * Checks that a log and a database belong together: both hold the random id of their exchange since its first start. With
 * another exchange's database a node would have no users, and would write history and trim the log wrongly.
 * @throws WrongDataError if they do not
 */
export async function identify(snapshots: ObjectSnapshots, databaseUrl: string): Promise<void> {
  const known = await retryTransient(() => snapshots.exchanges());
  const stored = await readStoredId(databaseUrl, known.length === 0);
  if (known.length === 0) await retryTransient(() => snapshots.noteExchange(stored!));
  const [id, ...others] = known.length === 0 ? await readIds(snapshots) : new Set(known);
  if (id === stored && others.length === 0) return;
  throw new WrongDataError(
    stored === undefined
      ? 'This database has never belonged to the exchange of this log (BUTTONWOOD_LOG_STREAM), whose users and history ' +
          'are in another database. Set BUTTONWOOD_DATABASE to that one, or restore it.'
      : 'This database belongs to another exchange than the log (BUTTONWOOD_LOG_STREAM). Set both to the same exchange, ' +
          'or restore both from one backup.',
  );
}

/** Reads the ids just written. The server may not have them yet, or two of them from nodes that start at once. */
async function readIds(snapshots: ObjectSnapshots): Promise<Set<string>> {
  const ids = await retry(() => retryTransient(() => snapshots.exchanges()), {
    every: RETRY_MS,
    maxAttempts: MAX_POLLS,
    isTransient: () => false,
    isDone: ({ length }) => length > 0,
  });
  return new Set(ids);
}

/** Waits for the database. @returns its exchange's id; if it has none and `creates`, a new one, the same for all nodes */
function readStoredId(url: string, creates: boolean): Promise<string | undefined> {
  const read = async () => {
    const database = openDatabase(url);
    try {
      // Migrations run on one node at a time.
      await database.migration(async (statements) => {
        await statements.run('CREATE TABLE IF NOT EXISTS exchange (id TEXT NOT NULL)');
        if (!creates || (await statements.query('SELECT id FROM exchange')).length > 0) return;
        await statements.run('INSERT INTO exchange (id) VALUES ($1)', crypto.randomUUID());
      });
      const [row] = await database.query('SELECT id FROM exchange');
      return row === undefined ? undefined : String(row.id);
    } finally {
      await database.close();
    }
  };
  return retry(read, {
    every: RETRY_MS,
    isTransient: (error) => error instanceof HistoryUnavailableError,
    onRetry: ({ message }, attempt) => {
      if (attempt === 0) logger.warn(`${message} This node waits for it before it serves.`);
    },
  });
}
