import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', price: 100_000, amount: 0.01 };

test('while the disk is full orders and amendments are rejected; cancels and reads work', async () => {
  const { orderId } = (await exchange.place('alice', ORDER)).data;
  const disk = { isFull: true };
  Object.assign(exchange.services, { disk });
  const refused = await exchange.place('alice', ORDER);
  expect([refused.status, refused.code]).toEqual([503, 'OVERLOADED']);
  expect(refused.text).toContain("The exchange's disk is full");
  expect(refused.headers.get('Retry-After')).toBe('1');
  const change = Buffer.from(JSON.stringify({ amount: 0.02 }));
  const amended = await exchange.send('alice', 'PATCH', `/api/orders/${orderId}`, change);
  expect(amended.status).toBe(503);
  const status = await exchange.send('alice', 'GET', '/api/status');
  expect(status.data.status).toBe('overloaded');
  expect((await exchange.send('alice', 'GET', '/api/orders')).status).toBe(200);
  expect((await exchange.send('alice', 'DELETE', `/api/orders/${orderId}`)).status).toBe(200);
  disk.isFull = false;
  expect((await exchange.place('alice', ORDER)).status).toBe(200);
});
