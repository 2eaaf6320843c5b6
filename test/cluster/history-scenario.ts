import fc from 'fast-check';
import { Archive, type ArchiveQuery } from '../../src/archivist/archive.ts';
import { GENESIS, type Recovered } from '../../src/archivist/recovery.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { readSnapshot, writeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { History, type Recorder } from '../../src/history/history.ts';
import { SharedHistory, type SharedHistoryOptions } from '../../src/history/shared-history.ts';
import type { Batch } from '../../src/log/log.ts';
import type { Random } from '../../src/storage/seeded-random.ts';
import { encode } from '../../src/testing/test-exchange.ts';
import { type Applied, flows } from '../history/flow.ts';
import { readRows } from '../history/temporary.ts';

/** A clustered log: batches of commands, and some heartbeats without commands. */
export function randomLog(seed: number, random: Random): Batch[] {
  const samples = fc.sample(flows(), { seed, numRuns: 20 });
  const longest = samples.reduce((a, b) => (b.applied.length > a.applied.length ? b : a));
  const batches: Batch[] = [];
  let time = 0;
  const add = (applied: readonly Applied[], waitMs: number) => {
    time = Math.max(time + waitMs, applied[0]?.time ?? 0);
    const payload = encode(applied.map(({ command }) => command));
    const sequence = batches.length + 1;
    const hash = new Bun.SHA256().update(`${seed} ${sequence}`).digest() as unknown as Uint8Array;
    batches.push({ sequence, time, count: applied.length, payload, hash: hash.slice() });
  };
  for (const applied of Map.groupBy(longest.applied, ({ sequence }) => sequence).values()) {
    add(applied, Math.floor(random() * 400));
    while (random() < 0.3) add([], 250);
  }
  // Closes the chunk of the previous second.
  add([], 1000);
  return batches;
}

const page = { descending: true, limit: 1000 } as const;
const NOW = 1_700_000_000_000;

/** A query of every kind for every account and market. */
export const QUESTIONS: readonly ArchiveQuery[] = [
  ...[0, 1, 2, 3].flatMap((account): ArchiveQuery[] => [
    { kind: 'orders', filter: { account, ...page } },
    { kind: 'orders', filter: { account, descending: false, limit: 5 } },
    {
      kind: 'endedOrders',
      filter: { account, after: { endedIn: 0, id: 0 }, upTo: 1e9, limit: 50 },
    },
    { kind: 'fills', filter: { account, ...page } },
    { kind: 'fills', filter: { account, orderId: account + 3, ...page } },
    { kind: 'entries', filter: { account, ...page } },
    { kind: 'entries', filter: { account, orderId: account + 2, descending: false, limit: 7 } },
    { kind: 'order', account, orderId: account + 1 },
    { kind: 'totals', filter: { account, width: 60_000, limit: 5, now: NOW } },
  ]),
  ...[0, 1, 2].flatMap((market): ArchiveQuery[] => [
    { kind: 'trades', filter: { market, ...page } },
    { kind: 'minuteCandles', market, since: 0 },
    { kind: 'candles', filter: { market, width: 3_600_000, limit: 10, now: NOW } },
  ]),
  { kind: 'audit', filter: { beforeId: 1e9, limit: 1000 } },
];
const NO_SNAPSHOTS = { write: async () => {} };
const options = (history: Recorder) => ({
  snapshots: NO_SNAPSHOTS,
  history,
  elapsedMs: () => 0,
  warn: () => {},
});
const genesis = (): Recovered => ({ exchange: new Exchange(), position: GENESIS });

/** The answers of a single node at each position, and the states to start from. */
export interface Truth {
  readonly answers: readonly unknown[][];
  /** Returns the state after a batch. */
  recovered(sequence: number): Recovered;
}

export async function buildTruth(batches: readonly Batch[]): Promise<Truth> {
  const history = await History.open('sqlite://:memory:');
  const start = { recovered: genesis(), skips: new Set<string>(), batches: [] };
  const archive = await Archive.open(options(history), start);
  const answers: unknown[][] = [await ask(archive)];
  const states = [writeSnapshot(archive.exchange)];
  for (const batch of batches) {
    archive.apply(batch);
    answers.push(await ask(archive));
    states.push(writeSnapshot(archive.exchange));
  }
  await history.close();
  return {
    answers,
    recovered: (sequence) => ({
      exchange: readSnapshot(states[sequence]!),
      position: sequence === 0 ? GENESIS : batches[sequence - 1]!,
    }),
  };
}

async function ask(archive: Archive): Promise<unknown[]> {
  const answers: unknown[] = [];
  // Skips accounts and markets that do not exist yet.
  const { accounts, markets } = archive.exchange.state;
  for (const query of QUESTIONS) {
    const account =
      'account' in query
        ? (query.account ?? 0)
        : 'filter' in query && 'account' in query.filter
          ? (query.filter.account ?? 0)
          : 0;
    const market =
      'market' in query
        ? query.market
        : 'filter' in query && 'market' in query.filter
          ? (query.filter.market ?? 0)
          : 0;
    const isThere = account < accounts.length && market < markets.length;
    answers.push(isThere ? await archive.answer(query) : undefined);
  }
  return structuredClone(answers);
}

/** A node of a cluster: its archive and the batches delivered to it. */
export class HistoryNode {
  /** Positions of the archive when queries were answered. */
  private constructor(
    readonly history: SharedHistory,
    readonly archive: Archive,
    readonly stale: string[],
    readonly warnings: string[],
  ) {}

  /** Starts at the state that `recovered` returns for the store's position, and reads the batches after it. */
  static async open(
    url: string,
    batches: readonly Batch[],
    recoveredAt: (position: number) => Recovered = genesis,
    more: Partial<SharedHistoryOptions> = {},
  ): Promise<HistoryNode> {
    const stale: string[] = [];
    const warnings: string[] = [];
    const history = await SharedHistory.open(url, {
      warn: (message) => warnings.push(message),
      onStale: (reason) => stale.push(reason),
      ...more,
    });
    const recovered = recoveredAt(history.position().sequence);
    const archive = await Archive.open(options(history), {
      recovered,
      skips: new Set(),
      batches: readLater(batches.slice(recovered.position.sequence)),
    });
    return new HistoryNode(history, archive, stale, warnings);
  }

  /** Applies the next batches up to `to`. */
  applyTo(batches: readonly Batch[], to: number): void {
    while (this.archive.position < Math.min(to, batches.length)) {
      this.archive.apply(batches[this.archive.position]!);
    }
  }

  /** Returns the answer and the batch to which it corresponds. */
  async ask(query: ArchiveQuery): Promise<{ answer: unknown; at: number }> {
    let at = this.archive.position;
    const { history } = this;
    const read = history.read.bind(history);
    const asked = Object.assign(Object.create(this.archive), {
      options: {
        ...options(history),
        history: {
          read: <Answer>(work: Parameters<typeof read<Answer>>[0]) =>
            read<Answer>((reader) => {
              at = this.archive.position;
              return work(reader);
            }),
        },
      },
    }) as Archive;
    const answer = await asked.answer(query);
    return { answer, at };
  }
}

/** Reads asynchronously, like a remote log. */
async function* readLater(batches: readonly Batch[]): AsyncIterable<Batch> {
  for (const batch of batches) yield batch;
}

const TABLES = [
  ...['orders', 'fills', 'entries', 'candles', 'audit', 'deposits', 'withdrawals'],
  ...['deposit_changes', 'withdrawal_changes', 'alerts', 'position', 'schema_version'],
];

/** Returns all rows of all tables as sorted texts. */
export async function readTables(url: string): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const table of TABLES) {
    const rows = await readRows(url, table);
    tables[table] = rows
      .map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
      .sort();
  }
  return tables;
}

/** Returns the tables that a single node writes for the batches up to `position`. */
export async function rebuilt(path: string, batches: readonly Batch[], position: number) {
  const url = `sqlite://${path}`;
  const history = await History.open(url);
  const start = {
    recovered: genesis(),
    skips: new Set<string>(),
    batches: batches.slice(0, position),
  };
  await Archive.open(options(history), start);
  await history.close();
  return readTables(url);
}
