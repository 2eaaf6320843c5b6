import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { CommandKind } from '../../src/engine/command.ts';
import { NONE } from '../../src/engine/terms.ts';
import { TestExchange } from './exchange.ts';

/** Tests POST /api/orders/batch. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open({ rateLimits: 'spec' });
});
afterAll(() => exchange.close());

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 4500 };
const send = (name: string, body: unknown) =>
  exchange.send(name, 'POST', '/api/orders/batch', JSON.stringify(body));

test('each order has its own result; an invalid one does not affect the others', async () => {
  const answer = await send('alice', {
    orders: [
      { ...ORDER, clientOrderId: 'one' },
      { ...ORDER, amount: -1 },
      7,
      null,
      [ORDER],
      { ...ORDER, amount: 1e9 },
      { ...ORDER, clientOrderId: 'one' },
      { ...ORDER, clientOrderId: 'one', price: 4501 },
      { ...ORDER, side: 'sell', price: 4500 },
      { ...ORDER, symbol: 'ETH/USDT', price: 123.45 },
    ],
  });
  expect(answer.status).toBe(200);
  const { results } = answer.data;
  const short = results.map((result: { success: boolean; error: { code: string } }) =>
    result.success ? 'done' : result.error.code,
  );
  expect(short).toEqual([
    'done',
    'INVALID_AMOUNT',
    'INVALID_REQUEST',
    'INVALID_REQUEST',
    'INVALID_REQUEST',
    'INSUFFICIENT_BALANCE',
    'done',
    'DUPLICATE_CLIENT_ORDER_ID',
    'done',
    'done',
  ]);
  expect(results[1].error.details).toEqual({ field: 'amount', rule: 'positive', nearest: 1e-8 });
  expect(results[6].data.orderId).toBe(results[0].data.orderId);
  // The sell matched the buy before it, an order of the same account.
  expect(results[6].data).toMatchObject({ status: 'expired', reason: 'self_trade' });
  expect(results[8].data).toMatchObject({ status: 'open', side: 'sell' });
  expect(results[9].data).toMatchObject({ symbol: 'ETH/USDT', price: 123.45 });
});

test('its orders stand next to each other in the log', async () => {
  const orders = Array.from({ length: 15 }, () => ORDER);
  const [answers, others] = await Promise.all([
    Promise.all([send('alice', { orders }), send('bob', { orders })]),
    Promise.all(Array.from({ length: 20 }, () => exchange.place('bob', ORDER))),
  ]);
  expect(others.every(({ status }) => status === 200)).toBe(true);
  for (const { data } of answers) {
    const ids = data.results.map((result: { data: { orderId: string } }) => +result.data.orderId);
    expect(ids).toEqual(ids.map((_: number, index: number) => ids[0] + index));
  }
  // Ten orders of the previous test, fifteen of this one.
  expect(answers[0]!.headers.get('X-RateLimit-Remaining')).toBe('5');
});

test('orders are rejected one by one while too many of the account are pending', async () => {
  exchange.now += 60_000;
  const { index: account } = exchange.state.accountsById.get('alice')!;
  const orderIds = Array.from({ length: 1000 }, (_, n) => 1_000_000 + n);
  const terms = { account, key: NONE, market: NONE, orderIds, clientOrderId: null };
  const pile: Promise<unknown>[] = [];
  const release = await exchange.holdLog();
  // 2,039 units of the limit of 2,048: nine orders remain.
  for (let n = 0; n < 127; n++) {
    pile.push(exchange.replica.execute({ kind: CommandKind.cancelOrders, ...terms }));
  }
  for (let n = 0; n < 7; n++) {
    pile.push(exchange.replica.execute({ kind: CommandKind.cancelOrder, ...terms, orderId: 7 }));
  }
  const answer = send('alice', { orders: Array(10).fill(ORDER) });
  while (exchange.replica.waitingCount < 127 + 7 + 9) await new Promise(setImmediate);
  release();
  const { status, data } = await answer;
  const codes = data.results.map((result: { error?: { code: string } }) => result.error?.code);
  expect(status).toBe(200);
  expect(codes).toEqual([...Array(9).fill(undefined), 'OVERLOADED']);
  await Promise.all(pile);
});

describe('rejected as a whole', () => {
  beforeEach(() => {
    exchange.now += 60_000;
  });

  test.each([
    [{}, { field: 'orders', rule: '1 to 15' }],
    [{ orders: [] }, { field: 'orders', rule: '1 to 15' }],
    [{ orders: ORDER }, { field: 'orders', rule: '1 to 15' }],
    [{ orders: Array(16).fill(ORDER) }, { field: 'orders', rule: '1 to 15' }],
    [
      { orders: [ORDER], postOnly: true },
      { field: 'postOnly', rule: 'unknownField' },
    ],
  ])('%j', async (body, details) => {
    const { digest } = exchange.state;
    const answer = await send('alice', body);
    expect(answer.code).toBe('INVALID_REQUEST');
    expect(answer.details).toEqual(details);
    expect(exchange.state.digest).toBe(digest);
  });

  test('for a key that may only read', async () => {
    expect((await send('reader', { orders: [ORDER] })).code).toBe('INSUFFICIENT_PERMISSIONS');
  });
});

test('each order counts towards the rate limit, and a batch that exceeds it is rejected whole', async () => {
  const limited = await TestExchange.open({ rateLimits: 'spec' });
  const place = (count: number) =>
    limited.send(
      ...(['alice', 'POST', '/api/orders/batch'] as const),
      JSON.stringify({ orders: Array.from({ length: count }, () => ORDER) }),
    );
  const remaining = async (count: number) => {
    const { status, headers } = await place(count);
    return [status, headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')];
  };
  expect(await remaining(1)).toEqual([200, '30', '29']);
  expect(await remaining(15)).toEqual([200, '30', '14']);
  const { nextOrderId } = limited.replica.exchange.state;
  const refused = await place(15);
  expect([refused.status, refused.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
  expect(refused.headers.get('Retry-After')).toBe('60');
  expect(limited.replica.exchange.state.nextOrderId).toBe(nextOrderId);
  // The window is used up: rejected requests count.
  expect((await place(1)).status).toBe(429);
  // Windows of other endpoints and accounts are unaffected.
  expect((await limited.place('alice', ORDER)).status).toBe(200);
  limited.now += 60_000;
  expect(await remaining(15)).toEqual([200, '30', '15']);
  expect(await remaining(15)).toEqual([200, '30', '0']);
  await limited.close();
});
