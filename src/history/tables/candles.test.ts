import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { LIMITS, PROPERTY_TIMEOUT_MS } from '../../../test/history/temporary.ts';
import type { TradeEvent } from '../../engine/event.ts';
import { openDatabase } from '../database/open-database.ts';
import { upgrade } from '../database/schema.ts';
import { type CandleFilter, candlePage, candleStart } from '../queries/candle-page.ts';
import { CandleQueries } from '../queries/candle-queries.ts';
import { Pending, PendingRows } from '../writer/pending.ts';
import { type Candle, storeCandles } from './candles.ts';

const WIDTHS = [1, 5, 15, 30, 60, 240, 1440, 10_080].map((minutes) => minutes * 60_000);
const START = Date.UTC(2026, 0, 1, 23, 50);

interface Deal {
  readonly waitMs: number;
  readonly price: number;
  readonly amount: number;
  /** Whether all trades so far are committed after it. */
  readonly isStored: boolean;
}

const deals: fc.Arbitrary<Deal[]> = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.nat(90_000), fc.nat(3_600_000), fc.nat(86_400_000)),
    price: fc.integer({ min: 1, max: 1000 }),
    amount: fc.integer({ min: 1, max: 2 ** 50 }),
    isStored: fc.boolean(),
  }),
  { maxLength: 12 },
);

/** Every candle from the first trade to `now`, each computed from all trades. */
function naive(trades: readonly TradeEvent[], width: number, now: number): Candle[] {
  const candles: Candle[] = [];
  const first = trades[0];
  if (first === undefined) return [];
  for (let start = candleStart(first.time, width); start <= now; start += width) {
    const within = trades.filter(({ time }) => time >= start && time < start + width);
    const prices = within.map(({ price }) => price);
    const before = trades.findLast(({ time }) => time < start)?.price ?? 0;
    candles.push({
      start,
      open: prices[0] ?? before,
      high: prices.length === 0 ? before : Math.max(...prices),
      low: prices.length === 0 ? before : Math.min(...prices),
      close: prices.at(-1) ?? before,
      baseVolume: exactSum(within.map(({ amount }) => amount)),
      quoteVolume: exactSum(within.map(({ cost }) => Number(cost))),
      trades: within.length,
    });
  }
  return candles;
}

function exactSum(values: readonly number[]): number | bigint {
  const sum = values.reduce((all, value) => all + BigInt(value), 0n);
  return sum <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sum) : sum;
}

test(
  'candles equal those computed from every trade, whatever is committed',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        deals,
        fc.constantFrom(...WIDTHS),
        fc.record(
          {
            since: fc.integer({ min: START - 86_400_000, max: START + 86_400_000 * 8 }),
            until: fc.integer({ min: START - 86_400_000, max: START + 86_400_000 * 8 }),
          },
          { requiredKeys: [] },
        ),
        fc.integer({ min: 1, max: 30 }),
        async (list, width, { since, until }, limit) => {
          const database = openDatabase('sqlite://:memory:');
          await upgrade(database);
          let waiting = new PendingRows();
          const pending = new Pending(() => [waiting]);
          const trades: TradeEvent[] = [];
          let time = START;
          for (const { waitMs, price, amount, isStored } of list) {
            time += waitMs;
            const trade = { market: 0, time, price, amount, cost: amount } as TradeEvent;
            trades.push(trade);
            waiting.candles.add(trade);
            if (!isStored) continue;
            await storeCandles(database, [waiting.candles]);
            waiting = new PendingRows();
          }
          const now = time + 100_000;
          const filter: CandleFilter = { market: 0, width, since, until, limit, now };
          const page = await candlePage(new CandleQueries(database, pending), filter);
          const all = naive(trades, width, now)
            .filter(({ start }) => since === undefined || start >= since)
            .filter(({ start }) => until === undefined || start <= until);
          expect(page).toEqual(since === undefined ? all.slice(-limit) : all.slice(0, limit));
          await database.close();
        },
      ),
      { numRuns: 150, ...LIMITS },
    );
  },
  PROPERTY_TIMEOUT_MS,
);
