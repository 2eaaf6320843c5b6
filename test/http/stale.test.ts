import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ENDPOINTS } from '../../src/gateway/endpoints/endpoints.ts';
import { TestExchange } from './exchange.ts';

/** Public data of a node that has lost contact with the cluster. */

let exchange: TestExchange;
let isStale = false;
beforeAll(async () => {
  exchange = await TestExchange.open();
  Object.defineProperty(exchange.replica, 'isStale', { get: () => isStale });
});
afterAll(() => exchange.close());

const MARKET_DATA = [
  '/api/markets',
  '/api/prices',
  '/api/assets',
  '/api/networks',
  '/api/fees/schedule',
  '/api/orderbook?symbol=BTC/USDT',
  '/api/level3?symbol=BTC/USDT',
  '/api/trades?symbol=BTC/USDT',
  '/api/candles?symbol=BTC/USDT&interval=1m',
  '/api/status/history',
];

test('every public read is market data, about this node only, or names its position in the log', () => {
  const reads = ENDPOINTS.filter(({ access, method }) => access === 'public' && method === 'GET');
  expect(reads.map(({ path }) => path)).toEqual([
    ...MARKET_DATA.map((path) => path.split('?')[0]!),
    '/api/time',
    '/api/status',
    '/api/log/head',
    '/api/proofs',
  ]);
});

test.each(MARKET_DATA)('STALE rejects %s until the node has contact again', async (path) => {
  // From now on the response is cached.
  expect((await exchange.send(undefined, 'GET', path)).status).toBe(200);
  isStale = true;
  const refused = await exchange.send(undefined, 'GET', path);
  expect([refused.status, refused.code, refused.details]).toEqual([503, 'STALE', {}]);
  expect(refused.headers.get('Retry-After')).toBe('1');
  isStale = false;
  expect((await exchange.send(undefined, 'GET', path)).status).toBe(200);
});

test('time and status are served, and the status is stale', async () => {
  isStale = true;
  expect((await exchange.send(undefined, 'GET', '/api/time')).status).toBe(200);
  const { status, data } = await exchange.send(undefined, 'GET', '/api/status');
  isStale = false;
  expect([status, data.status]).toEqual([200, 'stale']);
  expect((await exchange.send(undefined, 'GET', '/api/status')).data.status).toBe('ok');
});
