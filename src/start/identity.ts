import { SQL } from 'bun';
import { patiently } from '../cluster/connection.ts';
import { HistoryUnavailableError } from '../history/errors.ts';
import { postgresError, refused } from '../history/postgres-errors.ts';
import * as journal from '../journal.ts';
import type { ObjectSnapshots } from '../replica/object-snapshots.ts';
import { WrongDataError } from './check-kind.ts';

const RETRY_MS = 1000;
const UNIQUE_VIOLATION = '23505';

/**
 * Sees that a log and a database belong together: both know the name of their exchange, a random one, from the first
 * start on. A node that took another database would find no people there, and write and trim by another history.
 * @throws WrongDataError where they do not
 */
export async function identify(snapshots: ObjectSnapshots, databaseUrl: string): Promise<void> {
  const known = await patiently(() => snapshots.exchanges());
  const stored = await inDatabase(databaseUrl, known.length === 0);
  if (known.length === 0) await patiently(() => snapshots.noteExchange(stored!));
  const [named, ...others] =
    known.length === 0 ? await patiently(() => snapshots.exchanges()) : known;
  if (named === stored && others.length === 0) return;
  throw new WrongDataError(
    stored === undefined
      ? 'This database has never belonged to the exchange whose log this is (BUTTONWOOD_LOG_STREAM): its people and its history ' +
          'are in another one. Name that one in BUTTONWOOD_DATABASE, or restore it.'
      : 'This database belongs to another exchange than the log (BUTTONWOOD_LOG_STREAM): name those that belong together, ' +
          'or restore both from one backup.',
  );
}

/** The name that the database knows; where it has none and `makes`, it gets one, the same for all who ask at once. */
async function inDatabase(url: string, makes: boolean): Promise<string | undefined> {
  for (let isFirst = true; ; isFirst = false) {
    const sql = new SQL(url, { max: 1 });
    try {
      await sql`CREATE TABLE IF NOT EXISTS exchange (only_one BOOLEAN PRIMARY KEY CHECK (only_one), id TEXT NOT NULL)`;
      if (makes) {
        const id = crypto.randomUUID();
        await sql`INSERT INTO exchange (only_one, id) VALUES (true, ${id}) ON CONFLICT DO NOTHING`;
      }
      const [row] = await sql`SELECT id FROM exchange`;
      return row === undefined ? undefined : String(row.id);
    } catch (error) {
      // Of nodes that make a table at once all but one may be told that it is there.
      const isRace = error instanceof SQL.PostgresError && error.errno === UNIQUE_VIOLATION;
      const known = isRace ? undefined : postgresError(error);
      if (known !== undefined && !(known instanceof HistoryUnavailableError)) {
        throw refused(known, url);
      }
      if (known !== undefined && isFirst) {
        journal.warn(`${known.message} This node waits for it before it serves.`);
      }
      await Bun.sleep(RETRY_MS);
    } finally {
      await sql.close();
    }
  }
}
