import { afterAll, beforeAll, expect, test } from 'bun:test';
import { HistoryBacklogError, HistoryUnavailableError } from '../../src/archivist/archivist.ts';
import { TestExchange } from './exchange.ts';

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', price: 100_000, amount: 0.01 };

test('while history is unavailable, only requests for past data are rejected', async () => {
  const placed = await exchange.place('alice', ORDER);
  const { orderId } = placed.data;
  const ask = exchange.archivist.query;
  exchange.archivist.query = async () => {
    throw new HistoryUnavailableError('PostgreSQL: Connection closed');
  };
  for (const path of [
    '/api/orders',
    '/api/orders/999999',
    '/api/fills',
    '/api/ledger',
    '/api/transfers',
    '/api/portfolio/history?interval=1h',
    '/api/candles?symbol=BTC/USDT&interval=1m',
    '/api/trades?symbol=BTC/USDT',
  ]) {
    const answer = await exchange.send('alice', 'GET', path);
    expect([path, answer.status, answer.code]).toEqual([path, 503, 'OVERLOADED']);
    expect(answer.headers.get('Retry-After')).toBe('1');
  }
  const status = async (method: string, path: string) =>
    (await exchange.send('alice', method, path)).status;
  expect(await status('GET', `/api/orders/${orderId}`)).toBe(200);
  expect(await status('GET', '/api/portfolio/balances')).toBe(200);
  expect((await exchange.place('alice', ORDER)).status).toBe(200);
  expect(await status('DELETE', `/api/orders/${orderId}`)).toBe(200);
  exchange.archivist.query = ask;
  expect(await status('GET', '/api/orders')).toBe(200);
  expect(exchange.failures).toEqual([]);
});

test('reads beyond the limit of an account are rejected with the reason', async () => {
  const ask = exchange.archivist.query;
  exchange.archivist.query = () => Promise.reject(new HistoryBacklogError());
  const answer = await exchange.send('alice', 'GET', '/api/portfolio/history?interval=1w');
  exchange.archivist.query = ask;
  expect([answer.status, answer.code]).toEqual([503, 'OVERLOADED']);
  expect(answer.text).toContain('Too many requests of this account or address are waiting');
});
