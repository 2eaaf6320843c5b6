import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/config/durations.ts';
import { TestExchange } from './exchange.ts';

/** clientOrderId makes POST /api/orders idempotent. */

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await TestExchange.open();
});
afterEach(() => exchange.close());

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };

const place = (name: string, change: Record<string, unknown> = {}) =>
  exchange.place(name, { ...ORDER, clientOrderId: 'first', ...change });

test('a repeated request returns the first order and places nothing', async () => {
  const first = await place('alice');
  const { digest } = exchange.state;
  const again = await place('alice');
  expect(again.status).toBe(200);
  expect(again.text).toBe(first.text);
  expect(exchange.state.digest).toBe(digest);
});

test('a request in another notation is the same request', async () => {
  const first = await place('alice');
  const spelled =
    '{"clientOrderId":"first","price":4.5e4,"amount":1.0e-2,"type":"limit","side":"buy",' +
    '"symbol":"BTC/USDT","timeInForce":"GTC","postOnly":false,"expiresAt":null,"cost":null,' +
    '"selfTradePrevention":"expire_maker"}';
  const again = await exchange.place('alice', spelled);
  expect(again.data.orderId).toBe(first.data.orderId);
});

test('concurrent repetitions place one order', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => place('alice')));
  expect(new Set(answers.map(({ data }) => data.orderId)).size).toBe(1);
  expect(exchange.state.orders.size).toBe(1);
});

test('a repeated request returns the current order', async () => {
  const { data } = await place('alice');
  await exchange.place('bob', { ...ORDER, side: 'sell', amount: 0.004 });
  expect((await place('alice')).data).toMatchObject({ status: 'open', filled: 0.004 });
  await exchange.send('alice', 'DELETE', `/api/orders/${data.orderId}`);
  const again = await place('alice');
  expect(again.status).toBe(200);
  expect(again.data).toMatchObject({ orderId: data.orderId, status: 'canceled', filled: 0.004 });
});

describe('a different request is 409 and places nothing', () => {
  test.each([
    { symbol: 'ETH/USDT' },
    { side: 'sell', price: 450_000 },
    { type: 'market', price: null },
    { type: 'market', price: null, amount: null, cost: 450 },
    { amount: 0.02 },
    { price: 45000.01 },
    { timeInForce: 'IOC' },
    { timeInForce: 'GTD', expiresAt: '2026-02-01T00:00:00Z' },
    { postOnly: true },
    { selfTradePrevention: 'decrement' },
  ])('%j', async (change) => {
    await place('alice');
    const { digest } = exchange.state;
    const answer = await place('alice', change);
    expect(answer.status).toBe(409);
    expect(answer.code).toBe('DUPLICATE_CLIENT_ORDER_ID');
    expect(answer.details).toEqual({ field: 'clientOrderId' });
    expect(exchange.state.digest).toBe(digest);
  });
});

test('it is checked before funds and bounds', async () => {
  const first = await place('alice', { amount: 22 });
  expect(first.data.status).toBe('open');
  // The funds do not suffice for a second one.
  expect((await place('alice', { amount: 22 })).data.orderId).toBe(first.data.orderId);
  expect((await place('alice', { amount: 23 })).code).toBe('DUPLICATE_CLIENT_ORDER_ID');
});

describe('a rejected request leaves it unused', () => {
  test.each([
    [{ price: 0.001 }, 'INVALID_PRICE'],
    [{ symbol: 'XRP/USDT' }, 'INVALID_SYMBOL'],
    [{ amount: 1e6 }, 'INSUFFICIENT_BALANCE'],
    [{ amount: 1e30 }, 'INSUFFICIENT_BALANCE'],
    [{ side: 'sell', amount: 0.00000001, price: 0.01 }, 'MIN_NOTIONAL'],
    [{ type: 'market', price: null, amount: 1 }, 'NO_LIQUIDITY'],
    [{ type: 'market', price: null }, 'NO_LIQUIDITY'],
    [{ timeInForce: 'GTD', expiresAt: '2026-01-01T00:00:00Z' }, 'INVALID_REQUEST'],
  ])('%j is %s', async (change, code) => {
    expect((await place('alice', change)).code).toBe(code);
    expect((await place('alice')).status).toBe(200);
  });

  test('so does one that a halted market rejects', async () => {
    const halt = (status: string) =>
      exchange.send(
        'operator',
        'PATCH',
        '/api/admin/markets',
        JSON.stringify({ symbol: 'BTC/USDT', status }),
      );
    await halt('halted');
    expect((await place('alice')).code).toBe('MARKET_UNAVAILABLE');
    await halt('online');
    expect((await place('alice')).status).toBe(200);
    await halt('halted');
    // A placed order is returned regardless of the market's status.
    expect((await place('alice')).status).toBe(200);
  });

  test('an accepted one without fills uses it', async () => {
    await exchange.place('bob', { ...ORDER, side: 'sell' });
    const killed = { type: 'market', price: null, amount: 5, timeInForce: 'FOK' };
    const first = await place('alice', killed);
    expect(first.data.status).toBe('expired');
    expect((await place('alice', killed)).data.orderId).toBe(first.data.orderId);
    expect((await place('alice')).status).toBe(409);
  });
});

test('each account has its own ids, shared by its keys', async () => {
  const first = await place('alice');
  expect((await place('bob')).data.orderId).not.toBe(first.data.orderId);
  await exchange.addKey('second', 'alice', ['trade']);
  expect((await place('second')).data.orderId).toBe(first.data.orderId);
});

test('it is kept for at least 24 h, and while its order is open', async () => {
  const canceled = await place('alice');
  await exchange.send('alice', 'DELETE', `/api/orders/${canceled.data.orderId}`);
  const open = await place('alice', { clientOrderId: 'open' });
  exchange.now += 24 * HOUR_MS;
  expect((await place('alice')).data.orderId).toBe(canceled.data.orderId);
  exchange.now += 10 * 24 * HOUR_MS;
  expect((await place('alice', { clientOrderId: 'open' })).data.orderId).toBe(open.data.orderId);
  expect((await place('alice')).data.orderId).not.toBe(canceled.data.orderId);
});

describe('its format', () => {
  test.each(['a', 'A-Z_a.z:0-9', '9'.repeat(64)])('%s is accepted', async (clientOrderId) => {
    const { status, data } = await place('alice', { clientOrderId });
    expect(status).toBe(200);
    expect(data.clientOrderId).toBe(clientOrderId);
  });

  test.each(['', 'a b', 'a'.repeat(65), 'ä', 'a/b', 'a\n', '\0', '😀', '"'])(
    '%j is rejected',
    async (clientOrderId) => {
      const answer = await place('alice', { clientOrderId });
      expect(answer.code).toBe('INVALID_REQUEST');
      expect(answer.details).toEqual({ field: 'clientOrderId', rule: 'clientOrderId' });
    },
  );
});
