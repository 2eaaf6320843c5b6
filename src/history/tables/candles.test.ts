import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { LIMITS, PROPERTY_TIMEOUT_MS } from '../../../test/history/temporary.ts';
import { INTERVALS, INTERVALS_MS, type Interval } from '../../config/intervals.ts';
import type { TradeEvent } from '../../engine/event.ts';
import { type Exact, exact } from '../../engine/numbers/exact.ts';
import { Side } from '../../engine/terms.ts';
import { openDatabase } from '../database/open-database.ts';
import { upgrade } from '../database/schema.ts';
import { type CandleFilter, candlePage } from '../queries/candle-page.ts';
import { CandleQueries } from '../queries/candle-queries.ts';
import { FillQueries } from '../queries/fill-queries.ts';
import { SecondCandles } from '../queries/second-candles.ts';
import { Pending, PendingRows } from '../writer/pending.ts';
import { type Candle, storeCandles } from './candles.ts';
import { fillsTable, toFills } from './fills.ts';

const DAY_MS = 86_400_000;
const TRADE = {
  kind: 'trade',
  market: 0,
  makerOrderId: 1,
  makerAccount: 1,
  makerFee: 0,
  makerEntryId: 1,
  makerGivenAfter: 0,
  makerReceivedAfter: 0,
  takerOrderId: 2,
  takerAccount: 2,
  takerFee: 0,
  takerEntryId: 4,
  takerGivenAfter: 0,
  takerReceivedAfter: 0,
} as const;
const START = Date.UTC(2026, 0, 1, 23, 50);

interface Deal {
  readonly wait: number;
  readonly price: number;
  readonly amount: number;
  readonly takerSide: Side;
  /** Whether all trades so far are committed after it. */
  readonly isStored: boolean;
}

const deals: fc.Arbitrary<Deal[]> = fc.array(
  fc.record({
    wait: fc.oneof(fc.nat(90_000), fc.nat(3_600_000), fc.nat(DAY_MS)),
    price: fc.integer({ min: 1, max: 1000 }),
    amount: fc.integer({ min: 1, max: 2 ** 50 }),
    takerSide: fc.constantFrom(Side.buy, Side.sell),
    isStored: fc.boolean(),
  }),
  { maxLength: 12 },
);

/** Trades of short intervals are closer together, those of months further apart. */
const WAIT_FACTORS: Partial<Record<Interval, number>> = { '1s': 0.0001, '1w': 5, '1M': 30 };

/** Returns the start of an interval by its definition in words. */
function naiveStart(interval: Interval, time: number): number {
  const date = new Date(time).toISOString();
  if (interval === '1M') return Date.parse(`${date.slice(0, 7)}-01T00:00:00Z`);
  let day = Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  if (interval === '3d') {
    while ((day / DAY_MS) % 3 !== 0) day -= DAY_MS;
    return day;
  }
  if (interval === '1w') {
    while (new Date(day).getUTCDay() !== 1) day -= DAY_MS;
    return day;
  }
  return time - (time % INTERVALS_MS[interval]);
}

/** Returns every candle from the first trade to `now`, each computed from all trades. */
function naive(trades: readonly TradeEvent[], interval: Interval, now: number): Candle[] {
  const candles: Candle[] = [];
  const first = trades[0];
  if (first === undefined) return [];
  const step = interval === '1M' ? 31 * DAY_MS : INTERVALS_MS[interval];
  const toStart = (time: number) => naiveStart(interval, time);
  for (let start = toStart(first.time); start <= now; start = toStart(start + step)) {
    const within = trades.filter(({ time }) => toStart(time) === start);
    const bought = within.filter(({ takerSide }) => takerSide === Side.buy);
    const prices = within.map(({ price }) => price);
    const before = trades.findLast(({ time }) => time < start)?.price ?? 0;
    candles.push({
      start,
      open: prices[0] ?? before,
      high: prices.length === 0 ? before : Math.max(...prices),
      low: prices.length === 0 ? before : Math.min(...prices),
      close: prices.at(-1) ?? before,
      baseVolume: exactSum(within.map(({ amount }) => amount)),
      quoteVolume: exactSum(within.map(({ cost }) => cost)),
      trades: within.length,
      takerBuyVolume: exactSum(bought.map(({ amount }) => amount)),
      takerBuyQuoteVolume: exactSum(bought.map(({ cost }) => cost)),
      firstTradeId: within[0]?.id ?? 0,
      lastTradeId: within.at(-1)?.id ?? 0,
      lastAmount: within.at(-1)?.amount ?? 0,
    });
  }
  return candles;
}

function exactSum(values: readonly Exact[]): number | bigint {
  const sum = values.reduce<bigint>((all, value) => all + BigInt(value), 0n);
  return sum <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sum) : sum;
}

interface World {
  readonly trades: readonly TradeEvent[];
  readonly candles: CandleQueries;
  readonly fills: FillQueries;
  close(): Promise<void>;
}

/** Stores trades, some of which wait for a commit. */
async function trade(list: readonly Deal[], factor: number): Promise<World> {
  const database = openDatabase('sqlite://:memory:');
  await upgrade(database);
  let waiting = new PendingRows();
  const pending = new Pending(() => [waiting]);
  const trades: TradeEvent[] = [];
  let time = START;
  let stored = 0;
  for (const { wait, price, amount, takerSide, isStored } of list) {
    time += Math.floor(wait * factor);
    const id = trades.length + 1;
    const event = {
      ...TRADE,
      id,
      time,
      price,
      amount,
      takerSide,
      cost: exact(BigInt(price) * BigInt(amount)),
    };
    trades.push(event);
    waiting.addEvents(1, 0, [event]);
    if (!isStored) continue;
    await storeCandles(database, [waiting.candles]);
    await database.insert(fillsTable, trades.slice(stored).flatMap(toFills));
    stored = trades.length;
    waiting = new PendingRows();
  }
  const candles = new CandleQueries(database, pending);
  return {
    trades,
    candles,
    fills: new FillQueries(database, pending),
    close: () => database.close(),
  };
}

test(
  'candles equal those computed from every trade, whatever is committed',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        deals,
        fc.constantFrom(...INTERVALS),
        fc.record(
          {
            since: fc.integer({ min: START - DAY_MS, max: START + DAY_MS * 8 }),
            until: fc.integer({ min: START - DAY_MS, max: START + DAY_MS * 8 }),
          },
          { requiredKeys: [] },
        ),
        fc.integer({ min: 1, max: 30 }),
        async (list, interval, range, limit) => {
          const factor = WAIT_FACTORS[interval] ?? 1;
          const world = await trade(list, factor);
          const scaled = (time?: number) =>
            time === undefined ? undefined : START + Math.floor((time - START) * factor);
          const [since, until] = [scaled(range.since), scaled(range.until)];
          const now = (world.trades.at(-1)?.time ?? START) + 100_000;
          const width = INTERVALS_MS[interval];
          const filter: CandleFilter = { market: 0, width, since, until, limit, now };
          const source = interval === '1s' ? new SecondCandles(world.fills, 1) : world.candles;
          const all = naive(world.trades, interval, now)
            .filter(({ start }) => since === undefined || start >= since)
            .filter(({ start }) => until === undefined || start <= until);
          expect(await candlePage(source, filter)).toEqual(
            since === undefined ? all.slice(-limit) : all.slice(0, limit),
          );
          await world.close();
        },
      ),
      { numRuns: 300, ...LIMITS },
    );
  },
  PROPERTY_TIMEOUT_MS,
);

test(
  'pages of one-second candles that stop at a number of trades continue without a gap',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        deals,
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        async (list, maxTrades, isForward) => {
          const world = await trade(list, 0.00002);
          const source = new SecondCandles(world.fills, 1, maxTrades);
          const now = (world.trades.at(-1)?.time ?? START) + 2000;
          const all = naive(world.trades, '1s', now);
          const common = { market: 0, width: 1000, limit: 5, now };
          const found: Candle[] = [];
          for (let [since, until] = [0, now]; ; ) {
            const page = await candlePage(
              source,
              isForward ? { ...common, since } : { ...common, until },
            );
            if (page.length === 0) break;
            if (isForward) found.push(...page);
            else found.unshift(...page);
            since = page.at(-1)!.start + 1000;
            until = page[0]!.start - 1000;
          }
          expect(found).toEqual(all);
          await world.close();
        },
      ),
      { numRuns: 150, ...LIMITS },
    );
  },
  PROPERTY_TIMEOUT_MS,
);
