import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** The orders, fills and ledger of an account, as operators read them. */

let exchange: TestExchange;
let openId: string;
let endedId: string;
const read = (path: string, by = 'operator') =>
  exchange.send(by, 'GET', `/api/admin/accounts/alice${path}`);

beforeAll(async () => {
  exchange = await TestExchange.open();
  await exchange.addKey('auditor', 'bob', ['audit']);
  const order = { symbol: 'BTC/USDT', type: 'limit', amount: 0.1 };
  const place = async (by: string, side: string, price: number) =>
    (await exchange.place(by, { ...order, side, price })).data.orderId as string;
  endedId = await place('alice', 'buy', 100);
  await place('bob', 'sell', 100);
  openId = await place('alice', 'buy', 90);
});
afterAll(() => exchange.close());

test('orders are listed as the account lists its own, by status and in pages', async () => {
  const own = (await exchange.send('alice', 'GET', '/api/orders')).data.orders as object[];
  const { orders } = (await read('/orders')).data;
  expect(orders).toEqual(own.map((order) => ({ accountId: 'alice', ...order })));
  const ids = async (query: string) =>
    ((await read(`/orders?${query}`)).data.orders as { orderId: string }[]).map(
      ({ orderId }) => orderId,
    );
  expect(await ids('status=open')).toEqual([openId]);
  expect(await ids('status=closed')).toEqual([endedId]);
  const { nextCursor } = (await read('/orders?limit=1')).data;
  expect(await ids(`limit=1&cursor=${nextCursor}`)).toEqual([endedId]);
  const others = await exchange.send(
    'operator',
    'GET',
    `/api/admin/accounts/bob/orders?limit=1&cursor=${nextCursor}`,
  );
  expect(others.json.error.details.field).toBe('cursor');
});

test('one order is read with its fills, and not under another account', async () => {
  const { data } = await read(`/orders/${endedId}`);
  expect(data).toMatchObject({ accountId: 'alice', orderId: endedId, status: 'filled' });
  const { fills } = (await read(`/fills?orderId=${endedId}`)).data;
  expect(fills).toHaveLength(1);
  expect(fills[0]).toMatchObject({ orderId: endedId, liquidity: 'maker', amount: 0.1 });
  const path = `/api/admin/accounts/bob/orders/${endedId}`;
  expect((await exchange.send('operator', 'GET', path)).json.error.code).toBe('ORDER_NOT_FOUND');
});

test('fills and ledger equal those of the account', async () => {
  for (const [own, path] of [
    ['/api/fills', '/fills'],
    ['/api/ledger?asset=USDT', '/ledger?asset=USDT'],
  ] as const) {
    const expected = (await exchange.send('alice', 'GET', own)).data;
    expect((await read(path)).data).toEqual({ ...expected, nextCursor: null });
  }
});

test('auditors read them, users and unknown accounts do not', async () => {
  for (const path of ['/orders', `/orders/${openId}`, '/fills', '/ledger']) {
    expect((await read(path, 'auditor')).status).toBe(200);
    expect((await read(path, 'alice')).status).toBe(403);
    const missing = await exchange.send('operator', 'GET', `/api/admin/accounts/nobody1${path}`);
    expect(missing.status).toBe(404);
  }
});
