import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  LIMITS,
  onEachDatabase,
  PROPERTY_TIMEOUT_MS,
  readRows,
  runs,
  withTemporaryUrl,
} from '../../../test/history/temporary.ts';
import { CommandKind } from '../../engine/command.ts';
import type { EntryEvent, Event, OrderRecord, TradeEvent } from '../../engine/event.ts';
import { EntryType, OrderStatus, Side } from '../../engine/terms.ts';
import { openDatabase } from '../database/open-database.ts';
import { History } from '../history.ts';
import { ExpectedRows, TABLES } from '../verification/expected-rows.ts';
import { StoredRows } from '../verification/stored-rows.ts';

const HOUR_MS = 3_600_000;
const KEPT_MS = 10 * HOUR_MS;
const START = Date.UTC(2026, 0, 5, 12);
const HASH = new Uint8Array(32).fill(1);
const COMMAND = { kind: CommandKind.tick } as const;

/** A batch: hours since the one before, and the orders that end in it, by the hours since they were placed. */
const toBatches = (hours: fc.Arbitrary<number>) =>
  fc.array(
    fc.record({
      hours,
      ends: fc.array(fc.tuple(fc.nat(3), fc.nat(40)), { maxLength: 6 }),
      rest: fc.boolean(),
    }),
    { minLength: 1, maxLength: 30 },
  );
/** Whole hours put rows at exactly the time from which they are kept. */
const batches = fc.oneof(
  toBatches(fc.double({ min: 0, max: 4, noNaN: true })),
  toBatches(fc.nat({ max: 4 })),
);
type Batch = { hours: number; ends: [number, number][]; rest: boolean };

interface Applied {
  readonly time: number;
  readonly events: Event[];
}

/** Returns events with ids as the engine gives them: those of orders grow with the time of placing. */
function apply(given: readonly Batch[]): Applied[] {
  let time = START;
  const ends = given.flatMap(({ hours, ends }, batch) => {
    time += Math.round(hours * HOUR_MS);
    return ends.map(([account, age]) => ({
      batch,
      time,
      account,
      createdAt: time - age * HOUR_MS,
    }));
  });
  const byAge = ends.toSorted((a, b) => a.createdAt - b.createdAt);
  const applied = given.map((): Applied['events'] => []);
  ends.forEach((end, index) => {
    const { account, createdAt } = end;
    const id = byAge.indexOf(end) + 1;
    applied[end.batch]!.push(
      order(id, account, createdAt, end.time),
      trade(index + 1, account, end.time),
      entry(index + 1, account, end.time),
    );
  });
  time = START;
  return given.map(({ hours }, batch) => {
    time += Math.round(hours * HOUR_MS);
    return { time, events: applied[batch]! };
  });
}

onEachDatabase(() => {
  test(
    'exactly the rows from the stored time on are kept, after any commits and restarts',
    async () => {
      await fc.assert(
        fc.asyncProperty(batches, async (given) => {
          await withTemporaryUrl(async (url, path) => {
            const applied = apply(given);
            let history = await History.open(url, KEPT_MS);
            for (const [index, { time, events }] of applied.entries()) {
              const sequence = index + 1;
              history.begin({ sequence, hash: HASH, time });
              history.record(sequence, 0, time, COMMAND, { kind: 'done' }, events);
              await history.commit(sequence, HASH);
              if (given[index]!.rest) continue;
              await history.close();
              history = await History.open(url, KEPT_MS);
            }
            const last = applied.at(-1)!.time;
            const since = Math.floor((last - KEPT_MS) / HOUR_MS) * HOUR_MS;
            expect(await history.keptSince()).toBe(since);
            await history.close();
            await expectKept(url, applied, since);
            if (path !== '') await expectVerified(path, applied, since);
          });
        }),
        { numRuns: runs(40), ...LIMITS },
      );
    },
    PROPERTY_TIMEOUT_MS,
  );

  test('without a period nothing is deleted', async () => {
    await withTemporaryUrl(async (url) => {
      const history = await History.open(url);
      for (const [index, time] of [START, START + 1000 * KEPT_MS].entries()) {
        const sequence = index + 1;
        history.begin({ sequence, hash: HASH, time });
        history.record(sequence, 0, time, COMMAND, { kind: 'done' }, [entry(sequence, 0, time)]);
        await history.commit(sequence, HASH);
      }
      expect(await history.keptSince()).toBe(0);
      await history.close();
      expect(await readRows(url, 'entries')).toHaveLength(2);
    });
  });

  test('many old rows are deleted by several commits, and later rows wait for none of them', async () => {
    await withTemporaryUrl(async (url) => {
      const all = await History.open(url);
      const rows = Array.from({ length: 5000 }, (_, index) => entry(index + 1, index % 3, START));
      all.begin({ sequence: 1, hash: HASH, time: START });
      all.record(1, 0, START, COMMAND, { kind: 'done' }, rows);
      await all.commit(1, HASH);
      await all.close();
      const history = await History.open(url, KEPT_MS);
      const left: number[] = [];
      for (let sequence = 2; left.at(-1) !== 0; sequence++) {
        history.begin({ sequence, hash: HASH, time: START + 2 * KEPT_MS });
        await history.commit(sequence, HASH);
        left.push((await readRows(url, 'entries')).length);
      }
      expect(left.length).toBeGreaterThan(4);
      expect(left.length).toBeLessThan(12);
      await history.close();
    });
  });

  test('the time never goes back, and a damaged one is found', async () => {
    await withTemporaryUrl(async (url) => {
      const first = await History.open(url, KEPT_MS);
      first.begin({ sequence: 1, hash: HASH, time: START });
      await first.commit(1, HASH);
      await first.close();
      const longer = await History.open(url, 2 * KEPT_MS);
      longer.begin({ sequence: 2, hash: HASH, time: START });
      await longer.commit(2, HASH);
      expect(await longer.keptSince()).toBe(START - KEPT_MS);
      await longer.close();
      const database = openDatabase(url);
      await database.run('UPDATE kept SET since = since + 1');
      await database.close();
      const damaged = await History.open(url);
      if (url.startsWith('sqlite')) await expect(damaged.keptSince()).rejects.toThrow('kept');
      await damaged.close();
    });
  });
});

async function expectKept(url: string, applied: readonly Applied[], since: number): Promise<void> {
  const kept = applied.filter(({ time }) => time >= since).flatMap(({ events }) => events);
  const ids = (kind: Event['kind']) =>
    kept
      .flatMap((event) => (event.kind === kind && 'id' in event ? [event.id] : []))
      .sort(byNumber);
  const stored = async (table: string, id: string) =>
    (await readRows(url, table)).map((row) => Number(row[id])).sort(byNumber);
  expect(await stored('orders', 'id')).toEqual(ids('order'));
  expect(await stored('entries', 'id')).toEqual(ids('entry'));
  const trades = ids('trade');
  expect(await stored('fills', 'trade_id')).toEqual([...trades, ...trades].sort(byNumber));
}

async function expectVerified(path: string, applied: readonly Applied[], since: number) {
  const expected = new ExpectedRows(since);
  for (const [index, { time, events }] of applied.entries()) {
    expected.record(index + 1, 0, time, COMMAND, { kind: 'done' }, events);
  }
  const stored = StoredRows.open(path);
  expect(await stored.keptSince()).toBe(since);
  for (const table of TABLES) {
    expect(stored.sumTable(table, since).equals(expected.tableSum(table.name))).toBe(true);
  }
  stored.close();
}

function byNumber(a: number, b: number): number {
  return a - b;
}

function order(id: number, account: number, createdAt: number, updatedAt: number): OrderRecord {
  return {
    kind: 'order',
    id,
    account,
    key: 0,
    market: 0,
    side: Side.buy,
    type: 0,
    timeInForce: 0,
    postOnly: false,
    selfTradePrevention: 0,
    price: 1,
    triggerPrice: 0,
    amount: 1,
    remaining: 0,
    cost: 0,
    filledCost: 1,
    fees: 0,
    status: OrderStatus.filled,
    reason: 0,
    clientOrderId: null,
    createdAt,
    updatedAt,
    lastFillAt: updatedAt,
    expiresAt: 0,
    attached: null,
    parentId: 0,
  };
}

function trade(id: number, account: number, time: number): TradeEvent {
  return {
    kind: 'trade',
    id,
    market: 0,
    price: 1,
    amount: 1,
    cost: 1,
    takerSide: Side.buy,
    makerOrderId: 1,
    makerAccount: account,
    makerFee: 0,
    makerEntryId: 1,
    makerGivenAfter: 0,
    makerReceivedAfter: 0,
    takerOrderId: 2,
    takerAccount: 9,
    takerFee: 0,
    takerEntryId: 4,
    takerGivenAfter: 0,
    takerReceivedAfter: 0,
    time,
  };
}

function entry(id: number, account: number, time: number): EntryEvent {
  const type = EntryType.hold;
  return { kind: 'entry', id, account, asset: 0, type, amount: 1, after: 1, reference: 1, time };
}
