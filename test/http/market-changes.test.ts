import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests changes of markets by operators while they trade, and cancels on behalf of accounts. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());
beforeEach(async () => {
  for (const name of ['alice', 'bob']) await exchange.send(name, 'DELETE', '/api/orders?all=true');
});

const place = async (name: string, change: Record<string, unknown> = {}): Promise<string> => {
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 4500.01 };
  return (await exchange.place(name, { ...order, ...change })).data.orderId;
};
const change = (body: Record<string, unknown>, query = '') =>
  exchange.send('operator', 'PATCH', `/api/admin/markets${query}`, JSON.stringify(body));
const ids = (orders: { orderId: string }[]) => orders.map(({ orderId }) => orderId);

const BTC = { symbol: 'BTC/USDT' };

test('rules change while orders rest; everyone sees the new ones', async () => {
  const resting = await place('bob');
  const body = { ...BTC, tickSize: 0.5, minPrice: 0.5, stepSize: 1e-4, minAmount: 1e-4 };
  const preview = await change(body, '?preview=true');
  expect(preview.data.affected).toBe(1);
  expect(preview.data.orders[0]).toMatchObject({ accountId: 'bob', orderId: resting });
  expect(preview.data.market.tickSize).toBe(0.01);
  expect((await change(body)).data.market).toMatchObject({ tickSize: 0.5, stepSize: 1e-4 });
  const { data } = await exchange.send(undefined, 'GET', '/api/markets?symbol=BTC/USDT');
  expect(data.markets[0]).toMatchObject({ tickSize: 0.5, minPrice: 0.5, minAmount: 1e-4 });
  const off = await exchange.place('alice', {
    ...BTC,
    side: 'sell',
    type: 'limit',
    amount: 0.01,
    price: 4500.01,
  });
  expect(off.details).toEqual({ field: 'price', rule: 'tickSize', nearest: 4500 });
  await place('alice', { side: 'sell', price: 4500, amount: 0.004 });
  const list = await exchange.send('bob', 'GET', '/api/orders?status=open');
  expect(list.data.orders).toMatchObject([{ orderId: resting, price: 4500.01, filled: 0.004 }]);
  const back = { ...BTC, tickSize: 0.01, minPrice: 0.01, stepSize: 1e-8, minAmount: 1e-8 };
  expect((await change(back)).status).toBe(200);
});

test('a change of ticks lists the orders whose trigger or attached orders it would reject', async () => {
  const stop = { symbol: 'BTC/USDT', side: 'sell', type: 'stop_limit', amount: 0.01 };
  const trigger = await exchange.place('alice', { ...stop, price: 4000, triggerPrice: 4000.01 });
  const parent = await place('alice', {
    price: 3000,
    attached: { stopLoss: { triggerPrice: 2500, price: 2400.01 } },
  });
  const preview = await change({ ...BTC, tickSize: 0.5, minPrice: 0.5 }, '?preview=true');
  expect(ids(preview.data.orders)).toContain(trigger.data.orderId);
  expect(ids(preview.data.orders)).toContain(parent);
  expect(preview.data.affected).toBe(preview.data.orders.length);
  for (const id of [trigger.data.orderId, parent]) {
    expect((await exchange.send('alice', 'DELETE', `/api/orders/${id}`)).status).toBe(200);
  }
});

describe('rejected, and nothing changes', () => {
  test.each([
    [{ ...BTC }, 'status', 'statusOrRules'],
    [{ ...BTC, status: 'halted', tickSize: 1 }, 'status', 'statusOrRules'],
    [{ ...BTC, tickSize: 0.001 }, 'tickSize', 'grid'],
    [{ ...BTC, stepSize: 1e-9 }, 'stepSize', 'grid'],
    [{ ...BTC, minNotional: 1e-11 }, 'minNotional', 'decimals'],
    [{ ...BTC, tickSize: 7 }, undefined, 'minPrice and maxPrice must be multiples of tickSize'],
    [
      { ...BTC, takerFee: 0.2 },
      undefined,
      'makerFee must be from -0.1 to 0.1 and takerFee from 0 to 0.1, with at most six decimals',
    ],
    [{ ...BTC, base: 'ETH' }, 'base', 'unknownField'],
  ])('%j', async (body, field, rule) => {
    const { digest } = exchange.state;
    for (const query of ['', '?preview=true']) {
      const answer = await change(body, query);
      expect(answer.code).toBe('INVALID_REQUEST');
      expect([answer.details.field, answer.details.rule]).toEqual([field, rule]);
    }
    expect(exchange.state.digest).toBe(digest);
  });

  test('an invalid preview', async () => {
    const answer = await change({ ...BTC, status: 'delisted' }, '?preview=yes');
    expect(answer.details).toEqual({ field: 'preview', rule: 'true, false' });
    expect((await change({ symbol: 'X/Y', status: 'halted' })).code).toBe('INVALID_SYMBOL');
  });
});

test('every status is in GET /api/markets and in the rejection', async () => {
  for (const [status, code] of [
    ['post_only', 'MARKET_UNAVAILABLE'],
    ['cancel_only', 'MARKET_UNAVAILABLE'],
    ['halted', 'MARKET_UNAVAILABLE'],
    ['limit_only', undefined],
    ['online', undefined],
  ]) {
    await change({ symbol: 'ETH/USDT', status });
    const { data } = await exchange.send(undefined, 'GET', '/api/markets?symbol=ETH/USDT');
    expect(data.markets[0].status).toBe(status);
    const order = { symbol: 'ETH/USDT', side: 'buy', type: 'limit', amount: 1, price: 10 };
    const answer = await exchange.place('alice', order);
    expect(answer.code).toBe(code!);
    if (code !== undefined) expect(answer.details).toEqual({ status });
  }
});

test('delisting previews the orders it would end, ends them, and is permanent', async () => {
  const SOL = { symbol: 'SOL/USDT', status: 'delisted' };
  const low = await place('alice', { symbol: 'SOL/USDT', price: 100 });
  const high = await place('bob', { symbol: 'SOL/USDT', price: 101 });
  const { digest } = exchange.state;
  const preview = await change(SOL, '?preview=true');
  expect(preview.data).toMatchObject({ affected: 2, market: { status: 'online' } });
  expect(ids(preview.data.orders)).toEqual([high, low]);
  expect(exchange.state.digest).toBe(digest);

  const { data } = await change(SOL);
  expect(data).toMatchObject({ affected: 2, market: { status: 'delisted', active: false } });
  expect(ids(data.orders)).toEqual([high, low]);
  const list = await exchange.send('alice', 'GET', '/api/orders?symbol=SOL/USDT');
  expect(list.data.orders[0]).toMatchObject({ status: 'canceled', reason: 'delisted' });
  const { markets } = (await exchange.send(undefined, 'GET', '/api/markets')).data;
  expect(markets.find((each: { symbol: string }) => each.symbol === 'SOL/USDT').status).toBe(
    'delisted',
  );
  const order = { symbol: 'SOL/USDT', side: 'buy', type: 'limit', amount: 1, price: 100 };
  expect((await exchange.place('alice', order)).details).toEqual({ status: 'delisted' });
  expect((await change({ symbol: 'SOL/USDT', status: 'online' })).code).toBe('INVALID_REQUEST');
  const again = await change({ symbol: 'SOL/USDT', status: 'online' }, '?preview=true');
  expect(again.code).toBe('INVALID_REQUEST');
});

test('an operator lists and cancels the orders of an account, frozen or not', async () => {
  const first = await place('alice');
  const second = await place('alice', { symbol: 'ETH/USDT' });
  await place('bob');
  const path = '/api/admin/accounts/alice';
  await exchange.send('operator', 'PATCH', path, '{"frozen":true}');
  expect((await exchange.send('alice', 'DELETE', '/api/orders?all=true')).code).toBe(
    'ACCOUNT_FROZEN',
  );
  const open = await exchange.send('operator', 'GET', `${path}/orders?status=open`);
  expect(ids(open.data.orders)).toEqual([second, first]);
  const one = await exchange.send('operator', 'DELETE', `${path}/orders?symbol=ETH/USDT`);
  expect(one.data.orders).toMatchObject([
    { accountId: 'alice', orderId: second, status: 'canceled', reason: 'operator' },
  ]);
  const all = await exchange.send('operator', 'DELETE', `${path}/orders?all=true`);
  expect(ids(all.data.orders)).toEqual([first]);
  await exchange.send('operator', 'PATCH', path, '{"frozen":false}');
  expect((await exchange.send('operator', 'DELETE', `${path}/orders`)).code).toBe(
    'INVALID_REQUEST',
  );
  const unknown = await exchange.send(
    'operator',
    'DELETE',
    '/api/admin/accounts/x/orders?all=true',
  );
  expect(unknown.code).toBe('NOT_FOUND');
  expect((await exchange.send('alice', 'GET', `${path}/orders`)).code).toBe(
    'INSUFFICIENT_PERMISSIONS',
  );
  const { entries } = (await exchange.send('operator', 'GET', '/api/admin/audit?limit=3')).data;
  expect(entries.map((each: { action: string }) => each.action)).toContain('cancelOrdersOf');
});

describe('a collar of null', () => {
  const send = (method: string, body: object) =>
    exchange.send('operator', method, '/api/admin/markets', JSON.stringify(body));
  const LISTING = {
    symbol: 'SOL/BTC',
    tickSize: 0.00001,
    stepSize: 0.00000001,
    maxAmount: 1e5,
    maxPrice: 10,
    minNotional: 0,
    makerFee: 0,
    takerFee: 0,
    referencePrice: 0.002,
  };

  test('means no collar in a listing, which has one by default', async () => {
    const listed = await send('POST', { ...LISTING, collar: null });
    expect(listed.data.market.collar).toBeNull();
    const other = await send('POST', { ...LISTING, symbol: 'SOL/ETH', stepSize: 0.001 });
    expect(other.data.market.collar).toBe(0.1);
  });

  test('removes it from a market; an omitted one stays', async () => {
    expect((await send('PATCH', { symbol: 'BTC/USDT', collar: 0.2 })).data.market.collar).toBe(0.2);
    const kept = await send('PATCH', { symbol: 'BTC/USDT', takerFee: 0 });
    expect(kept.data.market.collar).toBe(0.2);
    const without = await send('PATCH', { symbol: 'BTC/USDT', collar: null });
    expect(without.data.market.collar).toBeNull();
  });
});
