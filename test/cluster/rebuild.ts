import { Archive } from '../../src/archivist/archive.ts';
import { GENESIS } from '../../src/archivist/recovery.ts';
import type { StoredMessage } from '../../src/cluster/log/message-stream.ts';
import { StreamState } from '../../src/cluster/log/stream-state.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { History } from '../../src/history/history.ts';
import type { Batch } from '../../src/log/log.ts';

const LARGEST_DIFFERENCE = 5;

/** Rebuilds history from the messages of a stream up to batch `through`, into an empty database. */
export async function rebuild(
  messages: readonly StoredMessage[],
  through: number,
  url: string,
): Promise<void> {
  const history = await History.open(url);
  const recovered = { exchange: new Exchange(), position: GENESIS };
  const batches = toBatches(messages, through);
  const snapshots = { write: () => Promise.resolve() };
  const elapsedMs = () => performance.now();
  await Archive.open({ snapshots, history, elapsedMs }, { recovered, skips: new Set(), batches });
  await history.close();
}

function* toBatches(messages: readonly StoredMessage[], through: number): Generator<Batch> {
  const state = new StreamState();
  for (const message of messages) {
    if (message.sequence > through) return;
    yield state.take(message).batch;
  }
}

/** The last batch that history in a database holds. */
export async function readPosition(url: string): Promise<number> {
  const sql = new Bun.SQL(url, { max: 1 });
  const [row] = await sql`SELECT sequence FROM history.position`;
  await sql.close();
  return Number(row.sequence);
}

/**
 * Returns the differences between two histories, one line per table. How old the detectors' states are depends on when they
 * were stored, not on the log.
 */
export async function differences(one: string, other: string): Promise<string[]> {
  const [mine, theirs] = [new Bun.SQL(one, { max: 1 }), new Bun.SQL(other, { max: 1 })];
  const wrong: string[] = [];
  for (const table of await readTables(theirs)) {
    const readRows = async (sql: Bun.SQL) => {
      const rows = await sql.unsafe(`SELECT t::text AS row FROM history.${table} t ORDER BY 1`);
      return rows.map(({ row }: { row: string }) => row) as string[];
    };
    const [here, there] = await Promise.all([readRows(mine), readRows(theirs)]);
    if (here.join('\n') === there.join('\n')) continue;
    const [hereSet, thereSet] = [new Set(here), new Set(there)];
    const extra = here.filter((row) => !thereSet.has(row)).slice(0, LARGEST_DIFFERENCE);
    const missing = there.filter((row) => !hereSet.has(row)).slice(0, LARGEST_DIFFERENCE);
    wrong.push(
      `history.${table} has ${here.length} rows, a rebuild ${there.length}; ` +
        `not in the rebuild: ${extra.join(' ')}; only there: ${missing.join(' ')}`,
    );
  }
  await Promise.all([mine.close(), theirs.close()]);
  return wrong;
}

async function readTables(sql: Bun.SQL): Promise<string[]> {
  const rows = await sql`SELECT tablename FROM pg_tables 
    WHERE schemaname = 'history' AND tablename <> 'detectors' ORDER BY 1`;
  return rows.map(({ tablename }: { tablename: string }) => tablename);
}
