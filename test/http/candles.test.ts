import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests GET /api/candles. */

let exchange: TestExchange;
const START = Date.UTC(2026, 0, 5, 12);
const at = (minute: number) => new Date(START + minute * 60_000).toISOString();

beforeAll(async () => {
  exchange = await TestExchange.open();
  for (const [minute, price, amount] of [
    [0, 1000, 1],
    [0.5, 1002, '0.00001234'],
    [0.6, 999.5, 2],
    [3, 1010, 0.5],
  ] as const) {
    exchange.now = START + minute * 60_000;
    const rest = `"symbol":"BTC/USDT","type":"limit","price":${price},"amount":${amount}`;
    const [maker, taker] = minute < 0.6 ? ['sell', 'buy'] : ['buy', 'sell'];
    await exchange.place(maker === 'sell' ? 'alice' : 'bob', `{${rest},"side":"${maker}"}`);
    await exchange.place(taker === 'sell' ? 'alice' : 'bob', `{${rest},"side":"${taker}"}`);
    if (minute === 0.5) await exchange.archive.flush();
  }
  exchange.now = START + 5 * 60_000;
});
afterAll(() => exchange.close());

const get = (query: string) => exchange.send(undefined, 'GET', `/api/candles${query}`);
const flat = (minute: number, price: number) => {
  const prices = { open: price, high: price, low: price, close: price };
  return { timestamp: at(minute), ...prices, ...NO_TRADES, closed: minute < 5 };
};
const NO_TRADES = {
  volume: 0,
  quoteVolume: 0,
  trades: 0,
  takerBuyVolume: 0,
  takerBuyQuoteVolume: 0,
  firstTradeId: null,
  lastTradeId: null,
};
/** Volumes of the candle of some trades, by their ids; the takers of the last two sold. */
const MADE = { 1: [1, 1000], 2: [0.00001234, 0.01236468], 3: [2, 1999], 4: [0.5, 505] } as const;
const volumes = (first: keyof typeof MADE, last: keyof typeof MADE, isClosed = true) => {
  const total = (ids: readonly number[], at: 0 | 1) =>
    ids.reduce((all, id) => Math.round((all + MADE[id as 1][at]) * 1e8) / 1e8, 0);
  const ids = [1, 2, 3, 4].filter((id) => id >= first && id <= last);
  const bought = ids.filter((id) => id <= 2);
  return {
    volume: total(ids, 0),
    quoteVolume: total(ids, 1),
    trades: ids.length,
    takerBuyVolume: total(bought, 0),
    takerBuyQuoteVolume: total(bought, 1),
    firstTradeId: `${first}`,
    lastTradeId: `${last}`,
    closed: isClosed,
  };
};

describe('GET /api/candles', () => {
  const first = { timestamp: at(0), open: 1000, high: 1002, low: 999.5, close: 999.5 };

  test('goes from the first trade to now, flat where nothing traded', async () => {
    const { data, text } = await get('?symbol=BTC/USDT&interval=1m');
    expect(data.candles).toEqual([
      { ...first, ...volumes(1, 3) },
      flat(1, 999.5),
      flat(2, 999.5),
      { timestamp: at(3), open: 1010, high: 1010, low: 1010, close: 1010, ...volumes(4, 4) },
      flat(4, 1010),
      flat(5, 1010),
    ]);
    expect(text).toContain('"volume":3.00001234,"quoteVolume":2999.01236468,"trades":3,');
  });

  test.each([
    ['5m', at(0)],
    ['15m', at(0)],
    ['30m', at(0)],
    ['1h', at(0)],
    ['2h', at(0)],
    ['4h', at(0)],
    ['6h', at(0)],
    ['8h', '2026-01-05T08:00:00.000Z'],
    ['12h', at(0)],
    ['1d', '2026-01-05T00:00:00.000Z'],
    ['3d', '2026-01-04T00:00:00.000Z'],
    ['1M', '2026-01-01T00:00:00.000Z'],
    ['1w', '2026-01-05T00:00:00.000Z'],
  ])('of %s', async (interval, timestamp) => {
    const { candles } = (await get(`?symbol=BTC/USDT&interval=${interval}&limit=1&since=0`)).data;
    const open = volumes(1, 4, interval === '5m');
    expect(candles).toEqual([{ ...first, timestamp, high: 1010, close: 1010, ...open }]);
  });

  test('of 3m', async () => {
    const { candles } = (await get('?symbol=BTC/USDT&interval=3m')).data;
    expect(candles).toEqual([
      { ...first, ...volumes(1, 3) },
      { timestamp: at(3), open: 1010, high: 1010, low: 1010, close: 1010, ...volumes(4, 4, false) },
    ]);
  });

  test('of 1s, made of trades', async () => {
    const { candles } = (await get('?symbol=BTC/USDT&interval=1s&since=0&limit=37')).data;
    const one = (price: number) => ({ open: price, high: price, low: price, close: price });
    expect(candles).toHaveLength(37);
    expect(candles[0]).toEqual({ timestamp: at(0), ...one(1000), ...volumes(1, 1) });
    expect(candles[29]).toEqual({ ...flat(0, 1000), timestamp: at(29 / 60) });
    expect(candles[30]).toEqual({ timestamp: at(0.5), ...one(1002), ...volumes(2, 2) });
    expect(candles[36]).toEqual({ timestamp: at(0.6), ...one(999.5), ...volumes(3, 3) });
    const last = (await get('?symbol=BTC/USDT&interval=1s&limit=2')).data.candles;
    expect(last).toEqual([{ ...flat(0, 1010), timestamp: at(5 - 1 / 60) }, flat(5, 1010)]);
  });

  test.each([
    [`since=${at(1)}`, [1, 2, 3, 4, 5]],
    [`since=${START + 1}&limit=2`, [1, 2]],
    [`until=${at(2)}`, [0, 1, 2]],
    [`until=${at(2)}&limit=2`, [1, 2]],
    [`since=${at(9)}`, []],
    ['limit=2', [4, 5]],
    ['', [0, 1, 2, 3, 4, 5]],
  ])('"%s"', async (query, minutes) => {
    const { candles } = (await get(`?symbol=BTC/USDT&${query}`)).data;
    const times = candles.map(({ timestamp }: { timestamp: string }) => timestamp);
    expect(times).toEqual(minutes.map(at));
  });

  test('a market without a trade has none', async () => {
    expect((await get('?symbol=ETH/BTC')).data).toEqual({ candles: [] });
  });

  test.each([
    ['', 'INVALID_SYMBOL', 'symbol'],
    ['?symbol=NO/NO', 'INVALID_SYMBOL', 'symbol'],
    ['?symbol=BTC/USDT&interval=2m', 'INVALID_REQUEST', 'interval'],
    ['?symbol=BTC/USDT&limit=1001', 'INVALID_REQUEST', 'limit'],
    ['?symbol=BTC/USDT&since=x', 'INVALID_REQUEST', 'since'],
    ['?symbol=BTC/USDT&sort=asc', 'INVALID_REQUEST', 'sort'],
  ])('rejects "%s"', async (query, code, field) => {
    const answer = await get(query);
    expect([answer.status, answer.code, answer.details.field]).toEqual([400, code, field]);
  });
});

test('a clock that was set back hides no trade', async () => {
  const late = await TestExchange.open();
  const order = { symbol: 'BTC/USDT', type: 'limit', price: 1000, amount: 1 };
  const lastCandle = async () => {
    const { data } = await late.send(undefined, 'GET', '/api/candles?symbol=BTC/USDT&limit=1');
    return data.candles[0];
  };
  await late.place('alice', { ...order, side: 'sell' });
  await late.place('bob', { ...order, side: 'buy' });
  const before = await lastCandle();
  late.now -= 3_600_000;
  expect(await lastCandle()).toEqual(before);
  await late.place('alice', { ...order, side: 'sell', price: 1001 });
  await late.place('bob', { ...order, side: 'buy', price: 1001 });
  const more = { volume: 2, quoteVolume: 2001, trades: 2, lastTradeId: '2' };
  const taken = { takerBuyVolume: 2, takerBuyQuoteVolume: 2001 };
  expect(await lastCandle()).toEqual({ ...before, high: 1001, close: 1001, ...more, ...taken });
  await late.close();
});
