import { afterEach, expect, test } from 'bun:test';
import { Exchange } from '../engine/exchange.ts';
import { exact } from '../engine/numbers/exact.ts';
import { writeSnapshot } from '../engine/snapshot/snapshot.ts';
import { Side } from '../engine/terms.ts';
import { History } from '../history/history.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { SimulatedStorage } from '../testing/simulated-storage.ts';
import {
  appendBatch,
  applyAll,
  command,
  GENESIS_COMMANDS,
  limitOrder,
} from '../testing/test-exchange.ts';
import { Archive } from './archive.ts';
import { openFileArchive } from './file-archive.ts';
import { GENESIS } from './recovery.ts';
import { SnapshotStore } from './snapshots/snapshots.ts';

const open: History[] = [];
afterEach(async () => {
  for (const history of open.splice(0)) await history.close();
});

async function newHistory(): Promise<History> {
  const history = await History.open('sqlite://:memory:');
  open.push(history);
  return history;
}

async function newSnapshots(): Promise<SnapshotStore> {
  const storage = new SimulatedStorage();
  await storage.makeDirectory('/snapshots');
  return new SnapshotStore(storage, '/snapshots');
}

/** Returns a log, and the digest of the serving replica before each of its batches. */
async function writeLog(count: number) {
  const log = new MemoryLog();
  const serving = new Exchange();
  const digests: number[] = [];
  const append = async (time: number, commands: Parameters<typeof appendBatch>[2]) => {
    digests.push(serving.state.digest);
    await appendBatch(log, time, commands);
    applyAll(serving, time, commands);
  };
  await append(1000, GENESIS_COMMANDS);
  for (let n = 0; n < count; n++) await append(2000 + n, [command(2 * n), command(2 * n + 1)]);
  return { log, serving, digests };
}

async function openArchive(
  log: Pick<MemoryLog, 'read'>,
  history: History,
  snapshots: SnapshotStore,
) {
  return openFileArchive({ log, snapshots, history, elapsedMs: () => 0 });
}

const EMPTY = { read: () => [] };
const ALL = { account: 1, descending: true, limit: 1000 } as const;

test('catches up with the log and agrees with the serving replica at every batch', async () => {
  const { log, serving, digests } = await writeLog(60);
  const archive = await openArchive(EMPTY, await newHistory(), await newSnapshots());
  for (const batch of log.read(0)) archive.apply(batch, digests[batch.sequence - 1]);
  expect(writeSnapshot(archive.exchange)).toEqual(writeSnapshot(serving));
});

test('a state that differs in one bit is found at the next batch that touches it', async () => {
  const { log, digests } = await writeLog(20);
  const archive = await openArchive(EMPTY, await newHistory(), await newSnapshots());
  const apply = () => {
    for (const batch of log.read(0)) {
      archive.apply(batch, digests[batch.sequence - 1]);
      if (batch.sequence !== 5) continue;
      const balance = archive.exchange.state.accounts[1]!.balances[0]!;
      balance.available = exact(BigInt(balance.available) ^ 1n);
    }
  };
  expect(apply).toThrow("archivist's state differs");
});

test('a batch out of sequence is rejected', async () => {
  const { log } = await writeLog(3);
  const archive = await openArchive(EMPTY, await newHistory(), await newSnapshots());
  const [, second] = [...log.read(0)];
  expect(() => archive.apply(second!)).toThrow('expected batch 1 and got 2');
});

test('a missing history is rebuilt from the log with the same content', async () => {
  const { log } = await writeLog(80);
  const snapshots = await newSnapshots();
  const first = await openArchive(log, await newHistory(), snapshots);
  const before = await first.answer({ kind: 'orders', filter: ALL });
  await first.snapshot();
  expect(snapshots.sequences()).toEqual([81]);
  const again = await openArchive(log, await newHistory(), snapshots);
  expect(await again.answer({ kind: 'orders', filter: ALL })).toEqual(before);
});

test('a history ahead of the log is rejected: the log has lost batches', async () => {
  const { log } = await writeLog(10);
  const history = await newHistory();
  await openArchive(log, history, await newSnapshots());
  const shorter = { read: () => [...log.read(0)].slice(0, 6) };
  await expect(openArchive(shorter, history, await newSnapshots())).rejects.toThrow(
    'History is at batch',
  );
});

test('a history of another log is rejected', async () => {
  const history = await newHistory();
  const { log } = await writeLog(10);
  await openArchive(log, history, await newSnapshots());
  const other = new MemoryLog();
  await appendBatch(other, 999, GENESIS_COMMANDS);
  for (let n = 0; n < 12; n++) await appendBatch(other, 3000 + n, [command(n)]);
  await expect(openArchive(other, history, await newSnapshots())).rejects.toThrow('another log');
  // Also with a snapshot at the same batch, so that no earlier batch is read.
  const snapshots = await newSnapshots();
  const sameLength = new MemoryLog();
  await appendBatch(sameLength, 999, GENESIS_COMMANDS);
  while (sameLength.lastSequence < log.lastSequence)
    await appendBatch(sameLength, 3000, [command(0)]);
  await (await openArchive(sameLength, await newHistory(), snapshots)).snapshot();
  await expect(openArchive(sameLength, history, snapshots)).rejects.toThrow('another log');
});

test('a page contains open and final orders, newest first', async () => {
  const { log } = await writeLog(0);
  await appendBatch(log, 2000, [
    limitOrder(1, Side.buy, 1000, 50),
    limitOrder(1, Side.buy, 1001, 50),
    limitOrder(2, Side.sell, 1001, 50),
    limitOrder(1, Side.buy, 999, 50),
  ]);
  const archive = await openArchive(log, await newHistory(), await newSnapshots());
  const { orders } = (await archive.answer({ kind: 'orders', filter: ALL })) as {
    orders: { id: number; status: number }[];
  };
  expect(orders.map(({ id, status }) => [id, status])).toEqual([
    [4, 0],
    [2, 1],
    [1, 0],
  ]);
});

test('a snapshot is postponed if no file descriptor is free; any other failure throws', async () => {
  const { log } = await writeLog(3);
  const storage = new SimulatedStorage();
  await storage.makeDirectory('/snapshots');
  const snapshots = new SnapshotStore(storage, '/snapshots');
  const history = await newHistory();
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const archive = await openFileArchive({ log, snapshots, history, elapsedMs: () => 0, warn });
  for (const kind of ['create', 'syncDirectory']) {
    storage.onOperation = (operation) => {
      if (operation.kind === kind)
        throw Object.assign(new Error('no free descriptor'), { code: 'EMFILE' });
      return undefined;
    };
    await archive.snapshot();
  }
  expect(warnings).toHaveLength(2);
  storage.onOperation = () => {
    throw Object.assign(new Error('disk full'), { code: 'ENOSPC' });
  };
  await expect(archive.snapshot()).rejects.toThrow('disk full');
  storage.onOperation = undefined;
  archive.apply(await appendBatch(log, 3000, [command(8)]));
  await archive.snapshot();
  expect(snapshots.sequences()[0]).toBe(archive.position);
  expect(snapshots.read(archive.position).position.sequence).toBe(archive.position);
});

test('in a cluster, heartbeats alone make a snapshot due, because a start reads them', async () => {
  const written: number[] = [];
  let now = 0;
  const warnings: string[] = [];
  let isDown = true;
  const terms = { commands: 100, batches: 50, everyMs: 1000, afterAuditMs: 100, heldMs: 0 };
  const history = Object.assign(await newHistory(), { isShared: true, settle: async () => {} });
  const snapshots = {
    async write(
      { sequence }: { readonly sequence: number },
      _: Uint8Array,
      agreed: () => Promise<void>,
    ) {
      await agreed();
      if (isDown) throw new Error('no response');
      written.push(sequence);
    },
  };
  const archive = await Archive.open(
    { snapshots, history, terms, elapsedMs: () => now, warn: (message) => warnings.push(message) },
    { recovered: { exchange: new Exchange(), position: GENESIS }, skips: new Set(), batches: [] },
  );
  const { hash } = GENESIS;
  const live = (batches: number) => {
    for (let n = 0; n < batches; n++) {
      const sequence = archive.position + 1;
      archive.apply({ sequence, time: 1, count: 0, payload: new Uint8Array(0), hash });
    }
  };
  const snapshot = async () => {
    now += 1000;
    expect(archive.isAuditDue).toBe(true);
    archive.audit();
    now += 100;
    expect(archive.isSnapshotDue).toBe(true);
    await archive.snapshot();
  };
  live(49);
  now = 5000;
  expect(archive.isAuditDue).toBe(false);
  live(1);
  await snapshot();
  expect([written, warnings.length]).toEqual([[], 1]);
  isDown = false;
  await snapshot();
  expect(written).toEqual([50]);
  expect(archive.isAuditDue).toBe(false);
  live(50);
  await snapshot();
  expect(written).toEqual([50, 100]);

  // During a dispute no snapshot begins, and one that has begun is discarded.
  live(50);
  now += 1000;
  archive.audit();
  now += 100;
  archive.isDisputed = true;
  expect(archive.isSnapshotDue).toBe(false);
  archive.isDisputed = false;
  const begun = archive.snapshot();
  archive.isDisputed = true;
  await begun;
  expect([written, warnings.at(-1)]).toEqual([
    [50, 100],
    expect.stringMatching('different states'),
  ]);
  archive.isDisputed = false;
  await snapshot();
  expect(written).toEqual([50, 100, 150]);
});

test('an answer in steps is as of its first step, even if batches are applied and committed in between', async () => {
  const { log } = await writeLog(900);
  const batches = [...log.read(0)];
  const archive = await openArchive(EMPTY, await newHistory(), await newSnapshots());
  for (const batch of batches.slice(0, 800)) archive.apply(batch);
  await archive.flush();
  for (const batch of batches.slice(800, 850)) archive.apply(batch);
  const filter = { account: 1, width: 1000, limit: 3, now: 3000 };
  const expected = await archive.answer({ kind: 'totals', filter });
  const steps = archive.answerInSteps({ kind: 'totals', filter });
  let count = 1;
  for (let next = await steps.next(); ; next = await steps.next(), count++) {
    if (next.done) {
      expect(next.value).toEqual(expected);
      break;
    }
    archive.apply(batches[849 + count]!);
    await archive.flush();
  }
  expect(count).toBeGreaterThan(2);
});
