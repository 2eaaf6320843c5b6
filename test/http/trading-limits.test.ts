import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests the limits on the trading of accounts. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const post = (path: string, body: object) =>
  exchange.send('operator', 'POST', `/api/admin${path}`, JSON.stringify(body));
const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.001, price: 1000 };
const NONE = { orderRate: null, ordersPerTrade: null, freeOrders: null, openNotional: [] };

test('an operator limits an account, its orders say when to retry, and the audit has both', async () => {
  const openNotional = [{ asset: 'USDT', amount: 2.5 }];
  const set = await post('/accounts/alice/trading-limits', { orderRate: 3, openNotional });
  const limits = { ...NONE, isDefault: false, orderRate: 3, openNotional };
  expect(set.data).toEqual({ limits });
  const { data } = await exchange.send('operator', 'GET', '/api/admin/accounts/alice');
  expect(data.account.tradingLimits).toEqual(limits);
  const first = await exchange.place('alice', ORDER);
  await exchange.place('alice', ORDER);
  expect((await exchange.place('alice', ORDER)).json.error).toMatchObject({
    code: 'ACCOUNT_LIMIT',
    details: { rule: 'openNotional', limit: 2.5, required: 3, asset: 'USDT' },
  });
  await exchange.place('alice', { ...ORDER, price: 100 });
  const retryAt = new Date(Math.floor(exchange.now / 10_000 + 1) * 10_000).toISOString();
  expect((await exchange.place('alice', { ...ORDER, price: 100 })).json.error).toMatchObject({
    code: 'ACCOUNT_LIMIT',
    details: { rule: 'orderRate', limit: 3, retryAt },
  });
  expect((await exchange.send('alice', 'GET', '/api/limits')).data).toMatchObject({
    limits,
    used: { orders: 3, ordersResetAt: retryAt, openNotional: [{ asset: 'USDT', used: 2.1 }] },
  });
  const canceled = await exchange.send('alice', 'DELETE', `/api/orders/${first.data.orderId}`);
  expect(canceled.status).toBe(200);
  const { entries } = (await exchange.send('operator', 'GET', '/api/admin/audit?limit=1')).data;
  expect(entries).toMatchObject([
    { action: 'setTradingLimits', subject: 'alice', details: { limits: { openNotional } } },
  ]);
  const reset = await post('/accounts/alice/trading-limits', { useDefault: true });
  expect(reset.data).toEqual({ limits: { ...NONE, isDefault: true } });
});

test('the default limits are of all other accounts', async () => {
  const terms = { ordersPerTrade: 1, freeOrders: 1 };
  const set = await post('/trading-limits', terms);
  expect(set.data).toEqual({ limits: { ...NONE, ...terms, isDefault: true } });
  expect((await exchange.send('operator', 'GET', '/api/admin/trading-limits')).data).toEqual(
    set.data,
  );
  expect((await exchange.place('bob', ORDER)).status).toBe(200);
  expect((await exchange.place('bob', ORDER)).json.error.details).toMatchObject({
    rule: 'ordersPerTrade',
    limit: 1,
  });
  expect((await post('/trading-limits', {})).data).toEqual({
    limits: { ...NONE, isDefault: true },
  });
  expect((await exchange.place('bob', ORDER)).status).toBe(200);
});

test.each([
  [{ orderRate: 0 }, 'orderRate', 400],
  [{ ordersPerTrade: 1 }, undefined, 400],
  [{ openNotional: [{ asset: 'USDT', amount: 0 }] }, undefined, 400],
  [{ openNotional: [{ asset: 'USDT', amount: 1e-30 }] }, 'openNotional.0.amount', 400],
  [{ openNotional: [{ asset: 'NO', amount: 1 }] }, 'openNotional.0.asset', 404],
  [{ useDefault: true, orderRate: 1 }, 'useDefault', 400],
])('%j is rejected', async (body, field, status) => {
  const { digest } = exchange.state;
  const answer = await post('/accounts/alice/trading-limits', body);
  expect([answer.status, answer.json.error.details.field]).toEqual([status, field]);
  expect(exchange.state.digest).toBe(digest);
});
