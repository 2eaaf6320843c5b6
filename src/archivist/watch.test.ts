import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, checkAsync } from '../../test/check.ts';
import { withTemporaryUrl } from '../../test/history/temporary.ts';
import { Exchange } from '../engine/exchange.ts';
import { Side } from '../engine/terms.ts';
import { History } from '../history/history.ts';
import type { FoundAlert } from '../surveillance/alert.ts';
import { createDetectors, detectorNames } from '../surveillance/surveillance.ts';
import { MAKER, playScenario, type TimedCommand, watch } from '../testing/market-abuse.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { SimulatedStorage } from '../testing/simulated-storage.ts';
import { appendBatch, limitOrder } from '../testing/test-exchange.ts';
import { openFileArchive } from './file-archive.ts';
import { SnapshotStore } from './snapshots/snapshots.ts';

const DAY_MS = 86_400_000;

/** Returns the commands of a scenario, and one that ends all windows. */
function scenario(name: (typeof detectorNames)[number], seed: number): TimedCommand[] {
  const commands = playScenario(name, seed, true);
  const time = commands.at(-1)!.time + DAY_MS;
  return [...commands, { time, command: limitOrder(MAKER, Side.buy, 1, 1) }];
}

async function writeLog(commands: readonly TimedCommand[]): Promise<MemoryLog> {
  const log = new MemoryLog();
  for (const { time, command } of commands) await appendBatch(log, time, [command]);
  return log;
}

async function newSnapshots(): Promise<SnapshotStore> {
  const storage = new SimulatedStorage();
  await storage.makeDirectory('/snapshots');
  return new SnapshotStore(storage, '/snapshots');
}

/** Returns the stored alerts in the order in which they were found. */
async function storedAlerts(url: string): Promise<FoundAlert[]> {
  const history = await History.open(url);
  const alerts = await history.alerts({ limit: 1000 });
  await history.close();
  return alerts.map(({ alert }) => alert).reverse();
}

/** A run of an archivist: how far it gets, and what it does on the way. */
interface Run {
  readonly part: number;
  readonly flushEvery: number;
  readonly snapshotEvery: number;
  /** Whether it ends in order; otherwise it is killed, and loses what it has not stored. */
  readonly isOrderly: boolean;
}

const runs = fc.array(
  fc.record({
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    flushEvery: fc.integer({ min: 1, max: 300 }),
    snapshotEvery: fc.integer({ min: 20, max: 400 }),
    isOrderly: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Runs archivists one after the other over a log that is durable as far as the one before has read it. */
async function archive(url: string, log: MemoryLog, plan: readonly Run[]): Promise<void> {
  const snapshots = await newSnapshots();
  let durable = 0;
  for (const { part, flushEvery, snapshotEvery, isOrderly } of plan) {
    const history = await History.open(url);
    const written = durable;
    const view = {
      read: (after: number) => [...log.read(after)].filter(({ sequence }) => sequence <= written),
    };
    const opened = await openFileArchive({ log: view, snapshots, history, elapsedMs: () => 0 });
    const until = Math.max(durable, Math.floor(part * log.lastSequence));
    for (const batch of log.read(durable)) {
      if (batch.sequence > until) break;
      opened.apply(batch);
      if (batch.sequence % flushEvery === 0) await opened.flush();
      if (batch.sequence % snapshotEvery === 0) await opened.snapshot();
    }
    durable = until;
    if (isOrderly) await opened.end();
    await history.close();
  }
}

const LAST: Run = { part: 1, flushEvery: 50, snapshotEvery: 1000, isOrderly: true };

test(
  'archivists that restart and are killed store each alert once',
  async () => {
    const property = fc.asyncProperty(
      fc.nat(2 ** 32 - 1),
      fc.constantFrom(...detectorNames),
      runs,
      async (seed, name, plan) => {
        const commands = scenario(name, seed);
        const log = await writeLog(commands);
        const ordered = [...plan].sort((a, b) => a.part - b.part);
        await withTemporaryUrl(async (url) => {
          await archive(url, log, [...ordered, LAST]);
          const found = await storedAlerts(url);
          const expected = watch(commands);
          expect(expected).toHaveLength(1);
          expect(found).toMatchObject(expected as object[]);
          expect(found).toHaveLength(1);
          expect(found[0]!.foundIn).toBeGreaterThan(found[0]!.to.sequence);
        });
      },
    );
    await checkAsync(property, 6);
  },
  CHECK_TIMEOUT_MS,
);

test('a start reads only what the detectors have not read, from a snapshot', async () => {
  const log = await writeLog(scenario('spoofing', 1));
  await withTemporaryUrl(async (url) => {
    const snapshots = await newSnapshots();
    const history = await History.open(url);
    const open = (read: MemoryLog['read'], from: History) =>
      openFileArchive({ log: { read }, snapshots, history: from, elapsedMs: () => 0 });
    await (await open((after) => log.read(after), history)).end();
    await history.close();
    expect(snapshots.sequences()).toEqual([log.lastSequence]);
    const again = await History.open(url);
    const asked: number[] = [];
    await open((after) => {
      asked.push(after);
      return log.read(after);
    }, again);
    expect(asked).toEqual([log.lastSequence, log.lastSequence]);
    await again.close();
  });
});

test('a detector that throws is off, also after a restart, and the others find their alerts', async () => {
  const commands = scenario('spoofing', 1);
  const log = await writeLog(commands);
  const middle = Math.floor(log.lastSequence / 2);
  const create = ((find, names) =>
    createDetectors(find, names).map((detector) => {
      if (detector.name !== 'pump') return detector;
      const readTrades = () => {
        throw new Error('a defect');
      };
      return Object.assign(detector, { readTrades });
    })) as typeof createDetectors;
  await withTemporaryUrl(async (url) => {
    const snapshots = await newSnapshots();
    const warnings: string[] = [];
    const live = async (from: number, until: number) => {
      const history = await History.open(url);
      const read = (after: number) =>
        [...log.read(after)].filter(({ sequence }) => sequence <= from);
      const warn = (message: string) => warnings.push(message);
      const options = { log: { read }, snapshots, history, elapsedMs: () => 0, warn };
      const opened = await openFileArchive({ ...options, detectors: create });
      for (const batch of log.read(from)) if (batch.sequence <= until) opened.apply(batch);
      await opened.end();
      await history.close();
      return opened.watch.takeStatus();
    };
    const [first, second] = [await live(0, middle), await live(middle, log.lastSequence)];
    const position = first!.failures[0]!.position;
    expect(position).toBeLessThanOrEqual(middle);
    for (const status of [first, second]) {
      expect(status!.failures).toEqual([{ detector: 'pump', position, reason: 'a defect' }]);
    }
    expect(first!.alerts.spoofing + second!.alerts.spoofing).toBe(1);
    const text = `The detector pump of surveillance failed at batch ${position} and is off: a defect`;
    expect(warnings).toEqual([expect.stringContaining(text), expect.stringContaining(text)]);
    expect(await storedAlerts(url)).toMatchObject(watch(commands) as object[]);
  });
});

test('states in the format of another release are left out, and detectors begin again', async () => {
  const log = await writeLog(scenario('spoofing', 1));
  await withTemporaryUrl(async (url) => {
    const snapshots = await newSnapshots();
    const history = await History.open(url);
    const read = (after: number) => log.read(after);
    const options = { log: { read }, snapshots, elapsedMs: () => 0 };
    const opened = await openFileArchive({ ...options, history });
    history.watch(() => opened.watch.save().map((record) => ({ ...record, version: 1000 })));
    await opened.end();
    await history.close();
    const again = await History.open(url);
    expect(again.detectors()).toEqual([]);
    expect(again.resumesFrom()).toBe(log.lastSequence);
    await openFileArchive({ ...options, history: again });
    await again.close();
  });
});

test('accounts that may trade with each other raise no alert, unless it concerns others too', async () => {
  const commands = scenario('wash_trading', 1);
  const log = await writeLog(commands);
  const found = async (exemptAccounts: readonly string[]) => {
    let alerts: FoundAlert[] = [];
    await withTemporaryUrl(async (url) => {
      const snapshots = await newSnapshots();
      const history = await History.open(url);
      const source = { log: { read: (after: number) => log.read(after) }, snapshots, history };
      const opened = await openFileArchive({ ...source, exemptAccounts, elapsedMs: () => 0 });
      await opened.end();
      await history.close();
      alerts = await storedAlerts(url);
    });
    return alerts;
  };
  const [alert] = await found([]);
  const exchange = new Exchange();
  for (const { time, command } of commands) exchange.apply(command, time);
  const [first, second] = alert!.owners.map((owner) => exchange.state.accounts[owner]!.id);
  expect(await found([first!])).toEqual([alert!]);
  expect(await found([first!, second!])).toEqual([]);
});
