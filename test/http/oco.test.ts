import { afterEach, beforeEach, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests OCO orders. BTC/USDT starts at 118,000, with a collar of 10 %. */

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await TestExchange.open();
  const change = JSON.stringify({ symbol: 'BTC/USDT', collar: 0.1 });
  await exchange.send('operator', 'PATCH', '/api/admin/markets', change);
});
afterEach(() => exchange.close());

const PAIR = {
  symbol: 'BTC/USDT',
  side: 'sell',
  amount: 0.02,
  takeProfit: { price: 125_000 },
  stopLoss: { triggerPrice: 110_000 },
};
const place = (change: Record<string, unknown> = {}) =>
  exchange.send('alice', 'POST', '/api/orders/oco', JSON.stringify({ ...PAIR, ...change }));
const limit = (side: string, price: number, amount = 0.01) =>
  exchange.place('bob', { symbol: 'BTC/USDT', side, type: 'limit', amount, price });

async function held(asset: string): Promise<number> {
  const { balances } = (await exchange.send('alice', 'GET', '/api/portfolio/balances')).data;
  return balances.find((balance: { asset: string }) => balance.asset === asset).held;
}

/** Returns the states of alice's orders, oldest first. */
async function states(): Promise<string[]> {
  const { orders } = (await exchange.send('alice', 'GET', '/api/orders?sort=asc')).data;
  return orders.map((order: Record<string, unknown>) => {
    const { type, status, filled, reason } = order;
    return `${type} ${status} ${filled} ${reason}`;
  });
}

test('both are open and hold once', async () => {
  const { data } = await place();
  expect(data.orders).toMatchObject([
    { type: 'limit', status: 'open', price: 125_000, triggerPrice: null, postOnly: true },
    { type: 'stop', status: 'open', price: null, triggerPrice: 110_000 },
  ]);
  expect(await held('BTC')).toBe(0.02);
});

test('an OCO buy order holds the larger amount of its legs', async () => {
  await place({
    side: 'buy',
    takeProfit: { price: 110_000 },
    stopLoss: { triggerPrice: 120_000, price: 121_000 },
  });
  expect(await held('USDT')).toBe(2420);
});

test('a fill of one leg, even a partial one, cancels the other', async () => {
  await place();
  await limit('buy', 125_000);
  expect(await states()).toEqual(['limit open 0.01 null', 'stop canceled 0 linked']);
  expect(await held('BTC')).toBe(0.01);
});

test('if the leg without the hold is filled, it takes over the hold', async () => {
  await place({
    side: 'buy',
    takeProfit: { price: 110_000 },
    stopLoss: { triggerPrice: 120_000 },
  });
  expect(await held('USDT')).toBe(2640);
  await limit('sell', 110_000);
  expect(await states()).toEqual(['limit open 0.01 null', 'stop canceled 0 linked']);
  expect(await held('USDT')).toBe(1100);
});

test('a triggered leg cancels the other', async () => {
  await place();
  await limit('buy', 110_000, 0.05);
  const market = { symbol: 'BTC/USDT', side: 'sell', type: 'market', amount: 0.01 };
  await exchange.place('alice', market);
  expect(await states()).toEqual([
    'limit canceled 0 linked',
    'stop filled 0.02 null',
    'market filled 0.01 null',
  ]);
  expect(await held('BTC')).toBe(0);
});

test.each([0, 1])('canceling leg %p cancels both', async (which) => {
  const { orders } = (await place()).data;
  await exchange.send('alice', 'DELETE', `/api/orders/${orders[which].orderId}`);
  expect(await states()).toEqual(['limit canceled 0 requested', 'stop canceled 0 requested']);
  expect(await held('BTC')).toBe(0);
});

test('canceling all returns both', async () => {
  await place();
  const { data } = await exchange.send('alice', 'DELETE', '/api/orders?all=true');
  expect(data.orders).toHaveLength(2);
});

test('the same clientOrderId returns the same two orders', async () => {
  const { data } = await place({ clientOrderId: 'pair' });
  expect((await place({ clientOrderId: 'pair' })).data).toEqual(data);
  expect((await place({ clientOrderId: 'pair', amount: 0.03 })).code).toBe(
    'DUPLICATE_CLIENT_ORDER_ID',
  );
});

test.each([
  ['INVALID_REQUEST', { type: 'limit' }, { field: 'type', rule: 'unknownField' }],
  ['INVALID_REQUEST', { takeProfit: null }, { field: 'takeProfit', rule: 'object' }],
  [
    'INVALID_REQUEST',
    { stopLoss: { triggerPrice: 110_000, amount: 1 } },
    { field: 'stopLoss.amount', rule: 'unknownField' },
  ],
  ['INVALID_PRICE', { takeProfit: {} }, { field: 'takeProfit.price', rule: 'required' }],
  [
    'INVALID_PRICE',
    { stopLoss: { price: 1 } },
    { field: 'stopLoss.triggerPrice', rule: 'required' },
  ],
  ['INVALID_AMOUNT', { amount: null }, { field: 'amount', rule: 'required' }],
  [
    'INVALID_PRICE',
    { stopLoss: { triggerPrice: 119_000 } },
    { field: 'triggerPrice', rule: 'notCrossed' },
  ],
  ['INSUFFICIENT_BALANCE', { amount: 101 }, { required: 101, available: 100, asset: 'BTC' }],
] as const)('refused: %s %j', async (code, change, details) => {
  const { digest } = exchange.state;
  const answer = await place(change);
  expect([answer.code, answer.details]).toEqual([code, details]);
  expect(exchange.state.digest).toBe(digest);
});

test('rejected if the take profit would trade at once', async () => {
  await limit('buy', 118_500);
  expect((await place({ takeProfit: { price: 118_400 } })).code).toBe('POST_ONLY_WOULD_TAKE');
  expect(await states()).toEqual([]);
});
