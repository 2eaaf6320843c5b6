import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests orders with a trigger. BTC/USDT starts at 118,000, with a collar of 10 %. */

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await TestExchange.open();
  const change = JSON.stringify({ symbol: 'BTC/USDT', collar: 0.1 });
  await exchange.send('operator', 'PATCH', '/api/admin/markets', change);
});
afterEach(() => exchange.close());

const STOP = { symbol: 'BTC/USDT', side: 'buy', type: 'stop', amount: 0.01, triggerPrice: 120_000 };
const place = (name: string, change: Record<string, unknown> = {}) =>
  exchange.place(name, { ...STOP, ...change });
const limit = (name: string, side: string, price: number, amount = 0.01) =>
  exchange.place(name, { symbol: 'BTC/USDT', side, type: 'limit', amount, price });

async function heldBy(name: string, asset: string): Promise<number> {
  const { balances } = (await exchange.send(name, 'GET', '/api/portfolio/balances')).data;
  return balances.find((balance: { asset: string }) => balance.asset === asset).held;
}

async function findOrder(name: string, id: string): Promise<Record<string, unknown>> {
  const { orders } = (await exchange.send(name, 'GET', '/api/orders')).data;
  return orders.find((order: { orderId: string }) => order.orderId === id);
}

test('a stop is open, has its triggerPrice, and holds the collar beyond it', async () => {
  const { data } = await place('alice');
  expect(data).toMatchObject({
    type: 'stop',
    status: 'open',
    price: null,
    triggerPrice: 120_000,
    timeInForce: 'GTC',
    filled: 0,
    remaining: 0.01,
  });
  expect(await heldBy('alice', 'USDT')).toBe(1320);
  expect(await findOrder('alice', data.orderId)).toEqual(data);
});

test('a trade at its trigger moves it into the book under its id', async () => {
  const { data } = await place('alice');
  await limit('bob', 'sell', 120_000);
  await limit('bob', 'sell', 121_000);
  await exchange.place('alice', { ...STOP, triggerPrice: null, type: 'market' });
  expect(await findOrder('alice', data.orderId)).toMatchObject({
    status: 'filled',
    triggerPrice: 120_000,
    price: 121_000,
    average: 121_000,
  });
  expect(await heldBy('alice', 'USDT')).toBe(0);
});

test('a stop_limit rests at its price, and is amended there', async () => {
  const { data } = await place('alice', { type: 'stop_limit', price: 119_500 });
  expect(await heldBy('alice', 'USDT')).toBe(1195);
  const path = `/api/orders/${data.orderId}`;
  const early = await exchange.send('alice', 'PATCH', path, JSON.stringify({ price: 119_200 }));
  expect(early.data).toMatchObject({ price: 119_200, triggerPrice: 120_000 });
  expect(await heldBy('alice', 'USDT')).toBe(1192);
  await limit('bob', 'sell', 120_000);
  await exchange.place('alice', { ...STOP, triggerPrice: null, type: 'market' });
  const amended = await exchange.send('alice', 'PATCH', path, JSON.stringify({ price: 119_000 }));
  expect(amended.data).toMatchObject({ price: 119_000, triggerPrice: 120_000, status: 'open' });
});

test('a triggered order without liquidity is rejected, with the reason', async () => {
  const { data } = await place('alice');
  await limit('bob', 'sell', 120_000);
  await exchange.place('alice', { ...STOP, triggerPrice: null, type: 'market' });
  expect(await findOrder('alice', data.orderId)).toMatchObject({
    status: 'rejected',
    reason: 'no_liquidity',
    filled: 0,
  });
  expect(await heldBy('alice', 'USDT')).toBe(0);
});

test('it can be canceled', async () => {
  const { data } = await place('alice', { type: 'take_profit', side: 'sell' });
  expect(await heldBy('alice', 'BTC')).toBe(0.01);
  const canceled = await exchange.send('alice', 'DELETE', `/api/orders/${data.orderId}`);
  expect(canceled.data).toMatchObject({ status: 'canceled', reason: 'requested' });
  expect(await heldBy('alice', 'BTC')).toBe(0);
});

test('the same clientOrderId with another triggerPrice is another order', async () => {
  const { data } = await place('alice', { clientOrderId: 'mine' });
  expect((await place('alice', { clientOrderId: 'mine' })).data).toEqual(data);
  const other = await place('alice', { clientOrderId: 'mine', triggerPrice: 121_000 });
  expect(other.code).toBe('DUPLICATE_CLIENT_ORDER_ID');
});

describe('rejected', () => {
  const trigger = { field: 'triggerPrice' };
  test.each([
    ['INVALID_PRICE', { triggerPrice: null }, { ...trigger, rule: 'required' }],
    ['INVALID_PRICE', { triggerPrice: '120000' }, { ...trigger, rule: 'number' }],
    ['INVALID_PRICE', { triggerPrice: -1 }, { ...trigger, rule: 'positive', nearest: 0.01 }],
    ['INVALID_PRICE', { triggerPrice: 1.001 }, { ...trigger, rule: 'tickSize', nearest: 1 }],
    ['INVALID_PRICE', { triggerPrice: 118_000 }, { ...trigger, rule: 'notCrossed' }],
    ['INVALID_PRICE', { side: 'sell' }, { ...trigger, rule: 'notCrossed' }],
    [
      'INVALID_PRICE',
      { side: 'sell', type: 'take_profit', triggerPrice: 1e10 },
      { ...trigger, rule: 'maxPrice', nearest: 1e9 },
    ],
    ['INVALID_PRICE', { price: 120_000 }, { field: 'price', rule: 'limitOrdersOnly' }],
    ['INVALID_PRICE', { type: 'stop_limit' }, { field: 'price', rule: 'required' }],
    ['INVALID_PRICE', { type: 'limit', price: 1 }, { ...trigger, rule: 'stopOrdersOnly' }],
    ['INVALID_AMOUNT', { cost: 100 }, { field: 'cost', rule: 'marketOrdersOnly' }],
    ['INVALID_REQUEST', { timeInForce: 'IOC' }, { field: 'timeInForce', rule: 'stopOrder' }],
    ['INVALID_REQUEST', { postOnly: true }, { field: 'postOnly', rule: 'stopOrder' }],
    [
      'MIN_NOTIONAL',
      { amount: 0.00000001 },
      { field: 'amount', rule: 'minNotional', nearest: 0.00000009, minNotional: 0.01 },
    ],
    [
      'INSUFFICIENT_BALANCE',
      { amount: 10 },
      { required: 1_320_000, available: 1_000_000, asset: 'USDT' },
    ],
    [
      'INSUFFICIENT_BALANCE',
      { triggerPrice: 1e20 },
      { required: 1.1e18, available: 1_000_000, asset: 'USDT' },
    ],
  ] as const)('%s %j', async (code, change, details) => {
    const { digest } = exchange.state;
    const answer = await place('alice', change);
    expect([answer.code, answer.details]).toEqual([code, details]);
    expect(exchange.state.digest).toBe(digest);
  });
});

describe('the collar', () => {
  test('is in the market record, and an operator changes it', async () => {
    const read = async () =>
      (await exchange.send(undefined, 'GET', '/api/markets?symbol=BTC/USDT')).data.markets[0]
        .collar;
    expect(await read()).toBe(0.1);
    const change = JSON.stringify({ symbol: 'BTC/USDT', collar: 0.05 });
    await exchange.send('operator', 'PATCH', '/api/admin/markets', change);
    expect(await read()).toBe(0.05);
  });

  test('ends a market order that would trade beyond it', async () => {
    await limit('bob', 'sell', 129_800);
    await limit('bob', 'sell', 129_800.01);
    const order = { ...STOP, triggerPrice: null, type: 'market', amount: 0.02 };
    expect((await exchange.place('alice', order)).data).toMatchObject({
      status: 'expired',
      reason: 'collar',
      filled: 0.01,
      price: 129_800,
    });
  });
});

test('without a collar a stop buy holds a tenth more than its trigger, and trades up to there', async () => {
  const change = JSON.stringify({ symbol: 'BTC/USDT', collar: 0 });
  expect((await exchange.send('operator', 'PATCH', '/api/admin/markets', change)).status).toBe(200);
  const { orderId } = (await place('alice')).data;
  expect(await heldBy('alice', 'USDT')).toBe(1320);
  await limit('bob', 'sell', 120_000);
  await limit('bob', 'sell', 131_000);
  await limit('alice', 'buy', 120_000);
  expect(await findOrder('alice', orderId)).toMatchObject({ status: 'filled', average: 131_000 });
});
