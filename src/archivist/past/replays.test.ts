import { afterEach, expect, test } from 'bun:test';
import { Fixture } from '../../../test/fixture.ts';
import { type Command, CommandKind } from '../../engine/command.ts';
import { Exchange } from '../../engine/exchange.ts';
import { writeSnapshot } from '../../engine/snapshot/snapshot.ts';
import { History } from '../../history/history.ts';
import { LogDamagedError } from '../../log/errors.ts';
import { MemoryLog } from '../../testing/memory-log.ts';
import { SimulatedStorage } from '../../testing/simulated-storage.ts';
import { appendBatch, applyAll, command, GENESIS_COMMANDS } from '../../testing/test-exchange.ts';
import { type FileArchiveOptions, openFileArchive } from '../file-archive.ts';
import { GENESIS } from '../recovery.ts';
import { SnapshotStore } from '../snapshots/snapshots.ts';
import { KeptStates, writeBounded } from './kept-states.ts';
import type { Moment, PastState } from './moment.ts';
import type { PastSource } from './replays.ts';

const BATCHES = 60;
const open: History[] = [];
afterEach(async () => {
  for (const history of open.splice(0)) await history.close();
});

/** A log, and the snapshot of the state after each of its batches. */
async function writeLog(extra: readonly (readonly Command[])[] = []) {
  const log = new MemoryLog();
  const exchange = new Exchange();
  const states: Uint8Array[] = [writeSnapshot(exchange)];
  const orders = Array.from({ length: BATCHES }, (_, n) => [command(2 * n), command(2 * n + 1)]);
  for (const [index, commands] of [GENESIS_COMMANDS, ...orders, ...extra].entries()) {
    await appendBatch(log, 1000 + index, commands);
    if (commands[0]!.kind !== CommandKind.skip) applyAll(exchange, 1000 + index, commands);
    states.push(writeSnapshot(exchange));
  }
  return { log, states };
}

async function openArchive(
  log: Pick<MemoryLog, 'read'>,
  past?: Partial<PastSource>,
  options: Partial<FileArchiveOptions> = {},
) {
  const storage = new SimulatedStorage();
  await storage.makeDirectory('/snapshots');
  const snapshots = new SnapshotStore(storage, '/snapshots');
  const history = await History.open('sqlite://:memory:');
  open.push(history);
  const elapsedMs = () => 0;
  const source: PastSource = {
    read: (after, through) => [...log.read(after.sequence)].slice(0, through - after.sequence),
    snapshots,
    elapsedMs,
    ...past,
  };
  return openFileArchive({ log, snapshots, history, past: source, elapsedMs, ...options });
}

type TestArchive = Awaited<ReturnType<typeof openArchive>>;

async function stateAt(archive: TestArchive, moment: Moment): Promise<PastState> {
  return (await archive.answer({ kind: 'stateAt', moment })) as PastState;
}

test('a state is that after its batch, from whatever state the replay begins', async () => {
  const { log, states } = await writeLog();
  const archive = await openArchive(log, { keepEvery: 9 });
  for (const position of [30, 3, 29, 61, 1, 60, 31, 30]) {
    const expected = { kind: 'state', position, state: states[position]! };
    expect(await stateAt(archive, { position })).toEqual(expected as PastState);
    expect(await stateAt(archive, { time: 999 + position })).toEqual(expected as PastState);
  }
});

test('stored snapshots are used, also after newer ones have replaced them', async () => {
  const { log, states } = await writeLog();
  const read: number[] = [];
  const source = await openArchive(log);
  const hash = [...log.read(0)][39]!.hash;
  const stored = new Map([[40, { position: { sequence: 40, hash }, state: states[40]! }]]);
  const archive = await openArchive(log, {
    snapshots: { sequences: () => [...stored.keys()], read: (sequence) => stored.get(sequence)! },
    read: (after, through) => {
      read.push(after.sequence);
      return [...log.read(after.sequence)].slice(0, through - after.sequence);
    },
  });
  expect(await stateAt(archive, { position: 45 })).toEqual(await stateAt(source, { position: 45 }));
  stored.clear();
  await stateAt(archive, { position: 5 });
  await stateAt(archive, { position: 42 });
  // The first read collects the commands that an operator has skipped.
  expect(read).toEqual([0, 40, 0, 40]);
});

test('batches are applied between two steps of a replay', async () => {
  const { log, states } = await writeLog();
  let now = 0;
  // Every look at the clock is later than a step may last.
  const archive = await openArchive(log, { elapsedMs: () => (now += 10) });
  const steps = archive.answerInSteps({ kind: 'stateAt', moment: { position: 50 } });
  let count = 0;
  for (;;) {
    const { done, value } = await steps.next();
    if (done) {
      expect(value).toEqual({ kind: 'state', position: 50, state: states[50]! });
      break;
    }
    count++;
    if (count % 10 !== 0) continue;
    const time = 2000 + count;
    archive.apply(await appendBatch(log, time, [command(500 + count)]));
  }
  expect(count).toBeGreaterThan(100);
  expect(archive.position).toBeGreaterThan(BATCHES + 10);
});

test('a command that an operator has skipped is skipped in the past too', async () => {
  const poisoned = command(3);
  const skip: Command = { kind: CommandKind.skip, sequence: BATCHES + 2, index: 0, reason: 'test' };
  const { log } = await writeLog([[poisoned], [skip], [command(200)]]);
  const { log: without, states } = await writeLog([[{ kind: CommandKind.tick }]]);
  expect(without.lastSequence).toBe(BATCHES + 2);
  const archive = await openArchive(log);
  const found = await stateAt(archive, { position: BATCHES + 2 });
  // Not even its time has passed.
  const { state: _, ...rest } = found as Extract<PastState, { kind: 'state' }>;
  expect(rest).toEqual({ kind: 'state', position: BATCHES + 2 });
  expect((found as { state: Uint8Array }).state).toEqual(states[BATCHES + 1]!);
});

test('a log that cannot be read is an answer, not the end of the archivist', async () => {
  const { log } = await writeLog();
  const damaged = await openArchive(log, {
    read: () => {
      throw new LogDamagedError('1.log', 9, 'a flipped bit');
    },
  });
  const answer = await stateAt(damaged, { position: 5 });
  expect(answer).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining('flipped') });
  const onNats = await openArchive(log, undefined, { past: undefined });
  expect(await stateAt(onNats, { position: 5 })).toMatchObject({ kind: 'unreadable' });
});

test('a state with too many open orders is neither shown nor kept', () => {
  const { exchange } = new Fixture();
  const position = { ...GENESIS, sequence: 1 };
  expect(writeBounded(exchange, position)?.bytes).toEqual(writeSnapshot(exchange));
  Object.defineProperty(exchange.state.orders, 'size', { value: 20_001 });
  expect(writeBounded(exchange, position)).toBeUndefined();
});

test('kept states are bounded, and stay spread over the log', () => {
  const kept = new KeptStates(100);
  const bytes = new Uint8Array(10);
  for (let sequence = 1; sequence <= 1000; sequence++) {
    kept.keep({ position: { sequence, hash: GENESIS.hash }, time: 5000 + sequence, bytes });
  }
  const found = new Set<number>();
  for (let position = 1; position <= 1000; position++) {
    const state = kept.before({ position });
    if (state !== undefined) found.add(state.position.sequence);
    expect(state).toEqual(kept.before({ time: 5000 + position }));
  }
  expect(found.size).toBe(10);
  const sorted = [0, ...found, 1000];
  const gaps = sorted.slice(1).map((sequence, index) => sequence - sorted[index]!);
  expect(Math.max(...gaps)).toBeLessThan(300);
});
