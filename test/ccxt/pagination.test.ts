import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { buttonwood } from '../../src/client/ccxt/index.ts';
import { MINUTE_MS } from '../../src/config/durations.ts';
import { Venue } from './venue.ts';

/** CCXT's `paginate`: several pages with one call. */

const SYMBOL = 'BTC/USDT';
const TRADES = 12;
let venue: Venue;
let bot: buttonwood;
let start: number;

beforeAll(async () => {
  venue = await Venue.open();
  bot = venue.bot('alice');
  start = venue.exchange.now;
  for (let count = 0; count < TRADES; count++) {
    for (const [name, side] of [
      ['alice', 'sell'],
      ['bob', 'buy'],
    ] as const) {
      const order = { symbol: SYMBOL, side, type: 'limit', amount: 0.01, price: 118_000 + count };
      await venue.exchange.place(name, order);
    }
    const resting = { side: 'buy', type: 'limit', amount: 0.01, price: 1000 + count };
    await venue.exchange.place('alice', { symbol: SYMBOL, ...resting });
    venue.exchange.now += MINUTE_MS;
  }
});
afterAll(() => venue.close());

type Rows = Promise<unknown[]>;
const LISTS: [
  name: string,
  rows: number,
  read: (since: number | undefined, limit: number | undefined, params: object) => Rows,
][] = [
  ['fetchTrades', TRADES, (...terms) => bot.fetchTrades(SYMBOL, ...terms)],
  ['fetchMyTrades', TRADES, (...terms) => bot.fetchMyTrades(SYMBOL, ...terms)],
  ['fetchOrders', 2 * TRADES, (...terms) => bot.fetchOrders(SYMBOL, ...terms)],
  ['fetchOpenOrders', TRADES, (...terms) => bot.fetchOpenOrders(SYMBOL, ...terms)],
  ['fetchOpenOrdersWs', TRADES, (...terms) => bot.fetchOpenOrdersWs(SYMBOL, ...terms)],
  ['fetchClosedOrders', TRADES, (...terms) => bot.fetchClosedOrders(SYMBOL, ...terms)],
  // The balances that the account began with, and of each trade a hold, the trade and its fee.
  ['fetchLedger', 0, (...terms) => bot.fetchLedger('USDT', ...terms)],
  // The last candle is of the minute without a trade.
  ['fetchOHLCV', TRADES + 1, (...terms) => bot.fetchOHLCV(SYMBOL, '1m', ...terms)],
  ['fetchOHLCV of seconds', 0, (...terms) => bot.fetchOHLCV(SYMBOL, '1s', ...terms)],
];

test.each(LISTS)('%s', async (_, rows, read) => {
  const all = await read(start, 1000, {});
  if (rows > 0) expect(all).toHaveLength(rows);
  expect(all.length).toBeGreaterThanOrEqual(TRADES);
  for (const maxEntriesPerRequest of [1, 2, 5, 1000]) {
    for (const paginationCalls of [1, 3, 40]) {
      const params = { paginate: true, maxEntriesPerRequest, paginationCalls };
      const count = maxEntriesPerRequest * paginationCalls;
      expect(await read(start, undefined, params)).toEqual(all.slice(0, count));
      const latest = await read(undefined, undefined, params);
      // Without `since` it continues before `start`.
      expect(latest.slice(-Math.min(count, all.length))).toEqual(all.slice(-count));
      expect(latest.length).toBeLessThanOrEqual(count);
      const limited = await read(start, 4, params);
      expect(limited).toEqual(all.slice(0, Math.min(4, count)));
    }
  }
});

test('`until` ends the pages, and options may set the number of calls', async () => {
  const all = await bot.fetchTrades(SYMBOL, start, 1000);
  const until = all[7]!.timestamp!;
  const params = { paginate: true, until, maxEntriesPerRequest: 3, paginationDirection: 'forward' };
  expect(await bot.fetchTrades(SYMBOL, start, undefined, params)).toEqual(all.slice(0, 8));
  expect(await bot.fetchTrades(SYMBOL, undefined, undefined, params)).toEqual(all.slice(0, 8));
  const candles = await bot.fetchOHLCV(SYMBOL, '1m', undefined, undefined, params);
  expect(candles.at(-1)![0]).toBe(until);
  expect(candles).toHaveLength(8);
  const eager = venue.bot('alice', { options: { paginationCalls: 2 } });
  expect(await eager.fetchTrades(SYMBOL, start, undefined, params)).toEqual(all.slice(0, 6));
});

test('without `paginate` a call reads what its limit says', async () => {
  const trades = await bot.fetchTrades(SYMBOL, start, undefined, { paginate: false });
  expect(trades).toHaveLength(TRADES);
});
