import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests PATCH /api/orders/:id. The engine's tests cover the effects on the book. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const place = async (name: string, change: Record<string, unknown> = {}) => {
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };
  return (await exchange.place(name, { ...order, ...change })).data;
};
const amend = (name: string, id: string, body: string | Record<string, unknown>) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return exchange.send(name, 'PATCH', `/api/orders/${id}`, text);
};

test('a lower amount keeps the order and its id', async () => {
  const order = await place('alice', { clientOrderId: 'to-amend' });
  exchange.now += 1000;
  const answer = await amend('alice', order.orderId, '{"amount":0.00400000,"price":null}');
  expect(answer.status).toBe(200);
  const updatedAt = new Date(exchange.now).toISOString();
  const amended = { ...order, amount: 0.004, remaining: 0.004, reason: 'amended', updatedAt };
  expect(answer.data).toEqual(amended);
  const list = await exchange.send('alice', 'GET', '/api/orders?clientOrderId=to-amend');
  expect(list.data.orders).toEqual([amended]);
  expect((await amend('alice', order.orderId, { amount: 0.004, price: 45000 })).data).toEqual(
    amended,
  );
});

test('a price that crosses trades at once, at the better price', async () => {
  const ask = await place('bob', { side: 'sell', price: 46000, amount: 0.004 });
  const { orderId } = await place('alice');
  const { data } = await amend('alice', orderId, { price: 47000 });
  expect(data).toMatchObject({ orderId, status: 'open', filled: 0.004, remaining: 0.006 });
  expect(data).toMatchObject({ price: 47000, average: 46000, cost: 184 });
  const asks = await exchange.send('bob', 'GET', '/api/orders?status=filled');
  expect(asks.data.orders[0].orderId).toBe(ask.orderId);
  const below = await amend('alice', orderId, { amount: 0.003 });
  expect(below.code).toBe('INVALID_AMOUNT');
  expect(below.details).toEqual({ field: 'amount', rule: 'filled', nearest: 0.004 });
  const ended = await amend('alice', orderId, { amount: 0.004 });
  expect(ended.data).toMatchObject({ status: 'filled', amount: 0.004, remaining: 0 });
  const late = await amend('alice', orderId, { amount: 1 });
  expect([late.status, late.code]).toEqual([400, 'ORDER_NOT_OPEN']);
  expect(late.details).toEqual({ status: 'filled' });
});

describe('rejected, with the order unchanged', () => {
  test.each([
    ['{}', 'INVALID_REQUEST', { field: 'amount', rule: 'required' }],
    ['{"amount":null}', 'INVALID_REQUEST', { field: 'amount', rule: 'required' }],
    ['{"postOnly":true}', 'INVALID_REQUEST', { field: 'postOnly', rule: 'unknownField' }],
    ['[]', 'INVALID_REQUEST', { rule: 'notAnObject' }],
    ['{"amount":"1"}', 'INVALID_AMOUNT', { field: 'amount', rule: 'number' }],
    ['{"amount":0}', 'INVALID_AMOUNT', { field: 'amount', rule: 'positive', nearest: 1e-8 }],
    ['{"price":1.005}', 'INVALID_PRICE', { field: 'price', rule: 'tickSize', nearest: 1.01 }],
    [
      '{"price":1000000000.01,"amount":0.00000001}',
      'INVALID_PRICE',
      { field: 'price', rule: 'maxPrice', nearest: 1000000000 },
    ],
    [
      '{"amount":0.00000001}',
      'MIN_NOTIONAL',
      { field: 'amount', rule: 'minNotional', nearest: 2.3e-7, minNotional: 0.01 },
    ],
    ['{"price":48000}', 'POST_ONLY_WOULD_TAKE', { field: 'price', rule: 'postOnly' }],
  ])('%s', async (body, code, details) => {
    const order = await place('alice', { postOnly: true });
    const ask = await place('bob', { side: 'sell', price: 48000 });
    const { digest } = exchange.state;
    const answer = await amend('alice', order.orderId, body);
    expect({ code: answer.code, details: answer.details }).toEqual({ code, details });
    expect(exchange.state.digest).toBe(digest);
    for (const [name, { orderId }] of [
      ['alice', order],
      ['bob', ask],
    ]) {
      expect((await exchange.send(name, 'DELETE', `/api/orders/${orderId}`)).status).toBe(200);
    }
  });

  test.each([
    ['5000000', '224999999550'],
    ['123456789012345678901234567890', '5555555505555555550555555555049550'],
  ])('INSUFFICIENT_BALANCE for an amount of %s, exact at any size', async (amount, required) => {
    const { orderId } = await place('alice');
    const answer = await amend('alice', orderId, `{"amount":${amount}}`);
    expect(answer.code).toBe('INSUFFICIENT_BALANCE');
    expect(answer.text).toContain(`"required":${required},`);
  });
});

test('an order of another account, or an unknown one, is not found', async () => {
  const { orderId } = await place('bob');
  for (const id of [orderId, '999999999', 'abc', '0']) {
    const answer = await amend('alice', id, { amount: 0.001 });
    expect([answer.status, answer.code]).toEqual([404, 'ORDER_NOT_FOUND']);
  }
  expect((await amend('reader', orderId, { amount: 1 })).code).toBe('INSUFFICIENT_PERMISSIONS');
});

test('rejected by the current rules of the market', async () => {
  const { orderId } = await place('alice', { symbol: 'ETH/USDT', price: 4000 });
  const halt = JSON.stringify({ symbol: 'ETH/USDT', status: 'halted' });
  await exchange.send('operator', 'PATCH', '/api/admin/markets', halt);
  const answer = await amend('alice', orderId, { price: 4001 });
  expect(answer.code).toBe('MARKET_UNAVAILABLE');
  expect(answer.details).toEqual({ status: 'halted' });
  expect((await amend('alice', orderId, { amount: 0.005 })).status).toBe(200);
});

test('values equal to the current ones change nothing, even if they no longer fit the grid', async () => {
  const { orderId } = await place('alice', { amount: 0.00115, price: 40000.01 });
  const grid = (tickSize: number, stepSize: number) => {
    const rules = { tickSize, minPrice: tickSize, stepSize, minAmount: stepSize };
    const body = JSON.stringify({ symbol: 'BTC/USDT', ...rules });
    return exchange.send('operator', 'PATCH', '/api/admin/markets', body);
  };
  expect((await grid(0.5, 0.0001)).status).toBe(200);
  try {
    const same = await amend('alice', orderId, '{"price":40000.01,"amount":0.00115}');
    expect(same.data).toMatchObject({ orderId, price: 40000.01, amount: 0.00115 });
    const more = await amend('alice', orderId, '{"price":40000.01,"amount":0.0012}');
    expect(more.data).toMatchObject({ price: 40000.01, amount: 0.0012 });
    const other = await amend('alice', orderId, '{"price":40000.02}');
    expect(other.code).toBe('INVALID_PRICE');
  } finally {
    expect((await grid(0.01, 1e-8)).status).toBe(200);
  }
});
