import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests GET /api/orders/:id. */

let exchange: TestExchange;
let orderId: string;
const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };

beforeAll(async () => {
  exchange = await TestExchange.open();
  orderId = (await exchange.place('alice', ORDER)).data.orderId;
});
afterAll(() => exchange.close());

test('returns open orders, final ones and those in history alike', async () => {
  const placed = await exchange.place('alice', ORDER);
  const path = `/api/orders/${placed.data.orderId}`;
  expect((await exchange.send('reader', 'GET', path)).data).toEqual(placed.data);
  const canceled = await exchange.send('alice', 'DELETE', path);
  expect((await exchange.send('reader', 'GET', path)).data).toEqual(canceled.data);
  await exchange.archive.flush();
  expect((await exchange.send('reader', 'GET', path)).data).toEqual(canceled.data);
});

test.each(['0', '99999', '-1', '1.0', '1e0', 'abc', '9'.repeat(40), '%20', 'batches'])(
  'an id of no own order is not found: %s',
  async (id) => {
    const answer = await exchange.send('alice', 'GET', `/api/orders/${id}`);
    expect([answer.status, answer.code]).toEqual([404, 'ORDER_NOT_FOUND']);
  },
);

test("another account's order is not found, open or final", async () => {
  const path = `/api/orders/${orderId}`;
  expect((await exchange.send('bob', 'GET', path)).code).toBe('ORDER_NOT_FOUND');
  await exchange.send('alice', 'DELETE', path);
  expect((await exchange.send('bob', 'GET', path)).code).toBe('ORDER_NOT_FOUND');
  await exchange.archive.flush();
  expect((await exchange.send('bob', 'GET', path)).code).toBe('ORDER_NOT_FOUND');
});

test('it accepts no parameter, and checks credentials first', async () => {
  const path = `/api/orders/${orderId}?symbol=BTC/USDT`;
  expect((await exchange.send('alice', 'GET', path)).code).toBe('INVALID_REQUEST');
  expect((await exchange.send(undefined, 'GET', path)).status).toBe(401);
});
