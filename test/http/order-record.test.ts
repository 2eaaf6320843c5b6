import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';
import { expectShape, type Shape } from './shape.ts';

/** Tests the order, field by field. */

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await TestExchange.open();
});
afterEach(() => exchange.close());

const ORDER: Shape = {
  orderId: 'string',
  symbol: 'string',
  side: 'string',
  amount: 'number',
  price: 'number?',
  status: 'string',
  timestamp: 'string',
  type: 'string',
  timeInForce: 'string',
  expiresAt: 'string?',
  postOnly: 'boolean',
  clientOrderId: 'string?',
  triggerPrice: 'number?',
  cost: 'number',
  filled: 'number',
  remaining: 'number',
  average: 'number?',
  fees: 'array',
  selfTradePrevention: 'string',
  reason: 'string?',
  lastFillAt: 'string?',
  updatedAt: 'string',
  attached: 'object?',
  parentOrderId: 'string?',
  ocoOrderId: 'string?',
  trailingAmount: 'number?',
  trailingPercent: 'number?',
  activationPrice: 'number?',
  displayAmount: 'number?',
};

async function place(name: string, order: Record<string, unknown>) {
  const { status, data, text } = await exchange.place(name, {
    symbol: 'BTC/USDT',
    type: 'limit',
    ...order,
  });
  if (status !== 200) throw new Error(text);
  expectShape(data, ORDER);
  expect(data.filled + data.remaining).toBeCloseTo(data.amount, 8);
  return data;
}

const sell = (amount: number, price: number) => place('bob', { side: 'sell', amount, price });

describe('order', () => {
  test('a resting order', async () => {
    const order = await place('alice', { side: 'buy', amount: 0.01, price: 45000 });
    const now = new Date(exchange.now).toISOString();
    expect(order).toEqual({
      orderId: expect.stringMatching(/^[1-9]\d*$/),
      symbol: 'BTC/USDT',
      side: 'buy',
      amount: 0.01,
      price: 45000,
      status: 'open',
      timestamp: now,
      type: 'limit',
      timeInForce: 'GTC',
      expiresAt: null,
      postOnly: false,
      clientOrderId: null,
      triggerPrice: null,
      cost: 0,
      filled: 0,
      remaining: 0.01,
      average: null,
      fees: [],
      selfTradePrevention: 'expire_maker',
      reason: null,
      lastFillAt: null,
      updatedAt: now,
      attached: null,
      parentOrderId: null,
      ocoOrderId: null,
      trailingAmount: null,
      trailingPercent: null,
      activationPrice: null,
      displayAmount: null,
    });
  });

  test('an order filled in two parts at better prices than its limit', async () => {
    await sell(0.01, 100_000);
    await sell(0.02, 100_003);
    exchange.now += 1000;
    const order = await place('alice', { side: 'buy', amount: 0.03, price: 110_000 });
    expect(order).toMatchObject({
      status: 'filled',
      price: 110_000,
      cost: 3000.06,
      filled: 0.03,
      remaining: 0,
      average: 100_002,
      fees: [{ asset: 'BTC', cost: 0.00003 }],
      lastFillAt: new Date(exchange.now).toISOString(),
    });
  });

  test('a market order’s price is its average; null where nothing filled', async () => {
    await sell(0.01, 100_000);
    await sell(0.01, 100_001);
    const order = await place('alice', { side: 'buy', type: 'market', amount: 0.02 });
    expect(order).toMatchObject({ status: 'filled', price: 100_000.5, average: 100_000.5 });
    await sell(0.01, 100_000);
    const killed = { side: 'buy', type: 'market', amount: 5, timeInForce: 'FOK' };
    expect(await place('alice', killed)).toMatchObject({
      status: 'expired',
      reason: 'time_in_force',
      price: null,
      average: null,
      filled: 0,
      remaining: 5,
    });
  });

  test('a cost order’s amount ends as what it bought', async () => {
    await sell(1, 100_000);
    const order = await place('alice', { side: 'buy', type: 'market', cost: 500.0005 });
    expect(order).toMatchObject({
      status: 'filled',
      amount: 0.005,
      filled: 0.005,
      remaining: 0,
      cost: 500,
    });
  });

  test('a repeating average is rounded to the quote’s decimals', async () => {
    await sell(0.00001, 100_000);
    await sell(0.00002, 100_001);
    const order = await place('alice', { side: 'buy', type: 'market', amount: 0.00003 });
    expect(order.average).toBe(100_000.6666666667);
  });

  test.each([
    ['expire_taker', 'expired', 0, 'self_trade'],
    ['expire_both', 'expired', 0, 'self_trade'],
    ['expire_maker', 'open', 0, null],
    ['decrement', 'open', 0, 'self_trade'],
  ])('self-trade prevention %s', async (selfTradePrevention, status, filled, reason) => {
    await place('alice', { side: 'sell', amount: 0.01, price: 100_000 });
    const order = { side: 'buy', amount: 0.03, price: 100_000, selfTradePrevention };
    expect(await place('alice', order)).toMatchObject({ status, filled, reason });
  });

  test('a GTD order has its expiry', async () => {
    const expiresAt = new Date(exchange.now + 60_000).toISOString();
    const order = { side: 'buy', amount: 0.01, price: 45000, timeInForce: 'GTD', expiresAt };
    expect(await place('alice', order)).toMatchObject({ timeInForce: 'GTD', expiresAt });
    const milliseconds = `${exchange.now + 60_000}`;
    for (const literal of [milliseconds, `${milliseconds}.0`, `${milliseconds}00e-2`]) {
      const text = JSON.stringify({ symbol: 'BTC/USDT', type: 'limit', ...order });
      const body = text.replace(`"${expiresAt}"`, literal);
      expect((await exchange.place('alice', body)).data).toMatchObject({ expiresAt });
    }
  });
});
