import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests that nothing that expires is accepted while the machine's clock is off, and that all else continues. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
beforeEach(() => {
  exchange.isClockOff = true;
  exchange.wallMs = exchange.now + 3_600_000;
});
afterAll(() => exchange.close());

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 4500 };
const GTD = { timeInForce: 'GTD', expiresAt: '2126-01-05T12:00:00Z' };
const post = (name: string, path: string, body: object) =>
  exchange.send(name, 'POST', path, JSON.stringify(body));

describe('rejected as CLOCK_OFF', () => {
  test.each<[string, string, object]>([
    ['alice', '/api/orders', { ...ORDER, ...GTD }],
    ['alice', '/api/orders', { ...ORDER, ...GTD, attached: { takeProfit: { price: 200_000 } } }],
    [
      'alice',
      '/api/orders',
      { ...ORDER, ...GTD, side: 'sell', type: 'stop_limit', price: 3900, triggerPrice: 4000 },
    ],
    [
      'alice',
      '/api/orders/oco',
      {
        symbol: 'BTC/USDT',
        side: 'sell',
        amount: 0.01,
        expiresAt: GTD.expiresAt,
        takeProfit: { price: 200_000 },
        stopLoss: { triggerPrice: 4000 },
      },
    ],
    [
      'operator',
      '/api/admin/accounts/bob/keys',
      { permissions: ['read'], expiresAt: GTD.expiresAt },
    ],
  ])('%s %s %j', async (name, path, body) => {
    const { digest } = exchange.state;
    const answer = await post(name, path, body);
    expect([answer.status, answer.code]).toEqual([503, 'CLOCK_OFF']);
    expect(answer.headers.get('Retry-After')).toBe('10');
    expect(exchange.state.digest).toBe(digest);
  });

  test('one order of a batch, and not the others', async () => {
    const answer = await post('alice', '/api/orders/batch', {
      orders: [{ ...ORDER, ...GTD }, ORDER],
    });
    const codes = answer.data.results.map((one: { error?: { code: string } }) => one.error?.code);
    expect(codes).toEqual(['CLOCK_OFF', undefined]);
  });
});

test('an order that was placed before is still answered by its client order id', async () => {
  const oco = {
    symbol: 'BTC/USDT',
    side: 'sell',
    amount: 0.01,
    expiresAt: GTD.expiresAt,
    takeProfit: { price: 200_000 },
    stopLoss: { triggerPrice: 4000 },
    clientOrderId: 'oco',
  };
  const order = { ...ORDER, ...GTD, clientOrderId: 'gtd' };
  const place = () =>
    Promise.all([post('alice', '/api/orders', order), post('alice', '/api/orders/oco', oco)]);
  exchange.isClockOff = false;
  const placed = await place();
  exchange.isClockOff = true;
  const repeated = await place();
  expect(placed.map(({ status }) => status)).toEqual([200, 200]);
  expect(repeated.map(({ data }) => data)).toEqual(placed.map(({ data }) => data));
  const other = await post('alice', '/api/orders', { ...order, amount: 0.02 });
  expect(other.code).toBe('DUPLICATE_CLIENT_ORDER_ID');
});

test('orders and keys that do not expire, cancels and cancel-after are accepted', async () => {
  const { status, data } = await exchange.place('alice', ORDER);
  expect(status).toBe(200);
  expect((await post('alice', '/api/orders/cancel-after', { timeout: 60 })).status).toBe(200);
  const key = await post('operator', '/api/admin/accounts/bob/keys', { permissions: ['read'] });
  expect(key.status).toBe(200);
  const cancel = await exchange.send('alice', 'DELETE', `/api/orders/${data.orderId}`);
  expect(cancel.status).toBe(200);
});

test('an operator sees the clock, and confirms it with the time of another clock', async () => {
  const { now, wallMs } = exchange;
  const iso = (time: number) => new Date(time).toISOString();
  const seen = await exchange.send('operator', 'GET', '/api/admin/clock');
  expect(seen.data).toEqual({
    timestamp: iso(now),
    wallClock: iso(wallMs),
    offsetMs: 3_600_000,
    isOff: true,
  });
  const path = '/api/admin/clock/confirm';
  for (const wallClock of [iso(now), iso(wallMs - 61_000), iso(wallMs + 61_000)]) {
    const refused = await post('operator', path, { wallClock });
    expect([refused.code, refused.details.field]).toEqual(['INVALID_REQUEST', 'wallClock']);
    expect(exchange.isClockOff).toBe(true);
  }
  expect((await post('alice', path, { wallClock: iso(wallMs) })).code).toBe(
    'INSUFFICIENT_PERMISSIONS',
  );
  const confirmed = await post('operator', path, { wallClock: iso(wallMs - 59_000) });
  expect(confirmed.data).toMatchObject({ timestamp: iso(now), offsetMs: 0, isOff: false });
  expect((await post('alice', '/api/orders', { ...ORDER, ...GTD })).status).toBe(200);
});
