import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BinanceVenue, type Json, toForm } from './venue.ts';

/** Tests the market data of the dialect's REST API, and of its WebSocket API. */

/** The sandbox begins four days earlier. */
const START = Date.UTC(2026, 0, 9, 12);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Minutes after START, with the price, the amount and the side of the taker. */
const TRADES = [
  [-3 * 24 * 60, 90_000, '0.5', 'buy'],
  [-70, 100_000, '1', 'buy'],
  [-30, 101_000, '0.25', 'sell'],
  [-30, 101_000, '0.00001234', 'sell'],
  [-3, 99_000, '2', 'buy'],
  [0, 102_000, '0.75', 'sell'],
] as const;

let venue: BinanceVenue;

beforeAll(async () => {
  venue = await BinanceVenue.open();
  for (const [minutes, price, amount, taker] of TRADES) {
    venue.exchange.now = START + minutes * MINUTE_MS;
    await venue.trade(price, amount, taker);
    if (minutes === -70) await venue.exchange.archive.flush();
  }
  venue.exchange.now = START + 30_500;
  await venue.order('alice', 'sell', 103_000, '0.4');
  await venue.order('bob', 'buy', 98_000, '0.3');
});
afterAll(() => venue.close());

const get = async (path: string): Promise<Json> => {
  const { status, json } = await venue.get(`/api/v3${path}`);
  expect({ path, status, json }).toMatchObject({ status: 200 });
  return json;
};

const trade = {
  id: 28457,
  price: '4.00000100',
  qty: '12.00000000',
  quoteQty: '48.000012',
  time: 1499865549590,
  isBuyerMaker: true,
  isBestMatch: true,
};
const aggregated = {
  a: 26129,
  p: '0.01633102',
  q: '4.70443515',
  f: 27781,
  l: 27781,
  T: 1498793709153,
  m: true,
  M: true,
};
const mini = {
  symbol: 'LTCBTC',
  openPrice: '0.10000000',
  highPrice: '2.00000000',
  lowPrice: '0.10000000',
  lastPrice: '2.00000000',
  volume: '39.00000000',
  quoteVolume: '13.40000000',
  openTime: 1656986580000,
  closeTime: 1657001016795,
  firstId: 0,
  lastId: 34,
  count: 35,
};
const full = {
  ...mini,
  priceChange: '-8.00000000',
  priceChangePercent: '-88.889',
  weightedAvgPrice: '2.60427807',
};
const day = {
  ...full,
  prevClosePrice: '0.10002000',
  lastQty: '200.00000000',
  bidPrice: '4.00000000',
  bidQty: '100.00000000',
  askPrice: '4.00000200',
  askQty: '100.00000000',
};
const price = { symbol: 'LTCBTC', price: '4.00000200' };
const book = {
  symbol: 'LTCBTC',
  bidPrice: '4.00000000',
  bidQty: '431.00000000',
  askPrice: '4.00000200',
  askQty: '9.00000000',
};
const kline = [
  1499040000000,
  '0.01634790',
  '0.80000000',
  '0.01575800',
  '0.01577100',
  '148976.11427815',
  1499644799999,
  '2434.19055334',
  308,
  '1756.87402397',
  '28.46694368',
  '0',
];
const BOTH = encodeURIComponent('["BTCUSDT","ETHUSDT"]');

describe('names and types of fields are those of the documents', () => {
  test.each([
    ['/trades?symbol=BTCUSDT&limit=1', [trade]],
    ['/historicalTrades?symbol=BTCUSDT&limit=1', [trade]],
    ['/aggTrades?symbol=BTCUSDT&limit=1', [aggregated]],
    ['/klines?symbol=BTCUSDT&interval=1m&limit=1', [kline]],
    ['/uiKlines?symbol=BTCUSDT&interval=1d&limit=1', [kline]],
    ['/avgPrice?symbol=BTCUSDT', { mins: 5, price: '9.35751834', closeTime: 1694061154503 }],
    ['/ticker/24hr?symbol=BTCUSDT', day],
    [`/ticker/24hr?symbols=${BOTH}`, [day, day]],
    ['/ticker/24hr?symbol=BTCUSDT&type=MINI', mini],
    [`/ticker/24hr?symbols=${BOTH}&type=MINI`, [mini, mini]],
    ['/ticker/tradingDay?symbol=BTCUSDT', full],
    [`/ticker/tradingDay?symbols=${BOTH}`, [full, full]],
    ['/ticker/tradingDay?symbol=BTCUSDT&type=MINI', mini],
    ['/ticker?symbol=BTCUSDT', full],
    [`/ticker?symbols=${BOTH}`, [full, full]],
    ['/ticker?symbol=BTCUSDT&type=MINI', mini],
    ['/ticker?symbol=BTCUSDT&windowSize=7d', full],
    ['/ticker/price?symbol=BTCUSDT', price],
    [`/ticker/price?symbols=${BOTH}`, [price, price]],
    ['/ticker/bookTicker?symbol=BTCUSDT', book],
    [`/ticker/bookTicker?symbols=${BOTH}`, [book, book]],
    [
      '/depth?symbol=BTCUSDT',
      { lastUpdateId: 1027024, bids: [['4.0', '431.0']], asks: [['4.2', '12.0']] },
    ],
  ])('%s', async (path, example) => {
    expect(toForm(await get(path))).toEqual(toForm(example));
  });

  test('every decimal has 8 decimals, except percentages', async () => {
    const { priceChangePercent, symbol, ...rest } = await get('/ticker/24hr?symbol=BTCUSDT');
    expect(symbol).toBe('BTCUSDT');
    expect(priceChangePercent).toBe('2.000');
    for (const value of Object.values(rest)) {
      if (typeof value === 'string') expect(value).toMatch(/^-?\d+\.\d{8}$/);
    }
  });

  test('without symbols all of them are returned', async () => {
    for (const path of ['/ticker/24hr', '/ticker/price', '/ticker/bookTicker']) {
      const all = await get(path);
      expect(all.length).toBe(venue.exchange.state.markets.length);
      expect(all[0].symbol).toBe('BTCUSDT');
    }
  });
});

describe('trades', () => {
  test('are in chronological order, the newest ones by default', async () => {
    const all = await get('/trades?symbol=BTCUSDT');
    expect(all.map(({ price }: Json) => Number(price))).toEqual(TRADES.map(([, price]) => price));
    expect(all.map(({ isBuyerMaker }: Json) => isBuyerMaker)).toEqual(
      TRADES.map(([, , , taker]) => taker === 'sell'),
    );
    expect(all[1]).toMatchObject({ qty: '1.00000000', quoteQty: '100000.00000000' });
    expect(await get('/trades?symbol=BTCUSDT&limit=2')).toEqual(all.slice(-2));
    expect(await get(`/historicalTrades?symbol=BTCUSDT&fromId=${all[2].id}&limit=2`)).toEqual(
      all.slice(2, 4),
    );
  });

  test('are found by id and by time when aggregated', async () => {
    const all = await get('/aggTrades?symbol=BTCUSDT');
    expect(all.length).toBe(TRADES.length);
    const from = all[3].a;
    expect(await get(`/aggTrades?symbol=BTCUSDT&fromId=${from}&limit=2`)).toEqual(all.slice(3, 5));
    const [startTime, endTime] = [START - 30 * MINUTE_MS, START - 3 * MINUTE_MS];
    const range = `startTime=${startTime}&endTime=${endTime}`;
    expect(await get(`/aggTrades?symbol=BTCUSDT&${range}`)).toEqual(all.slice(2, 5));
  });
});

describe('klines', () => {
  test('have no gaps, and volumes of takers', async () => {
    const startTime = START - 31 * MINUTE_MS;
    const klines = await get(
      `/klines?symbol=BTCUSDT&interval=1m&startTime=${startTime}&endTime=${START}`,
    );
    expect(klines.map(([start]: Json) => start)).toEqual(
      Array.from({ length: 32 }, (_, minute) => startTime + minute * MINUTE_MS),
    );
    expect(klines[1]).toEqual([
      START - 30 * MINUTE_MS,
      ...['101000.00000000', '101000.00000000', '101000.00000000', '101000.00000000'],
      '0.25001234',
      START - 29 * MINUTE_MS - 1,
      '25251.24634000',
      2,
      '0.00000000',
      '0.00000000',
      '0',
    ]);
    expect(klines[28].slice(8, 11)).toEqual([1, '2.00000000', '198000.00000000']);
  });

  test('of all documented intervals', async () => {
    const intervals = '1s 1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1M'.split(' ');
    for (const interval of intervals) {
      const klines = await get(`/klines?symbol=BTCUSDT&interval=${interval}&limit=3`);
      const [start, open, high, low, , , end] = klines.at(-1);
      expect({
        interval,
        isCurrent: start <= venue.exchange.now && end >= venue.exchange.now,
      }).toEqual({ interval, isCurrent: true });
      expect(Number(high)).toBeGreaterThanOrEqual(Number(low));
      expect(Number(open)).toBeGreaterThan(0);
    }
  });

  test('of a time zone begin at its midnight', async () => {
    const [[start, , , , , , end]] = await get(
      '/klines?symbol=BTCUSDT&interval=1d&timeZone=8&limit=1',
    );
    expect(start).toBe(Date.UTC(2026, 0, 8, 16));
    expect(end).toBe(Date.UTC(2026, 0, 9, 16) - 1);
    const [[month]] = await get('/klines?symbol=BTCUSDT&interval=1M&timeZone=-1:30&limit=1');
    expect(month).toBe(Date.UTC(2026, 0, 1, 1, 30));
  });
});

describe('figures', () => {
  test.each([
    ['1m', 1, 102_000, 1],
    ['59m', 4, 101_000, -30],
    ['2h', 5, 100_000, -70],
    ['23h', 5, 100_000, -70],
    ['1d', 5, 100_000, -70],
    ['2d', 5, 100_000, -70],
    ['3d', 6, 90_000, -3 * 24 * 60],
    ['7d', 6, 90_000, -3 * 24 * 60],
  ])('of a window of %s have %d trades', async (window, count, open) => {
    const figures = await get(`/ticker?symbol=BTCUSDT&windowSize=${window}`);
    const trades = TRADES.slice(-count);
    const volume = trades.reduce((sum, [, , amount]) => sum + Number(amount), 0);
    const cost = trades.reduce((sum, [, price, amount]) => sum + price * Number(amount), 0);
    const unit = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: DAY_MS }[window.at(-1)!]!;
    expect(figures).toMatchObject({
      count,
      openPrice: `${open}.00000000`,
      lastPrice: '102000.00000000',
      volume: volume.toFixed(8),
      quoteVolume: cost.toFixed(8),
      priceChange: `${102_000 - open}.00000000`,
      priceChangePercent: (((102_000 - open) / open) * 100).toFixed(3),
      highPrice: '102000.00000000',
      openTime: START - Number.parseInt(window, 10) * unit,
      closeTime: venue.exchange.now,
    });
    expect(Number(figures.weightedAvgPrice)).toBeCloseTo(cost / volume, 6);
    expect(figures.lastId - figures.firstId).toBe(count - 1);
  });

  test('of a trading day begin at midnight', async () => {
    const utc = await get('/ticker/tradingDay?symbol=BTCUSDT');
    expect(utc).toMatchObject({ count: 5, openTime: START - DAY_MS / 2 });
    expect(utc.closeTime).toBe(START + DAY_MS / 2 - 1);
    const zone = await get('/ticker/tradingDay?symbol=BTCUSDT&timeZone=12:00');
    expect(zone).toMatchObject({ count: 1, openTime: START });
  });

  test('of a market without trades are flat, with ids of -1', async () => {
    const figures = await get('/ticker/24hr?symbol=ETHUSDT');
    expect(figures).toMatchObject({
      count: 0,
      firstId: -1,
      lastId: -1,
      priceChangePercent: '0.000',
      weightedAvgPrice: '0.00000000',
    });
    expect(figures.openPrice).toBe(figures.lastPrice);
    expect(await get('/avgPrice?symbol=ETHUSDT')).toEqual({
      mins: 5,
      price: figures.lastPrice,
      closeTime: 0,
    });
  });

  test('the average price is that of 5 minutes, weighted by amounts', async () => {
    const { price: average, closeTime } = await get('/avgPrice?symbol=BTCUSDT');
    expect(Number(average)).toBeCloseTo((99_000 * 2 + 102_000 * 0.75) / 2.75, 6);
    expect(closeTime).toBe(START);
  });
});

describe('errors', () => {
  test.each([
    ['/trades', -1102],
    ['/trades?symbol=NONONO', -1121],
    ['/trades?symbol=btcusdt', -1100],
    ['/trades?symbol=BTCUSDT&limit=0', -1130],
    ['/trades?symbol=BTCUSDT&page=1', -1104],
    ['/historicalTrades?symbol=BTCUSDT&fromId=-1', -1100],
    ['/klines?symbol=BTCUSDT', -1102],
    ['/klines?symbol=BTCUSDT&interval=2m', -1120],
    ['/klines?symbol=BTCUSDT&interval=1d&timeZone=15', -1130],
    ['/klines?symbol=BTCUSDT&interval=1d&timeZone=0:01', -1130],
    ['/klines?symbol=BTCUSDT&interval=1d&timeZone=-5:20', -1130],
    ['/ticker', -1102],
    ['/ticker?symbol=BTCUSDT&windowSize=60m', -1130],
    ['/ticker?symbol=BTCUSDT&windowSize=1d2h', -1130],
    [`/ticker?symbol=BTCUSDT&symbols=${BOTH}`, -1128],
    ['/ticker/24hr?symbol=BTCUSDT&type=HUGE', -1139],
    ['/ticker/24hr?symbol=BTCUSDT&symbolStatus=OPEN', -1122],
    ['/ticker/24hr?symbol=BTCUSDT&symbolStatus=HALT', -1220],
    ['/depth?symbol=BTCUSDT&symbolStatus=BREAK', -1220],
    [`/ticker/price?symbols=${encodeURIComponent('["BTCUSDT","BTCUSDT"]')}`, -1151],
    ['/ticker/price?symbols=BTCUSDT', -1100],
  ])('%s', async (path, code) => {
    const { status, json } = await venue.get(`/api/v3${path}`);
    expect({ path, status, code: json.code }).toEqual({ path, status: 400, code });
  });

  test('a status leaves out other symbols', async () => {
    expect(await get('/ticker/price?symbolStatus=HALT')).toEqual([]);
    expect((await get('/ticker/price?symbolStatus=TRADING')).length).toBeGreaterThan(1);
  });
});

test('responses are made again only when their data changes', async () => {
  const { archivist } = venue.exchange;
  const query = archivist.query.bind(archivist);
  let queries = 0;
  archivist.query = (...terms) => {
    queries++;
    return query(...terms);
  };
  const path = '/aggTrades?symbol=BTCUSDT&limit=7';
  const first = await get(path);
  expect(await get(path)).toEqual(first);
  expect(queries).toBe(1);
  await venue.order('alice', 'sell', 110_000, 1);
  await get(path);
  expect(queries).toBe(2);
  archivist.query = query;
});

test('the methods of the WebSocket API return the same', async () => {
  const bot = await venue.connect('/ws-api/v3');
  for (const [method, path, params] of [
    ['trades.recent', '/trades?symbol=BTCUSDT', { symbol: 'BTCUSDT' }],
    ['trades.historical', '/historicalTrades?symbol=BTCUSDT&fromId=2', { fromId: 2 }],
    ['trades.aggregate', '/aggTrades?symbol=BTCUSDT', {}],
    ['klines', '/klines?symbol=BTCUSDT&interval=5m', { interval: '5m' }],
    ['uiKlines', '/uiKlines?symbol=BTCUSDT&interval=5m', { interval: '5m' }],
    ['avgPrice', '/avgPrice?symbol=BTCUSDT', {}],
    ['ticker.24hr', '/ticker/24hr?symbol=BTCUSDT', {}],
    ['ticker.tradingDay', '/ticker/tradingDay?symbol=BTCUSDT', {}],
    ['ticker', '/ticker?symbol=BTCUSDT&windowSize=4h', { windowSize: '4h' }],
    ['ticker.price', '/ticker/price?symbol=BTCUSDT', {}],
    ['ticker.book', '/ticker/bookTicker?symbol=BTCUSDT', {}],
  ] as const) {
    const sent = { id: method, method, params: { symbol: 'BTCUSDT', ...params } };
    const { result } = await bot.ask(sent);
    expect({ method, result }).toEqual({ method, result: await get(path) });
  }
});
