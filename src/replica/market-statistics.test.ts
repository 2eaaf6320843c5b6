import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { LIMITS } from '../../test/history/temporary.ts';
import { DAY_MS, MINUTE_MS } from '../config/durations.ts';
import type { TradeEvent } from '../engine/event.ts';
import { exact } from '../engine/numbers/exact.ts';
import { openDatabase } from '../history/database/open-database.ts';
import { upgrade } from '../history/database/schema.ts';
import { CandleQueries } from '../history/queries/candle-queries.ts';
import { storeCandles } from '../history/tables/candles.ts';
import { Pending, PendingRows } from '../history/writer/pending.ts';
import { type DayStatistics, MarketStatistics } from './market-statistics.ts';

const START = Date.UTC(2026, 0, 5, 23, 59, 30);

const steps = fc.array(
  fc.record({
    waitMs: fc.oneof(
      fc.nat(1_000),
      fc.nat(90_000),
      fc.nat(DAY_MS),
      fc.integer({ min: DAY_MS - 2 * MINUTE_MS, max: DAY_MS + 2 * MINUTE_MS }),
    ),
    price: fc.integer({ min: 1, max: 1000 }),
    amount: fc.integer({ min: 1, max: 2 ** 52 }),
    trades: fc.boolean(),
    restarts: fc.boolean(),
    windowMinutes: fc.oneof(fc.nat(5), fc.nat(1440), fc.constant(1440)),
  }),
  { maxLength: 20 },
);

/** The same figures computed from every trade. */
function naive(
  trades: readonly TradeEvent[],
  now: number,
  from = now - (now % MINUTE_MS) - DAY_MS + MINUTE_MS,
): DayStatistics {
  const within = trades.filter(({ time }) => time >= from);
  const prices = within.map(({ price }) => price);
  const total = (values: readonly (number | bigint)[]) =>
    exact(values.reduce((all: bigint, value) => all + BigInt(value), 0n));
  return {
    open: prices[0],
    high: prices.length === 0 ? undefined : Math.max(...prices),
    low: prices.length === 0 ? undefined : Math.min(...prices),
    baseVolume: total(within.map(({ amount }) => amount)),
    quoteVolume: total(within.map(({ cost }) => cost)),
    trades: within.length,
    firstTradeId: within[0]?.id,
    lastTradeId: within.at(-1)?.id,
    lastAmount: within.at(-1)?.amount,
    previousClose: trades.findLast(({ time }) => time < from)?.price,
    openTime: from,
  };
}

test('figures of 24 h and of shorter windows equal those computed from every trade, also after a restart', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const database = openDatabase('sqlite://:memory:');
      await upgrade(database);
      let waiting = new PendingRows();
      const pending = new Pending(() => [waiting]);
      const queries = new CandleQueries(database, pending);
      let statistics = new MarketStatistics([]);
      const trades: TradeEvent[] = [];
      let now = START;
      for (const { waitMs, price, amount, trades: isTrade, restarts, windowMinutes } of list) {
        now += waitMs;
        if (isTrade) {
          const id = trades.length + 1;
          const trade = { id, market: 0, time: now, price, amount, cost: amount } as TradeEvent;
          trades.push(trade);
          waiting.candles.add(trade);
          statistics.add(trade);
        }
        if (restarts) {
          await storeCandles(database, [waiting.candles]);
          waiting = new PendingRows();
          const minutes = await queries.traded(
            0,
            MINUTE_MS,
            (time) => time,
            now - DAY_MS - MINUTE_MS,
            Infinity,
          );
          const previous = await queries.priceBefore(0, now - DAY_MS - MINUTE_MS);
          statistics = new MarketStatistics(minutes, previous);
        }
        expect(statistics.at(now)).toEqual(naive(trades, now));
        const openTime = now - (now % MINUTE_MS) - windowMinutes * MINUTE_MS;
        expect(statistics.since(openTime, now)).toEqual(naive(trades, now, openTime));
      }
      await database.close();
    }),
    { numRuns: 150, ...LIMITS },
  );
});
