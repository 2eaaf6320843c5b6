import { afterEach, beforeEach, expect, test } from 'bun:test';
import { BINANCE_ENDPOINTS } from '../../src/gateway/binance/endpoints.ts';
import { API_METHODS } from '../../src/gateway/binance/ws-api/ws-api.ts';
import type { CandleFilter } from '../../src/history/history.ts';
import { BinanceVenue, type Values } from './venue.ts';

/** The weight of requests, which every request has, and what it pays for. */

let venue: BinanceVenue;
beforeEach(async () => {
  venue = await BinanceVenue.open({ rateLimits: 'spec' });
});
afterEach(() => venue.close());

const MINUTE_MS = 60_000;
const BTC = { symbol: 'BTCUSDT' };
const symbols = (count: number) => ({
  symbols: JSON.stringify(['BTCUSDT', 'ETHUSDT', ...unknown(count - 2)]),
});
const unknown = (count: number) => Array.from({ length: count }, (_, index) => `X${index}USDT`);

/**
 * The documented weights (rest-api.md; those of /sapi and of listen keys as Binance documents them elsewhere). A weight does
 * not depend on whether the request succeeds, so the parameters are those that decide it.
 */
const WEIGHTS: readonly (readonly [request: string, parameters: Values, weight: number])[] = [
  ['GET /api/v3/ping', {}, 1],
  ['GET /api/v3/time', {}, 1],
  ['GET /api/v3/exchangeInfo', {}, 20],
  ['GET /api/v3/exchangeInfo', BTC, 20],
  ['GET /api/v3/depth', BTC, 5],
  ...([
    [1, 5],
    [100, 5],
    [101, 25],
    [500, 25],
    [501, 50],
    [1000, 50],
    [1001, 250],
    [5000, 250],
    [9999, 250],
  ].map(([limit, weight]) => ['GET /api/v3/depth', { ...BTC, limit }, weight]) as [
    string,
    Values,
    number,
  ][]),
  ['GET /api/v3/trades', BTC, 25],
  ['GET /api/v3/historicalTrades', BTC, 25],
  ['GET /api/v3/aggTrades', BTC, 4],
  ['GET /api/v3/klines', { ...BTC, interval: '1m' }, 2],
  ['GET /api/v3/uiKlines', { ...BTC, interval: '1m' }, 2],
  ['GET /api/v3/avgPrice', BTC, 2],
  ['GET /api/v3/ticker/24hr', BTC, 2],
  ['GET /api/v3/ticker/24hr', symbols(2), 2],
  ['GET /api/v3/ticker/24hr', symbols(20), 2],
  ['GET /api/v3/ticker/24hr', symbols(21), 40],
  ['GET /api/v3/ticker/24hr', symbols(100), 40],
  ['GET /api/v3/ticker/24hr', symbols(101), 80],
  ['GET /api/v3/ticker/24hr', {}, 80],
  ['GET /api/v3/ticker/tradingDay', BTC, 4],
  ['GET /api/v3/ticker/tradingDay', symbols(3), 12],
  ['GET /api/v3/ticker/tradingDay', symbols(50), 200],
  ['GET /api/v3/ticker/tradingDay', symbols(60), 200],
  ['GET /api/v3/ticker', BTC, 4],
  ['GET /api/v3/ticker', symbols(2), 8],
  ['GET /api/v3/ticker', symbols(50), 200],
  ['GET /api/v3/ticker', symbols(60), 200],
  ['GET /api/v3/ticker/price', BTC, 2],
  ['GET /api/v3/ticker/price', symbols(2), 4],
  ['GET /api/v3/ticker/price', {}, 4],
  ['GET /api/v3/ticker/bookTicker', BTC, 2],
  ['GET /api/v3/ticker/bookTicker', symbols(2), 4],
  ['GET /api/v3/ticker/bookTicker', {}, 4],
  ['POST /api/v3/order', BTC, 1],
  ['POST /api/v3/order/test', BTC, 1],
  ['POST /api/v3/order/test', { ...BTC, computeCommissionRates: true }, 20],
  ['GET /api/v3/order', BTC, 4],
  ['DELETE /api/v3/order', BTC, 1],
  ['DELETE /api/v3/openOrders', BTC, 1],
  ['POST /api/v3/order/cancelReplace', BTC, 1],
  ['PUT /api/v3/order/amend/keepPriority', BTC, 4],
  ['POST /api/v3/order/oco', BTC, 1],
  ['POST /api/v3/orderList/oco', BTC, 1],
  ['POST /api/v3/orderList/oto', BTC, 1],
  ['POST /api/v3/orderList/otoco', BTC, 1],
  ['DELETE /api/v3/orderList', BTC, 1],
  ['GET /api/v3/orderList', {}, 4],
  ['GET /api/v3/allOrderList', {}, 20],
  ['GET /api/v3/openOrderList', {}, 6],
  ['GET /api/v3/openOrders', BTC, 6],
  ['GET /api/v3/openOrders', {}, 80],
  ['GET /api/v3/allOrders', BTC, 20],
  ['GET /api/v3/myTrades', BTC, 20],
  ['GET /api/v3/myTrades', { ...BTC, orderId: 1 }, 5],
  ['GET /api/v3/account', {}, 20],
  ['GET /api/v3/account/commission', BTC, 20],
  ['GET /api/v3/rateLimit/order', {}, 40],
  ['GET /api/v3/myPreventedMatches', { ...BTC, preventedMatchId: 1 }, 2],
  ['GET /api/v3/myPreventedMatches', { ...BTC, orderId: 1 }, 20],
  ['GET /api/v3/myAllocations', BTC, 20],
  ['GET /sapi/v1/capital/config/getall', {}, 10],
  ['GET /sapi/v1/asset/tradeFee', {}, 1],
  ['GET /sapi/v1/system/status', {}, 1],
  ['GET /sapi/v1/account/status', {}, 1],
  ['GET /sapi/v1/account/apiRestrictions', {}, 1],
  ['GET /sapi/v1/spot/delist-schedule', {}, 100],
  ['GET /sapi/v1/margin/allPairs', {}, 1],
  ['GET /sapi/v1/margin/isolated/allPairs', {}, 10],
  ['GET /fapi/v1/exchangeInfo', {}, 1],
  ['GET /dapi/v1/exchangeInfo', {}, 1],
  ['POST /api/v3/userDataStream', {}, 2],
  ['PUT /api/v3/userDataStream', {}, 2],
  ['DELETE /api/v3/userDataStream', {}, 2],
];

/** Returns the weight that the address has used, with a request for it, which weighs 1. */
async function used(): Promise<number> {
  return Number((await venue.get('/api/v3/ping')).headers.get('X-MBX-USED-WEIGHT-1M'));
}

test('weights of REST requests are those of the documents', async () => {
  const listed = new Set(WEIGHTS.map(([request]) => request));
  const served = BINANCE_ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
  expect([...listed].toSorted()).toEqual([...new Set(served)].toSorted());
  let before = await used();
  for (const [request, parameters, weight] of WEIGHTS) {
    const [method = '', path = ''] = request.split(' ');
    // Each minute has its own count.
    if (before > 5000) {
      venue.exchange.now += MINUTE_MS;
      before = await used();
    }
    await venue.request('alice', method, path, parameters);
    const after = await used();
    const each = { request, parameters };
    expect({ ...each, weight: after - before - 1 }).toEqual({ ...each, weight });
    before = after;
  }
});

test('methods of the WebSocket API weigh as much as the endpoints with their parameters', async () => {
  const bot = await venue.connect('/ws-api/v3');
  const paths = new Map(
    BINANCE_ENDPOINTS.map(({ operation, method, path }) => [operation, `${method} ${path}`]),
  );
  let before = await used();
  for (const name of API_METHODS) {
    const path = paths.get(name);
    const rows = path === undefined ? [] : WEIGHTS.filter(([request]) => request === path);
    // Methods about the connection itself weigh 2 (web-socket-api.md).
    for (const [, parameters, weight] of rows.length > 0 ? rows : [['', {}, 2] as const]) {
      const { symbols: list, ...others } = parameters;
      const params =
        list === undefined ? parameters : { ...others, symbols: JSON.parse(`${list}`) };
      if (before > 5000) {
        venue.exchange.now += MINUTE_MS;
        before = await used();
      }
      await bot.call(name, params);
      const after = await used();
      expect({ name, parameters, weight: after - before - 1 }).toEqual({
        name,
        parameters,
        weight,
      });
      before = after;
    }
  }
});

test('requests that cannot be read weigh 1', async () => {
  const key = venue.keys.get('alice')!.apiKey;
  let before = await used();
  for (const [method, path, body] of [
    ['GET', '/api/v3/depth?symbol=BTCUSDT&limit=x', undefined],
    ['GET', '/api/v3/depth?symbol=BTCUSDT&symbol=BTCUSDT', undefined],
    [
      'GET',
      `/api/v3/depth?${Array.from({ length: 70 }, (_, n) => `a${n}=1`).join('&')}`,
      undefined,
    ],
    ['POST', '/api/v3/order', 'symbol=BTCUSDT&symbol=ETHUSDT'],
    ['POST', '/api/v3/order', 'x'.repeat(20_000)],
  ] as const) {
    const headers = { 'X-MBX-APIKEY': key };
    const response = await fetch(venue.url + path, { method, headers, ...(body && { body }) });
    expect(response.status).toBeGreaterThanOrEqual(400);
    const after = await used();
    expect({ path, weight: after - before - 1 }).toEqual({ path, weight: 1 });
    before = after;
  }
});

test('every message to the WebSocket API counts, and an address that ignores 429 is disconnected', async () => {
  const bot = await venue.connect('/ws-api/v3');
  let before = await used();
  for (const text of [
    '{',
    '[]',
    '{"id":1}',
    '{"id":1,"method":"no"}',
    '{"id":1,"method":"time","params":[]}',
  ]) {
    bot.send(text);
    await bot.take();
    const after = await used();
    expect({ text, weight: after - before - 1 }).toEqual({ text, weight: 1 });
    before = after;
  }
  const statuses: number[] = [];
  for (let count = 0; count < 6100; count++) bot.send(count % 2 === 0 ? '{' : `{"id":${count}}`);
  const { code } = await bot.closed;
  for (const { id, status } of bot.messages) {
    statuses.push(status);
    if (status === 429 && statuses.length % 2 === 0) expect(id).toBe(statuses.length - 1);
  }
  expect(code).toBe(1008);
  expect(statuses.slice(0, 5900).every((status) => status === 400)).toBe(true);
  expect([...new Set(statuses)]).toEqual([400, 429, 418]);
  const rejected = statuses.filter((status) => status !== 400).length;
  expect(rejected).toBeGreaterThanOrEqual(50);
  for (const path of ['/ws/btcusdt@trade', '/ws-api/v3']) {
    const later = await venue.connect(path);
    expect((await later.closed).code).toBe(1008);
  }
});

/** Returns the stored candles that one of a zone is made of, by counting. @param width Minutes. */
function countRows(width: number, zoneMinutes: number): number {
  // Candles of a minute, a quarter, an hour and a day are stored, in UTC.
  const stored = [1440, 60, 15, 1].find((each) => width % each === 0 && zoneMinutes % each === 0);
  return width / stored!;
}

const INTERVALS = {
  ...{ '1m': 1, '3m': 3, '5m': 5, '15m': 15, '30m': 30, '1h': 60, '2h': 120, '4h': 240 },
  ...{ '6h': 360, '8h': 480, '12h': 720, '1d': 1440, '3d': 4320, '1w': 10_080, '1M': 44_640 },
};

test('a page of candles reads at most 6,000 rows per unit of weight, in another zone 1,500', async () => {
  const own = await BinanceVenue.open();
  const filters: CandleFilter[] = [];
  own.exchange.archivist.query = async (query) => {
    filters.push((query as { filter: CandleFilter }).filter);
    return [];
  };
  const WEIGHT = 2;
  for (const [interval, minutes] of Object.entries(INTERVALS)) {
    for (let quarters = -48; quarters <= 56; quarters++) {
      const size = Math.abs(quarters) * 15;
      const zone = `${quarters < 0 ? '-' : ''}${Math.floor(size / 60)}:${String(size % 60).padStart(2, '0')}`;
      const query = `symbol=BTCUSDT&interval=${interval}&limit=1000&timeZone=${zone}`;
      const { status } = await own.get(`/api/v3/klines?${query}`);
      const { limit } = filters.pop()!;
      const rows = (limit * countRows(minutes, quarters * 15)) / WEIGHT;
      const isBounded = rows <= (quarters === 0 ? 6000 : 1500);
      expect({ query, status, limit, rows, isBounded, isOne: limit >= 1 }).toMatchObject({
        ...{ query, status: 200, isBounded: true, isOne: true },
      });
      if (quarters === 0 && minutes <= 4320)
        expect({ interval, limit }).toEqual({ interval, limit: 1000 });
    }
  }
  await own.close();
}, 30_000);
