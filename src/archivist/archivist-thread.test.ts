import { afterAll, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Batch } from '../log/log.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { appendBatch, command, GENESIS_COMMANDS } from '../testing/test-exchange.ts';
import type { Archive, ArchiveQuery } from './archive.ts';
import { ArchivistThread } from './archivist-thread.ts';
import { type FromWorker, Progress } from './messages.ts';

const parent = mkdtempSync(join(tmpdir(), 'buttonwood-archivist-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** Enough batches to give both accounts a ledger of many pages. */
const BATCHES = 300;
const COMMANDS_PER_BATCH = 40;
const log = new MemoryLog();
await appendBatch(log, 1000, GENESIS_COMMANDS);
for (let n = 0; n < BATCHES + 50; n++) {
  const first = n * COMMANDS_PER_BATCH;
  const commands = Array.from({ length: COMMANDS_PER_BATCH }, (_, i) => command(first + i));
  await appendBatch(log, 2000 + n, commands);
}
const batches = [...log.read(0)];

const page = { descending: true, limit: 1000 } as const;
const totals = (account: number): ArchiveQuery => {
  return { kind: 'totals', filter: { account, width: 1000, limit: 3, now: 3000 } };
};
const fills = (account: number): ArchiveQuery => ({ kind: 'fills', filter: { account, ...page } });
const window: ArchiveQuery = { kind: 'totalCandle', market: 0, from: 0, to: 60_000 };
const trades: ArchiveQuery = { kind: 'trades', filter: { market: 0, ...page } };

/** The archivist's work without a thread of its own; the test acts as the serving thread. */
class Thread {
  readonly progress = new Float64Array(Object.keys(Progress).length);
  readonly answered: number[] = [];
  private readonly messages: FromWorker[] = [];
  private waiting: (() => void) | undefined;
  private readonly thread = new ArchivistThread((message) => {
    this.messages.push(message);
    if (message.kind === 'answer') this.answered.push(message.id);
    this.waiting?.();
  });
  private nextId = 1;

  static async start(): Promise<Thread> {
    const one = new Thread();
    const directory = mkdtempSync(join(parent, 'data-'));
    const paths = ['log', 'snapshots'].map((name) => join(directory, name));
    for (const path of paths) mkdirSync(path);
    one.thread.receive({
      kind: 'start',
      progress: one.progress,
      start: {
        log: 'file',
        logDirectory: paths[0]!,
        snapshotDirectory: paths[1]!,
        proofDirectory: join(directory, 'proofs'),
        historyUrl: `sqlite://${join(directory, 'history.sqlite')}`,
        rebuiltHistory: join(directory, 'history.sqlite.rebuild'),
        logEnd: 0,
        isFirstStart: true,
      },
    });
    await one.until(({ kind }) => kind === 'ready');
    one.deliver(batches.slice(0, BATCHES));
    await one.until(() => one.applied === BATCHES, one.ask(trades, BATCHES));
    return one;
  }

  get applied(): number {
    return this.progress[Progress.applied]!;
  }

  deliver(some: readonly Batch[]): void {
    const delivered = some.map((batch) => ({ ...batch, digestBefore: undefined as never }));
    this.thread.receive({ kind: 'batches', batches: delivered });
  }

  ask(query: ArchiveQuery, position = this.applied): number {
    const id = this.nextId++;
    this.thread.receive({ kind: 'query', id, query, position });
    return id;
  }

  /** Makes each batch and each read of history take at least some time. */
  slowDown(batchMs: number, readMs: number): void {
    const { archive } = (this.thread as unknown as { opened: { archive: Archive } }).opened;
    const { apply, answerInSteps } = archive;
    archive.apply = (...terms) => {
      spin(batchMs);
      apply.apply(archive, terms);
    };
    archive.answerInSteps = (query) => {
      spin(readMs);
      return answerInSteps.call(archive, query);
    };
  }

  close(): Promise<FromWorker> {
    this.thread.receive({ kind: 'close', isDiscarded: false });
    return this.until(({ kind }) => kind === 'closed');
  }

  /** Resolves with the first message that matches; if `id` is given, with the answer to that query. */
  async until(matches: (message: FromWorker) => boolean, id?: number): Promise<FromWorker> {
    for (let next = 0; ; ) {
      for (; next < this.messages.length; next++) {
        const message = this.messages[next]!;
        if (message.kind === 'failed') throw new Error(message.reason);
        const isAnswer = id === undefined || (message.kind === 'answer' && message.id === id);
        if (isAnswer && matches(message)) return message;
      }
      await new Promise<void>((resolve) => {
        this.waiting = resolve;
      });
    }
  }

  async answer(id: number): Promise<void> {
    await this.until(() => true, id);
  }
}

function spin(durationMs: number): void {
  const until = performance.now() + durationMs;
  while (performance.now() < until);
}

let thread: Thread;
beforeEach(async () => {
  thread = await Thread.start();
});

test('one query of every group is answered before a group gets its next turn', async () => {
  const walks = [1, 2, 3, 4].map(() => thread.ask(totals(1)));
  const lists = [1, 2, 3].map(() => thread.ask(fills(1)));
  const others = [fills(2), trades].map((query) => thread.ask(query));
  await thread.answer(lists.at(-1)!);
  expect(thread.answered.slice(1)).toEqual([...others, ...walks, ...lists]);
  await thread.close();
});

test('batches are applied between two steps of an answer', async () => {
  const walks = Array.from({ length: 8 }, () => thread.ask(totals(1)));
  let answeredBefore: number | undefined;
  setImmediate(() => thread.deliver(batches.slice(BATCHES)));
  void (async () => {
    while (thread.applied < batches.length) await new Promise((resolve) => setImmediate(resolve));
    answeredBefore = thread.answered.length - 1;
  })();
  await thread.answer(walks.at(-1)!);
  await Bun.sleep(1);
  expect(answeredBefore).toBeLessThan(walks.length);
  await thread.close();
});

test('while batches wait, public data is read for at most a tenth of the time', async () => {
  const BATCH_MS = 20;
  const READ_MS = 40;
  thread.slowDown(BATCH_MS, READ_MS);
  const reads = Array.from({ length: 40 }, (_, n) => thread.ask(n % 2 === 0 ? trades : window));
  const startMs = performance.now();
  thread.deliver(batches.slice(BATCHES));
  while (thread.applied < batches.length) await new Promise((resolve) => setImmediate(resolve));
  const elapsedMs = performance.now() - startMs;
  // 50 batches take a second: some reads come in between, so that they do not wait forever.
  const { length } = thread.answered.filter((id) => reads.includes(id));
  expect(length).toBeGreaterThan(1);
  expect(length * READ_MS).toBeLessThan(elapsedMs / 10 + 3 * READ_MS);
  await thread.answer(reads.at(-1)!);
  await thread.close();
});

test('an answer waits for the batch that its query requires', async () => {
  const id = thread.ask(fills(1), BATCHES + 1);
  await thread.answer(thread.ask(fills(2)));
  expect(thread.answered).not.toContain(id);
  thread.deliver(batches.slice(BATCHES, BATCHES + 1));
  await thread.answer(id);
  expect(thread.applied).toBe(BATCHES + 1);
  await thread.close();
});

test('queries sent before it closes are answered', async () => {
  const id = thread.ask(fills(1));
  await thread.close();
  expect(thread.answered).toContain(id);
});
