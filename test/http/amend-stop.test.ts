import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests PATCH of orders with a pending trigger and of OCO orders. BTC/USDT starts at 118,000. */

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await TestExchange.open();
  const change = JSON.stringify({ symbol: 'BTC/USDT', collar: 0.1 });
  await exchange.send('operator', 'PATCH', '/api/admin/markets', change);
});
afterEach(() => exchange.close());

const STOP = { symbol: 'BTC/USDT', side: 'buy', type: 'stop', amount: 0.01, triggerPrice: 120_000 };
const PAIR = {
  symbol: 'BTC/USDT',
  side: 'sell',
  amount: 0.02,
  takeProfit: { price: 125_000 },
  stopLoss: { triggerPrice: 110_000 },
};
const amend = (orderId: string, change: unknown) =>
  exchange.send(
    'alice',
    'PATCH',
    `/api/orders/${orderId}`,
    typeof change === 'string' ? change : JSON.stringify(change),
  );

test('a stop gets a new trigger', async () => {
  const { data } = await exchange.place('alice', STOP);
  const answer = await amend(data.orderId, { triggerPrice: 121_000, amount: 0.02 });
  expect(answer.data).toEqual({
    ...data,
    triggerPrice: 121_000,
    amount: 0.02,
    remaining: 0.02,
    reason: 'amended',
  });
  const { balances } = (await exchange.send('alice', 'GET', '/api/portfolio/balances')).data;
  expect(balances.find(({ asset }: { asset: string }) => asset === 'USDT').held).toBe(2662);
});

test.each([
  ['{"triggerPrice":118000}', 'INVALID_PRICE', { field: 'triggerPrice', rule: 'notCrossed' }],
  ['{"triggerPrice":"1"}', 'INVALID_PRICE', { field: 'triggerPrice', rule: 'number' }],
  ['{"price":121000}', 'INVALID_PRICE', { field: 'price', rule: 'limitOrdersOnly' }],
  ['{"triggerprice":1}', 'INVALID_REQUEST', { field: 'triggerprice', rule: 'unknownField' }],
])('rejected for a stop: %s', async (body, code, details) => {
  const { data } = await exchange.place('alice', STOP);
  const { digest } = exchange.state;
  const answer = await amend(data.orderId, body);
  expect([answer.code, answer.details]).toEqual([code, details]);
  expect(exchange.state.digest).toBe(digest);
});

test('the required funds of a trigger of any size are exact', async () => {
  const { data } = await exchange.place('alice', STOP);
  const answer = await amend(data.orderId, '{"triggerPrice":1e25}');
  expect(answer.code).toBe('INSUFFICIENT_BALANCE');
  // A hundredth of it plus a tenth, minus the 1,320 held.
  expect(answer.text).toContain('"required":109999999999999999998680,');
});

test('a limit order has no trigger to change', async () => {
  const limit = { ...STOP, type: 'limit', price: 100_000, triggerPrice: null };
  const { data } = await exchange.place('alice', limit);
  const answer = await amend(data.orderId, { triggerPrice: 120_000 });
  const details = { field: 'triggerPrice', rule: 'waitingOrdersOnly' };
  expect([answer.code, answer.details]).toEqual(['INVALID_PRICE', details]);
});

test.each([100, 1e25])('a stop has no price to change, whatever its size: %d', async (price) => {
  const { data } = await exchange.place('alice', STOP);
  const answer = await amend(data.orderId, `{"price":${price}}`);
  expect([answer.code, answer.details.field]).toEqual(['INVALID_PRICE', 'price']);
  if (price === 100) expect(answer.json.error.message).toEndWith('Remove price.');
});

test('the prices of an OCO order change, the amount does not', async () => {
  const body = JSON.stringify(PAIR);
  const { orders } = (await exchange.send('alice', 'POST', '/api/orders/oco', body)).data;
  const [takeProfit, stopLoss] = orders;
  expect((await amend(takeProfit.orderId, { price: 126_000 })).data.price).toBe(126_000);
  expect((await amend(stopLoss.orderId, { triggerPrice: 111_000 })).data.triggerPrice).toBe(
    111_000,
  );
  const refused = await amend(stopLoss.orderId, { amount: 0.01 });
  const details = { field: 'amount', rule: 'pair' };
  expect([refused.code, refused.details]).toEqual(['INVALID_REQUEST', details]);
  const buy = { ...STOP, type: 'limit', price: 126_000, triggerPrice: null };
  await exchange.place('bob', buy);
  const path = `/api/orders/${stopLoss.orderId}`;
  expect((await exchange.send('alice', 'GET', path)).data.reason).toBe('linked');
});

describe('the required funds of a trigger on a market without a collar', () => {
  beforeEach(async () => {
    const change = JSON.stringify({ symbol: 'BTC/USDT', collar: 0 });
    await exchange.send('operator', 'PATCH', '/api/admin/markets', change);
  });

  test('include a tenth beyond it, like its hold', async () => {
    const { data } = await exchange.place('alice', STOP);
    const answer = await amend(data.orderId, '{"triggerPrice":1e25}');
    expect(answer.text).toContain('"required":109999999999999999998680,');
  });

  test('are the same for an OCO order', async () => {
    const pair = '"takeProfit":{"price":100000},"stopLoss":{"triggerPrice":1e25}';
    const body = `{"symbol":"BTC/USDT","side":"buy","amount":0.01,${pair}}`;
    const answer = await exchange.send('alice', 'POST', '/api/orders/oco', body);
    expect(answer.code).toBe('INSUFFICIENT_BALANCE');
    expect(answer.text).toContain(`"required":11${'0'.repeat(22)},`);
  });

  test('of a leg are those of the other leg if it needs more', async () => {
    const sides = {
      side: 'buy',
      takeProfit: { price: 100_000 },
      stopLoss: { triggerPrice: 130_000 },
    };
    const oco = JSON.stringify({ ...PAIR, ...sides });
    const { data } = await exchange.send('alice', 'POST', '/api/orders/oco', oco);
    const [takeProfit] = data.orders;
    // The amount of an OCO order cannot change, but funds come first: 143,000 a BTC, 2,860 held.
    const answer = await amend(takeProfit.orderId, '{"amount":1e20}');
    expect(answer.code).toBe('INSUFFICIENT_BALANCE');
    expect(answer.text).toContain('"required":14299999999999999999997140,');
  });
});
