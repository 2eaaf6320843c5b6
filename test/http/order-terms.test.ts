import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests special terms of orders through the API: decrement, good till date, cost. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());
beforeEach(async () => {
  for (const name of ['alice', 'bob']) await exchange.send(name, 'DELETE', '/api/orders?all=true');
});

const place = async (name: string, change: Record<string, unknown>) => {
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.5, price: 90_000 };
  const { data } = await exchange.place(name, { ...order, ...change });
  expectWhole(data);
  return data;
};
const find = async (name: string, orderId: string) => {
  const { orders } = (await exchange.send(name, 'GET', '/api/orders?limit=1000')).data;
  for (const order of orders) expectWhole(order);
  return orders.find((order: { orderId: string }) => order.orderId === orderId);
};
const available = async (name: string, asset: string): Promise<{ total: number; held: number }> => {
  const { balances } = (await exchange.send(name, 'GET', '/api/portfolio/balances')).data;
  return balances.find((balance: { asset: string }) => balance.asset === asset);
};

/** filled + remaining = amount, in whole units of the step. */
function expectWhole({ filled, remaining, amount }: Record<string, number>): void {
  const units = (value: number) => Math.round(value * 1e8);
  expect(units(filled!) + units(remaining!)).toBe(units(amount!));
}

test('decrement lowers the amount of both, with a reason; what is filled stays', async () => {
  const resting = await place('alice', { side: 'sell' });
  await place('bob', { amount: 0.1 });
  const terms = { selfTradePrevention: 'decrement' };
  expect(await place('alice', { ...terms, amount: 0.15 })).toMatchObject({
    status: 'expired',
    reason: 'self_trade',
    amount: 0,
    filled: 0,
    remaining: 0,
    cost: 0,
  });
  expect(await find('alice', resting.orderId)).toMatchObject({
    status: 'open',
    reason: 'self_trade',
    amount: 0.35,
    filled: 0.1,
    remaining: 0.25,
  });
  expect(await available('alice', 'BTC')).toMatchObject({ held: 0.25 });

  await place('bob', { side: 'sell', amount: 0.2, price: 90_001 });
  const incoming = await place('alice', { ...terms, amount: 0.5, price: 90_001 });
  expect(incoming).toMatchObject({ status: 'open', amount: 0.25, filled: 0.2, remaining: 0.05 });
  expect(incoming).toMatchObject({ reason: 'self_trade', average: 90_001 });
  expect(await find('alice', resting.orderId)).toMatchObject({
    status: 'expired',
    reason: 'self_trade',
    amount: 0.1,
    filled: 0.1,
    remaining: 0,
  });
});

test('a GTD order expires by the log’s time, before later commands, and releases its hold', async () => {
  const expiresAt = new Date(exchange.now + 60_000).toISOString();
  const { orderId } = await place('alice', { timeInForce: 'GTD', expiresAt });
  await place('bob', { side: 'sell', amount: 0.1 });
  exchange.now += 59_999;
  await place('bob', { side: 'sell', amount: 0.1 });
  exchange.now += 1;
  expect(await place('bob', { side: 'sell', amount: 0.1 })).toMatchObject({ filled: 0 });
  const ended = { status: 'expired', reason: 'expired', filled: 0.2, remaining: 0.3 };
  expect(await find('alice', orderId)).toMatchObject({ ...ended, updatedAt: expiresAt });
  expect(await available('alice', 'USDT')).toMatchObject({ held: 0 });
});

test('an amend keeps the date of a GTD order', async () => {
  const expiresAt = new Date(exchange.now + 60_000).toISOString();
  const { orderId } = await place('alice', { timeInForce: 'GTD', expiresAt });
  const path = `/api/orders/${orderId}`;
  const { data } = await exchange.send('alice', 'PATCH', path, '{"price":89999}');
  expect(data).toMatchObject({ orderId, expiresAt, price: 89_999 });
  exchange.now += 60_000;
  await place('bob', { amount: 0.001, price: 1000 });
  expect(await find('alice', orderId)).toMatchObject({ status: 'expired', reason: 'expired' });
});

test('a buy by cost spends to the last step, and keeps the remainder', async () => {
  const rules = { symbol: 'ETH/USDT', stepSize: 0.001, minAmount: 0.001 };
  await exchange.send('operator', 'PATCH', '/api/admin/markets', JSON.stringify(rules));
  const sell = { symbol: 'ETH/USDT', side: 'sell' };
  await place('bob', { ...sell, amount: 0.1, price: 3_333.33 });
  await place('bob', { ...sell, amount: 5, price: 3_333.34 });
  const before = await available('alice', 'USDT');
  const buy = { symbol: 'ETH/USDT', type: 'market', price: null, amount: null };
  const { data } = await exchange.place('alice', { ...buy, side: 'buy', cost: 1000 });
  // 0.1 for 333.333, then 0.2 for 666.668 would be too much: 0.199 for 663.33466.
  expect(data).toMatchObject({ status: 'filled', amount: 0.299, filled: 0.299, remaining: 0 });
  expect(data.cost).toBe(996.66766);
  expect(1000 - data.cost).toBeLessThan(0.001 * 3_333.34);
  const after = await available('alice', 'USDT');
  expect(Math.round((before.total - after.total) * 1e5)).toBe(99_666_766);
  expect(after.held).toBe(0);
});
