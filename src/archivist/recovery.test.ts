import { expect, test } from 'bun:test';
import { CommandKind } from '../engine/command.ts';
import { Exchange } from '../engine/exchange.ts';
import { writeSnapshot } from '../engine/snapshot/snapshot.ts';
import { NONE, Side } from '../engine/terms.ts';
import { HistoryForeignError } from '../history/errors.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { SimulatedStorage } from '../testing/simulated-storage.ts';
import {
  appendBatch,
  applyAll,
  command,
  GENESIS_COMMANDS,
  limitOrder,
} from '../testing/test-exchange.ts';
import {
  applyBatch,
  GENESIS,
  inStream,
  loadNewest,
  PoisonedCommandError,
  replay,
  replayInTurns,
} from './recovery.ts';
import { SnapshotStore } from './snapshots/snapshots.ts';

const NO_SKIPS = new Set<string>();

/** A log of `count` batches of three commands, and the live exchange that applied them. */
async function liveExchange(count: number) {
  const log = new MemoryLog();
  const exchange = new Exchange();
  await appendBatch(log, 1000, GENESIS_COMMANDS);
  applyAll(exchange, 1000, GENESIS_COMMANDS);
  for (let batch = 0; batch < count; batch++) {
    const commands = [0, 1, 2].map((index) => command(batch * 3 + index));
    await appendBatch(log, 2000 + batch, commands);
    applyAll(exchange, 2000 + batch, commands);
  }
  return { log, exchange };
}

async function emptyStore(): Promise<SnapshotStore> {
  const storage = new SimulatedStorage();
  await storage.makeDirectory('/snapshots');
  return new SnapshotStore(storage, '/snapshots');
}

test('a replay of the log gives the live state, bit for bit', async () => {
  const { log, exchange } = await liveExchange(100);
  const replayed = { exchange: new Exchange(), position: GENESIS };
  const end = replay(log, replayed);
  expect(end.sequence).toBe(101);
  expect(replayed.exchange.state.digest).toBe(exchange.state.digest);
  expect(writeSnapshot(replayed.exchange)).toEqual(writeSnapshot(exchange));
});

test('a replay in turns gives the same state and lets other work run', async () => {
  const { log, exchange } = await liveExchange(100);
  const slow = {
    *read(sequence: number) {
      for (const batch of log.read(sequence)) {
        const until = performance.now() + 1;
        while (performance.now() < until);
        yield batch;
      }
    },
  };
  let others = 0;
  const timer = setInterval(() => others++, 1);
  const replayed = { exchange: new Exchange(), position: GENESIS };
  await replayInTurns(slow, replayed);
  clearInterval(timer);
  expect(others).toBeGreaterThan(2);
  expect(writeSnapshot(replayed.exchange)).toEqual(writeSnapshot(exchange));
});

test('replaying from any snapshot gives the same state', async () => {
  const { log, exchange } = await liveExchange(40);
  const whole = writeSnapshot(exchange);
  for (let place = 1; place <= 41; place += 4) {
    const snapshots = await emptyStore();
    const part = new Exchange();
    for (const batch of log.read(0)) {
      if (batch.sequence > place) break;
      applyBatch(part, batch, NO_SKIPS);
      if (batch.sequence === place) await snapshots.write(batch, writeSnapshot(part));
    }
    const recovered = loadNewest(snapshots);
    expect(recovered.position.sequence).toBe(place);
    replay(log, recovered);
    expect(writeSnapshot(recovered.exchange)).toEqual(whole);
  }
});

test('a snapshot beyond the end of the log is rejected: it contains batches that were never durable', async () => {
  const { log, exchange } = await liveExchange(3);
  const snapshots = await emptyStore();
  await snapshots.write({ sequence: 9, hash: log.lastHash }, writeSnapshot(exchange));
  expect(() => replay(log, loadNewest(snapshots))).toThrow('9');
});

test('a snapshot of another log is rejected by its chained hash', async () => {
  const { log, exchange } = await liveExchange(3);
  const snapshots = await emptyStore();
  const hash = log.lastHash.slice();
  hash[0]! ^= 1;
  await snapshots.write({ sequence: 4, hash }, writeSnapshot(exchange));
  expect(() => replay(log, loadNewest(snapshots))).toThrow();
});

test('the error for a command that breaks an invariant names its position and how to skip it', async () => {
  const { log, exchange } = await liveExchange(0);
  applyAll(exchange, 1500, [limitOrder(1, Side.buy, 1000, 100)]);
  exchange.state.accounts[1]!.balances[0]!.held = 0n;
  const cancel = { kind: CommandKind.cancelOrder, account: 1, key: NONE, orderId: 1 };
  const batch = await appendBatch(log, 1600, [{ kind: CommandKind.tick }, cancel]);
  let thrown: unknown;
  try {
    applyBatch(exchange, batch, NO_SKIPS);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(PoisonedCommandError);
  expect(thrown).toMatchObject({ sequence: 2, index: 1 });
  const { message } = thrown as Error;
  expect(message).toContain('buttonwood skip --data DIR --sequence 2 --index 1');
  const shared = inStream(thrown as Error, 'exchange');
  expect(shared).toMatchObject({ sequence: 2, index: 1, cause: (thrown as Error).cause });
  expect(shared.message).toBe(
    message.replace('--data DIR', '--log nats://… --log-stream exchange'),
  );
  const other = new Error('another');
  expect(inStream(other, 'exchange')).toBe(other);
});

test('a skip later in the log is honored, even if the command would succeed now', async () => {
  const { log } = await liveExchange(0);
  await appendBatch(log, 1500, [
    limitOrder(1, Side.buy, 1000, 100),
    limitOrder(1, Side.buy, 1001, 100),
    limitOrder(1, Side.buy, 1002, 100),
  ]);
  await appendBatch(log, 1600, [limitOrder(2, Side.buy, 999, 100)]);
  await appendBatch(log, 1700, [
    { kind: CommandKind.skip, sequence: 2, index: 1, reason: 'planted' },
  ]);
  const replayed = { exchange: new Exchange(), position: GENESIS };
  replay(log, replayed);
  const { state } = replayed.exchange;
  const prices = [1, 2, 3].map((id) => state.openOrder(id)?.price);
  expect(prices).toEqual([1000, 1002, 999]);
});

test('the advice for a trimmed log never includes dropping data that cannot be rebuilt', () => {
  const error = new HistoryForeignError('The two differ.');
  expect(error.message).toContain('DROP SCHEMA history');
  const { message } = inStream(error, 'buttonwood');
  expect(message).toStartWith('The two differ.');
  expect(message).toContain('restore both from the same backup');
  expect(message).not.toMatch(/rebuild it|DROP|move/);
});
