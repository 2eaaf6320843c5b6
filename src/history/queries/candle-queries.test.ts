import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkAsync } from '../../../test/check.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../config/durations.ts';
import { addIntervals, INTERVALS_MS, intervalStart } from '../../config/intervals.ts';
import type { TradeEvent } from '../../engine/event.ts';
import { openDatabase } from '../database/open-database.ts';
import { upgrade } from '../database/schema.ts';
import { fold, storeCandles, toCandle } from '../tables/candles.ts';
import { Pending, PendingRows } from '../writer/pending.ts';
import { candlePage } from './candle-page.ts';
import { CandleQueries } from './candle-queries.ts';

const START = Date.UTC(2026, 0, 30, 22, 17, 30);

const waits = fc.array(
  fc.oneof(fc.nat(90_000), fc.nat(3 * HOUR_MS), fc.nat(2 * DAY_MS), fc.nat(9 * DAY_MS)),
  { minLength: 1, maxLength: 25 },
);

/** Makes a trade after each wait, of which the first `stored` are in the database. */
async function open(waitsMs: readonly number[], stored: number) {
  const database = openDatabase('sqlite://:memory:');
  await upgrade(database);
  const rows = [new PendingRows(), new PendingRows()];
  let time = START;
  const trades = waitsMs.map((waitMs, index) => {
    time += waitMs;
    const terms = { id: index + 1, market: 0, takerSide: index % 2, time };
    return { ...terms, price: 100 + ((index * 7) % 13), amount: 1 + index, cost: 5 } as TradeEvent;
  });
  for (const [index, trade] of trades.entries()) rows[index < stored ? 0 : 1]!.candles.add(trade);
  await storeCandles(database, [rows[0]!.candles]);
  const queries = new CandleQueries(database, new Pending(() => [rows[1]!]));
  return { trades, end: time, queries, close: () => database.close() };
}

const place = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), minutes: fc.nat(90) });

test('the candle of any period has all its trades', async () => {
  await checkAsync(
    fc.asyncProperty(waits, fc.nat(25), place, place, async (list, stored, one, two) => {
      const { trades, end, queries, close } = await open(list, stored);
      const minute = ({ at, minutes }: { at: number; minutes: number }) =>
        intervalStart(START + at * (end - START), MINUTE_MS) + (minutes - 45) * MINUTE_MS;
      const [from, to] = [minute(one), minute(two)].sort((a, b) => a - b) as [number, number];
      const within = trades.filter(({ time }) => time >= from && time < to);
      const [expected] = fold(
        within.map((trade) => toCandle(trade, trade.time)),
        () => from,
      );
      expect(await queries.total(0, from, to)).toEqual(expected);
      await close();
    }),
    60,
  );
});

test('candles of a time zone begin at its hours, days, weeks and months', async () => {
  const widths = Object.values(INTERVALS_MS).filter((width) => width >= 30 * MINUTE_MS);
  const zones = fc.integer({ min: -48, max: 56 }).map((quarters) => quarters * 15 * MINUTE_MS);
  await checkAsync(
    fc.asyncProperty(
      waits,
      fc.nat(25),
      fc.constantFrom(...widths),
      zones,
      async (list, stored, width, zoneMs) => {
        const { trades, end, queries, close } = await open(list, stored);
        const filter = { market: 0, width, zoneMs, limit: 5000, now: end };
        const page = await candlePage(queries, filter);
        const traded = fold(
          trades.map((trade) => toCandle(trade, trade.time)),
          (time) => intervalStart(time + zoneMs, width) - zoneMs,
        );
        expect(page.filter((candle) => candle.trades > 0)).toEqual(traded);
        page.forEach(({ start }, index) => {
          const next = addIntervals(page[0]!.start + zoneMs, width, index) - zoneMs;
          expect(start).toBe(next);
        });
        await close();
      },
    ),
    60,
  );
});
