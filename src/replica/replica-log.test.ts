import { expect, test } from 'bun:test';
import { Exchange } from '../engine/exchange.ts';
import type { Batch } from '../log/log.ts';
import { IDLE_ARCHIVIST } from '../testing/idle-archivist.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { GENESIS_COMMANDS } from '../testing/test-exchange.ts';
import { Replica } from './replica.ts';
import { singleNodeLog } from './replica-log.ts';

/** A replica whose log stores a batch when `sync` is called. */
async function open() {
  const memory = new MemoryLog();
  const syncs: (() => void)[] = [];
  const log = {
    lastSequence: 0,
    lastHash: memory.lastHash,
    append: (time: number, count: number, payload: Uint8Array) =>
      new Promise<Batch>((resolve, reject) => {
        syncs.push(() => memory.append(time, count, payload).then(resolve, reject));
      }),
  };
  let everyTick: () => void = () => {};
  const failures: Error[] = [];
  const replica = new Replica({
    exchange: new Exchange(),
    log: singleNodeLog(log),
    archivist: IDLE_ARCHIVIST,
    now: () => 1000,
    timers: {
      soon: (work) => queueMicrotask(work),
      after: () => {},
      every(_, work) {
        everyTick = work;
        return () => {};
      },
    },
    onEvents: () => {},
    onFailure: (error) => failures.push(error),
  });
  await replica.begin();
  const tick = (times: number) => {
    for (let n = 0; n < times; n++) everyTick();
  };
  return { replica, syncs, failures, tick };
}

test('a single node waits for its disk, however slow, and is always current', async () => {
  const { replica, syncs, failures, tick } = await open();
  const outcome = replica.execute(GENESIS_COMMANDS[0]!);
  await Promise.resolve();
  tick(1000);
  expect(replica.isUnreachable).toBe(false);
  expect(replica.isStale).toBe(false);
  expect(replica.whenCurrent()).toBeUndefined();
  expect(syncs.length).toBe(1);
  syncs[0]!();
  expect(await outcome).toMatchObject({ kind: 'done' });
  expect(failures).toEqual([]);
});

test('a single node sends nothing while nothing waits', async () => {
  const { syncs, tick } = await open();
  tick(1000);
  await Promise.resolve();
  expect(syncs).toEqual([]);
});
