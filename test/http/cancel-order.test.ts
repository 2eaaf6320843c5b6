import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests DELETE /api/orders/:id. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const place = async (name: string, change: Record<string, unknown> = {}) => {
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };
  return (await exchange.place(name, { ...order, ...change })).data;
};
const cancel = (name: string, id: string) => exchange.send(name, 'DELETE', `/api/orders/${id}`);

test('data is the canceled order; its hold is released', async () => {
  const before = (await exchange.send('alice', 'GET', '/api/portfolio/balances')).text;
  const order = await place('alice', { clientOrderId: 'to-cancel' });
  exchange.now += 1000;
  const answer = await cancel('alice', order.orderId);
  expect(answer.status).toBe(200);
  expect(answer.data).toEqual({
    ...order,
    status: 'canceled',
    reason: 'requested',
    updatedAt: new Date(exchange.now).toISOString(),
  });
  expect((await exchange.send('alice', 'GET', '/api/portfolio/balances')).text).toBe(before);
});

test('a partly filled order is open: it can be canceled and keeps its fills', async () => {
  const { orderId } = await place('alice', { price: 90_000 });
  await place('bob', { side: 'sell', amount: 0.004, price: 90_000 });
  const { data } = await cancel('alice', orderId);
  expect(data).toMatchObject({ status: 'canceled', filled: 0.004, remaining: 0.006, cost: 360 });
});

describe('ORDER_NOT_OPEN: a final order is unchanged', () => {
  test.each([
    ['canceled', async () => cancel('alice', (await place('alice')).orderId)],
    ['expired', async () => ({ data: await place('alice', { timeInForce: 'IOC' }) })],
    [
      'filled',
      async () => {
        const data = await place('alice', { price: 91_000 });
        await place('bob', { side: 'sell', price: 91_000 });
        return { data };
      },
    ],
  ])('%s', async (status, end) => {
    const { orderId } = (await end()).data;
    const { digest } = exchange.state;
    const answer = await cancel('alice', orderId);
    expect(answer.status).toBe(400);
    expect(answer.code).toBe('ORDER_NOT_OPEN');
    expect(answer.details).toEqual({ status });
    expect(exchange.state.digest).toBe(digest);
  });
});

describe('ORDER_NOT_FOUND: no order of the account, for any form of the id', () => {
  test.each([
    '0',
    '999999',
    '9007199254740991',
    '9007199254740993',
    '99999999999999999999999999',
    '-1',
    '1.0',
    '1e0',
    '01',
    '+1',
    '0x1',
    'abc',
    '%31%20',
    '%00',
    '%2F',
    '%',
    '%ff',
    '..%2f..%2fetc%2fpasswd',
    "1'%20or%201=1",
    '%F0%9F%98%80',
    'a'.repeat(3000),
  ])('%s', async (id) => {
    const { digest } = exchange.state;
    const answer = await cancel('alice', id);
    expect(answer.status).toBe(404);
    expect(answer.code).toBe('ORDER_NOT_FOUND');
    expect(answer.details).toEqual({});
    expect(exchange.state.digest).toBe(digest);
  });

  test('an order of another account is answered like one that does not exist', async () => {
    const open = await place('bob', { price: 40_000 });
    const final = await place('bob', { timeInForce: 'IOC' });
    const { text } = await cancel('alice', '123456789');
    expect((await cancel('alice', open.orderId)).text).toBe(text);
    expect((await cancel('alice', final.orderId)).text).toBe(text);
    expect((await cancel('bob', open.orderId)).status).toBe(200);
  });
});

test('one of many concurrent cancels succeeds', async () => {
  const { orderId } = await place('alice');
  const answers = await Promise.all(Array.from({ length: 10 }, () => cancel('alice', orderId)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...new Array(9).fill(400)]);
});

test('a halted market still accepts cancels', async () => {
  const { orderId } = await place('alice', { symbol: 'ETH/USDT', price: 4000 });
  const halt = JSON.stringify({ symbol: 'ETH/USDT', status: 'halted' });
  await exchange.send('operator', 'PATCH', '/api/admin/markets', halt);
  expect((await cancel('alice', orderId)).status).toBe(200);
});

test('it accepts no query parameters', async () => {
  const { orderId } = await place('alice');
  const answer = await cancel('alice', `${orderId}?symbol=BTC/USDT`);
  expect(answer.code).toBe('INVALID_REQUEST');
  expect(answer.details).toEqual({ field: 'symbol', rule: 'unknownParameter' });
  expect((await cancel('alice', orderId)).status).toBe(200);
});
