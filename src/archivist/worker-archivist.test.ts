import { afterAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Exchange } from '../engine/exchange.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { appendBatch, applyAll, GENESIS_COMMANDS } from '../testing/test-exchange.ts';
import { HistoryBacklogError } from './archivist.ts';
import { MAX_UNANSWERED } from './read-limits.ts';
import { WorkerArchivist } from './worker-archivist.ts';

const parent = mkdtempSync(join(tmpdir(), 'buttonwood-archivist-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** Starts the archivist of an empty exchange. @returns Also a promise of the error that it fails with. */
async function start(elapsedMs?: () => number) {
  const { directory, ...options } = newDirectory();
  const { promise: failure, resolve: fail } = Promise.withResolvers<Error>();
  const historyUrl = `sqlite://${join(directory, 'history.sqlite')}`;
  const archivist = await WorkerArchivist.start({ ...options, historyUrl }, fail, elapsedMs);
  const { worker } = archivist as unknown as { worker: Worker };
  return { archivist, failure, worker };
}

function newDirectory() {
  const directory = mkdtempSync(join(parent, 'data-'));
  const [logDirectory, snapshotDirectory] = ['log', 'snapshots'].map((name) => {
    mkdirSync(join(directory, name));
    return join(directory, name);
  });
  return {
    directory,
    log: 'file',
    logDirectory: logDirectory!,
    snapshotDirectory: snapshotDirectory!,
    proofDirectory: join(directory, 'proofs'),
    rebuiltHistory: join(directory, 'history.sqlite.rebuild'),
    logEnd: 0,
    isFirstStart: true,
  } as const;
}

test('lag is the age of the oldest waiting batch, and 0 once all are applied', async () => {
  let elapsedMs = 9_000;
  const { archivist } = await start(() => elapsedMs);
  const log = new MemoryLog();
  const serving = new Exchange();
  const digest = serving.state.digest;
  await appendBatch(log, 1000, GENESIS_COMMANDS);
  applyAll(serving, 1000, GENESIS_COMMANDS);
  expect(archivist.lagMs()).toBe(0);
  const [batch] = log.read(0);
  archivist.deliver(batch!, digest);
  elapsedMs = 17_000;
  expect(archivist.lagMs()).toBe(8_000);
  expect(await archivist.query({ kind: 'state' }, 1)).toMatchObject({ position: 1 });
  elapsedMs = 3_600_000;
  expect(archivist.lagMs()).toBe(0);
  await archivist.close();
});

test('unanswered queries are rejected when it closes', async () => {
  const { archivist } = await start();
  const filter = { account: 1, descending: true, limit: 10 };
  const queries = [{ kind: 'state' }, ...Array(5).fill({ kind: 'fills', filter })];
  const errors = queries.map((query) => archivist.query(query, 1).catch((error) => error.message));
  await archivist.close();
  for (const error of errors) expect(await error).toContain('its archivist has ended');
});

const listThreads = () => readdirSync('/proc/self/task').map(Number);

// Other systems have no thread priorities to set.
test.if(existsSync('/proc/thread-self'))(
  'the thread has the priority of the process until it has caught up',
  async () => {
    const before = new Set(listThreads());
    const listNew = () => listThreads().filter((thread) => !before.has(thread));
    const countYielding = () =>
      listNew().filter((thread) => getPriority(thread) > getPriority()).length;
    const { directory, ...options } = newDirectory();
    // Nothing listens there, so the thread waits for its store.
    const historyUrl = 'postgres://127.0.0.1:1/none';
    const waiting = new WorkerArchivist({ ...options, historyUrl }, () => {});
    while (listNew().length === 0) await Bun.sleep(5);
    await Bun.sleep(300);
    expect(countYielding()).toBe(0);
    waiting.terminate();
    const { archivist } = await start();
    // Threads that it starts afterwards have its priority.
    expect(countYielding()).toBeGreaterThanOrEqual(1);
    await archivist.close();
  },
);

test('a batch is applied even if no query follows it', async () => {
  const { archivist } = await start();
  const log = new MemoryLog();
  await appendBatch(log, 1000, GENESIS_COMMANDS);
  const [batch] = log.read(0);
  archivist.deliver(batch!, new Exchange().state.digest);
  while (archivist.lagMs() > 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await archivist.close();
});

test('a thread that ends without an error is a failure', async () => {
  const { failure, worker } = await start();
  worker.terminate();
  expect((await failure).message).toContain('ended without an error');
});

test('closing the thread is not a failure', async () => {
  const { archivist, failure, worker } = await start();
  await archivist.close();
  const ended = new Promise((resolve) => worker.addEventListener('close', () => resolve('ended')));
  expect(await Promise.race([failure, ended])).toBe('ended');
});

test('too many unanswered reads of an account are rejected, for that account only', async () => {
  const { archivist } = await start();
  const log = new MemoryLog();
  await appendBatch(log, 1000, GENESIS_COMMANDS);
  archivist.deliver([...log.read(0)][0]!, new Exchange().state.digest);
  const ask = (account: number) => {
    const filter = { account, width: 60_000, limit: 10, now: 3_600_000 };
    return archivist.query({ kind: 'totals', filter }, 1);
  };
  const answers = Array.from({ length: MAX_UNANSWERED.walks }, () => ask(1));
  const rejected = await ask(1).catch((error) => error);
  expect(rejected).toBeInstanceOf(HistoryBacklogError);
  expect(await ask(2)).toHaveLength(10);
  const filter = { account: 1, descending: true, limit: 10 };
  expect(await archivist.query({ kind: 'fills', filter }, 1)).toMatchObject({ items: [] });
  await Promise.all(answers);
  expect(await ask(1)).toHaveLength(10);
  await archivist.close();
});
