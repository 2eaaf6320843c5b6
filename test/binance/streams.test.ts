import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { BinanceVenue, type Json, toForm } from './venue.ts';

/** Tests the market data streams of the dialect over real sockets. */

const START = Date.UTC(2026, 0, 5, 12);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let venue: BinanceVenue;

beforeEach(async () => {
  venue = await BinanceVenue.open();
});
afterEach(() => venue.close());

const trade = {
  e: 'trade',
  E: 1672515782136,
  s: 'BNBBTC',
  t: 12345,
  p: '0.001',
  q: '100',
  T: 1672515782136,
  m: true,
  M: true,
};
const { t: _, ...shared } = trade;
const aggregated = { ...shared, e: 'aggTrade', a: 12345, f: 100, l: 105 };
const kline = {
  e: 'kline',
  E: 1672515782136,
  s: 'BNBBTC',
  k: {
    t: 1672515780000,
    T: 1672515839999,
    s: 'BNBBTC',
    i: '1m',
    f: 100,
    L: 200,
    o: '0.0010',
    c: '0.0020',
    h: '0.0025',
    l: '0.0015',
    v: '1000',
    n: 100,
    x: false,
    q: '1.0000',
    V: '500',
    Q: '0.500',
    B: '123456',
  },
};
const mini = {
  e: '24hrMiniTicker',
  E: 1672515782136,
  s: 'BNBBTC',
  c: '0.0025',
  o: '0.0010',
  h: '0.0025',
  l: '0.0010',
  v: '10000',
  q: '18',
};
const figures = {
  p: '0.0015',
  P: '250.00',
  w: '0.0018',
  O: 0,
  C: 86400000,
  F: 0,
  L: 18150,
  n: 18151,
};
const windowTicker = { ...mini, ...figures, e: '1hTicker' };
const best = { b: '0.0024', B: '10', a: '0.0026', A: '100' };
const ticker = { ...windowTicker, ...best, e: '24hrTicker', x: '0.0009', Q: '10' };
const average = {
  e: 'avgPrice',
  E: 1693907033000,
  s: 'BTCUSDT',
  i: '5m',
  w: '25776.86000000',
  T: 1693907032213,
};
const partial = { lastUpdateId: 160, bids: [['0.0024', '10']], asks: [['0.0026', '100']] };

describe('names and types of fields are those of the documents', () => {
  test('of all streams with values', async () => {
    const examples: Readonly<Record<string, Json>> = {
      'btcusdt@trade': trade,
      'btcusdt@aggTrade': aggregated,
      'btcusdt@kline_1m': kline,
      'btcusdt@kline_1s': kline,
      'btcusdt@kline_1d@+08:00': kline,
      'btcusdt@miniTicker': mini,
      '!miniTicker@arr': [mini],
      'btcusdt@ticker': ticker,
      '!ticker@arr': [ticker],
      'btcusdt@ticker_1h': windowTicker,
      'btcusdt@ticker_4h': { ...windowTicker, e: '4hTicker' },
      'btcusdt@ticker_1d': { ...windowTicker, e: '1dTicker' },
      '!ticker_1h@arr': [windowTicker],
      'btcusdt@bookTicker': { u: 400900217, s: 'BNBUSDT', ...best },
      'btcusdt@avgPrice': average,
      'btcusdt@depth5': partial,
      'btcusdt@depth20@100ms': partial,
    };
    await venue.order('alice', 'buy', 90_000, 1);
    await venue.order('alice', 'sell', 120_000, 1);
    const bot = await venue.connect(`/stream?streams=${Object.keys(examples).join('/')}`);
    await venue.trade(100_000, 1);
    for (const [name, example] of Object.entries(examples)) {
      const { data } = await bot.keep(({ stream, data }) => stream === name && isAfterTrade(data));
      const shown = Array.isArray(data) ? data.slice(0, 1) : data;
      expect({ name, form: toForm(shown) }).toEqual({ name, form: toForm(example) });
      const [event, expected] = [shown, example].map((each) =>
        Array.isArray(each) ? each[0] : each,
      );
      expect(event.e).toBe(expected.e);
    }
  });

  /** Whether a message shows the trade. Some streams begin with the values before it. */
  function isAfterTrade(data: Json): boolean {
    const { c, k, w } = Array.isArray(data) ? data[0] : data;
    return [c, k?.c, w].every((price) => price === undefined || price === '100000.00000000');
  }

  test('depth', async () => {
    const bot = await venue.connect('/ws/btcusdt@depth@100ms');
    await venue.order('alice', 'buy', 90_000, 1);
    await venue.order('alice', 'sell', 120_000, 1);
    const updates: Json[] = [];
    while (updates.at(-1)?.a.length !== 1) updates.push(await bot.find(({ e }) => e !== undefined));
    for (const update of updates) {
      expect(Object.keys(update).sort()).toEqual(['E', 'U', 'a', 'b', 'e', 's', 'u']);
    }
    expect(updates.at(-1).a).toEqual([['120000.00000000', '1.00000000']]);
  });
});

test('raw streams are not wrapped, and several may be in one path', async () => {
  const bot = await venue.connect('/ws/btcusdt@trade/btcusdt@bookTicker');
  await venue.trade(100_000, 1);
  const found = await bot.find(({ e }) => e === 'trade');
  expect(found).toMatchObject({ s: 'BTCUSDT', p: '100000.00000000', q: '1.00000000', m: false });
});

test('trades and aggregated trades are those of REST', async () => {
  const bot = await venue.connect('/stream?streams=btcusdt@trade/btcusdt@aggTrade');
  await venue.order('alice', 'sell', 100_000, 1);
  await venue.order('alice', 'sell', 100_000, 2);
  await venue.order('alice', 'sell', 100_001, 3);
  await venue.order('bob', 'buy', 100_001, 4);
  await venue.order('bob', 'buy', 100_001, 1);
  await venue.trade(100_002, 1, 'sell');
  await bot.keep(({ data }) => data.e === 'aggTrade' && data.p === '100002.00000000');
  await bot.keep(({ data }) => data.e === 'trade' && data.p === '100002.00000000');
  const sent = (type: string) => bot.messages.map(({ data }) => data).filter(({ e }) => e === type);
  const { json: aggregates } = await venue.get('/api/v3/aggTrades?symbol=BTCUSDT');
  expect(aggregates.map(({ q }: Json) => Number(q))).toEqual([3, 1, 1, 1]);
  expect(sent('aggTrade').map(({ e, E, s, ...fields }) => fields)).toEqual(aggregates);
  const { json: trades } = await venue.get('/api/v3/trades?symbol=BTCUSDT');
  expect(sent('trade').map(({ t, p, q, T, m, M }) => [t, p, q, T, m, M])).toEqual(
    trades.map((each: Json) => [
      ...[each.id, each.price, each.qty, each.time, each.isBuyerMaker, each.isBestMatch],
    ]),
  );
});

describe('klines', () => {
  test('are those of REST at every trade, and end with their interval', async () => {
    await venue.trade(100_000, 1);
    const bot = await venue.connect('/ws/btcusdt@kline_1m');
    await bot.find(({ k }) => k.n === 1);
    venue.exchange.now = START + 10_000;
    await venue.trade(101_000, '0.5', 'sell');
    const open = await bot.find(({ k }) => k.n === 2);
    expect(toRest(open.k)).toEqual(await latestKline());
    expect(open.k.x).toBe(false);
    venue.exchange.now = START + MINUTE_MS + 1000;
    const closed = await bot.find(({ k }) => k.x);
    expect({ ...closed.k, x: false }).toEqual(open.k);
    const next = await bot.find(({ k }) => !k.x);
    expect(next.k).toMatchObject({ t: START + MINUTE_MS, n: 0, o: '101000.00000000', f: -1 });
    expect(toRest(next.k)).toEqual(await latestKline());
    await venue.trade(99_000, '0.25');
    const traded = await bot.find(({ k }) => k.n === 1);
    expect(toRest(traded.k)).toEqual(await latestKline());
  });

  test('include the trades during their query to history once', async () => {
    await venue.trade(100_000, 1);
    const { archivist } = venue.exchange;
    const query = archivist.query.bind(archivist);
    const held = Promise.withResolvers<void>();
    const isAsked = Promise.withResolvers<void>();
    archivist.query = async (...terms) => {
      isAsked.resolve();
      await held.promise;
      return query(...terms);
    };
    const bot = await venue.connect('/ws/btcusdt@kline_5m');
    await isAsked.promise;
    await venue.trade(101_000, 2);
    held.resolve();
    archivist.query = query;
    const { k } = await bot.find((message) => message.k.n >= 2);
    expect(toRest(k)).toEqual(await latestKline('5m'));
  });

  async function latestKline(interval = '1m'): Promise<Json> {
    const path = `/api/v3/klines?symbol=BTCUSDT&interval=${interval}&limit=1`;
    return (await venue.get(path)).json[0];
  }

  function toRest({ t, o, h, l, c, v, T, q, n, V, Q }: Json): Json {
    return [t, o, h, l, c, v, T, q, n, V, Q, '0'];
  }
});

test('tickers are those of REST, and change as trades leave their window', async () => {
  await venue.trade(100_000, 1);
  const names = ['btcusdt@ticker', 'btcusdt@miniTicker', 'btcusdt@ticker_1h', '!miniTicker@arr'];
  const bot = await venue.connect(`/stream?streams=${names.join('/')}`);
  const { data } = await bot.find(({ stream }) => stream === 'btcusdt@ticker');
  const { json } = await venue.get('/api/v3/ticker/24hr?symbol=BTCUSDT');
  expect({
    ...{ p: data.p, P: data.P, w: data.w, x: data.x, c: data.c, Q: data.Q, b: data.b },
    ...{ o: data.o, v: data.v, q: data.q, O: data.O, F: data.F, L: data.L, n: data.n },
  }).toEqual({
    p: json.priceChange,
    P: json.priceChangePercent,
    w: json.weightedAvgPrice,
    x: json.prevClosePrice,
    c: json.lastPrice,
    Q: json.lastQty,
    b: json.bidPrice,
    o: json.openPrice,
    v: json.volume,
    q: json.quoteVolume,
    O: json.openTime,
    F: json.firstId,
    L: json.lastId,
    n: json.count,
  });
  venue.exchange.now = START + 61 * MINUTE_MS;
  await bot.find(({ stream, data }) => stream === 'btcusdt@ticker_1h' && data.n === 0);
  venue.exchange.now = START + DAY_MS;
  await bot.find(({ stream, data }) => stream === 'btcusdt@miniTicker' && data.v === '0.00000000');
  await venue.trade(101_000, 2);
  const { data: all } = await bot.find(({ stream, data }) => {
    return stream === '!miniTicker@arr' && data[0].c === '101000.00000000';
  });
  expect(all.map(({ s }: Json) => s)).toEqual(['BTCUSDT']);
});

test('a book ticker has every change of the best prices, and no others', async () => {
  const bot = await venue.connect('/ws/btcusdt@bookTicker');
  await bot.find(({ u }) => u === 0);
  await venue.order('alice', 'buy', 100_000, 1);
  await venue.order('alice', 'buy', 99_000, 1);
  await venue.order('alice', 'buy', 100_000, 1);
  await venue.order('alice', 'sell', 101_000, 1);
  await bot.keep(({ a }) => a === '101000.00000000');
  expect(bot.messages.map(({ B }) => B)).toEqual(['1.00000000', '2.00000000', '2.00000000']);
  bot.messages.length = 0;
  await venue.order('alice', 'buy', 98_000, 1);
  await venue.trade(100_500, 1);
  const last = await bot.keep(({ a }) => a === '100500.00000000');
  expect(last).toMatchObject({ b: '100000.00000000', B: '2.00000000', A: '1.00000000' });
  await bot.keep(({ u, a }) => u > last.u && a === '101000.00000000');
  expect(bot.messages.map(({ a }) => a)).toEqual(['100500.00000000', '101000.00000000']);
});

test('partial books come once a second even if nothing changes', async () => {
  await venue.order('alice', 'buy', 100_000, 1);
  const bot = await venue.connect('/ws/btcusdt@depth5@100ms');
  const first = await bot.find(({ bids }) => bids.length === 1);
  const { json } = await venue.get('/api/v3/depth?symbol=BTCUSDT&limit=5');
  expect(first).toEqual(json);
  const start = performance.now();
  for (let count = 0; count < 3; count++) {
    expect(await bot.find(({ lastUpdateId }) => lastUpdateId !== undefined)).toEqual(first);
  }
  expect(performance.now() - start).toBeGreaterThan(900);
});

test('a server that stops announces it', async () => {
  const raw = await venue.connect('/ws/btcusdt@trade');
  const combined = await venue.connect('/stream?streams=btcusdt@trade');
  await venue.server.stop();
  expect(await raw.find(({ e }) => e === 'serverShutdown')).toEqual({
    e: 'serverShutdown',
    E: START,
  });
  const { stream, data } = await combined.find((message) => message.data.e === 'serverShutdown');
  expect({ stream, data }).toEqual({
    stream: '!serverShutdown',
    data: { e: 'serverShutdown', E: START },
  });
  expect((await raw.closed).code).toBe(1001);
});
