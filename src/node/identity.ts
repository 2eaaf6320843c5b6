import type { ObjectSnapshots } from '../archivist/snapshots/object-snapshots.ts';
import { retryTransient } from '../cluster/stream/connection.ts';
import { HistoryUnavailableError } from '../history/errors.ts';
import { PostgresDatabase } from '../history/postgres-database.ts';
import * as logger from '../monitoring/logger.ts';
import { WrongDataError } from './check-kind.ts';

const RETRY_MS = 1000;
const MOST_LOOKS = 10;

/**
 * Sees that a log and a database belong together: both know the name of their exchange, a random one, from the first
 * start on. A node that took another database would find no people there, and write and trim by another history.
 * @throws WrongDataError where they do not
 */
export async function identify(snapshots: ObjectSnapshots, databaseUrl: string): Promise<void> {
  const known = await retryTransient(() => snapshots.exchanges());
  const stored = await inDatabase(databaseUrl, known.length === 0);
  if (known.length === 0) await retryTransient(() => snapshots.noteExchange(stored!));
  const [named, ...others] = known.length === 0 ? await namesNow(snapshots) : new Set(known);
  if (named === stored && others.length === 0) return;
  throw new WrongDataError(
    stored === undefined
      ? 'This database has never belonged to the exchange whose log this is (BUTTONWOOD_LOG_STREAM): its people and its history ' +
          'are in another one. Name that one in BUTTONWOOD_DATABASE, or restore it.'
      : 'This database belongs to another exchange than the log (BUTTONWOOD_LOG_STREAM): name those that belong together, ' +
          'or restore both from one backup.',
  );
}

/** What has just been noted: the server that is asked may not have it yet, or have it twice, from nodes that begin at once. */
async function namesNow(snapshots: ObjectSnapshots): Promise<Set<string>> {
  for (let looks = 1; ; looks++) {
    const names = await retryTransient(() => snapshots.exchanges());
    if (names.length > 0 || looks === MOST_LOOKS) return new Set(names);
    await Bun.sleep(RETRY_MS);
  }
}

/** The name that the database knows; where it has none and `makes`, it gets one, the same for all who ask at once. */
async function inDatabase(url: string, makes: boolean): Promise<string | undefined> {
  for (let isFirst = true; ; isFirst = false) {
    const database = new PostgresDatabase(url);
    try {
      // One node at a time, as with all that makes tables.
      await database.migration(async (statements) => {
        await statements.run('CREATE TABLE IF NOT EXISTS exchange (id TEXT NOT NULL)');
        if (!makes || (await statements.query('SELECT id FROM exchange')).length > 0) return;
        await statements.run('INSERT INTO exchange (id) VALUES ($1)', crypto.randomUUID());
      });
      const [row] = await database.query('SELECT id FROM exchange');
      return row === undefined ? undefined : String(row.id);
    } catch (error) {
      if (!(error instanceof HistoryUnavailableError)) throw error;
      if (isFirst) logger.warn(`${error.message} This node waits for it before it serves.`);
      await Bun.sleep(RETRY_MS);
    } finally {
      await database.close();
    }
  }
}
