import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { CommandKind } from '../../src/engine/command.ts';
import { TestExchange } from './exchange.ts';

/** Tests POST /api/orders/cancel-after. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
  await exchange.addKey('second', 'alice', ['trade']);
});
afterAll(() => exchange.close());

const place = async (name: string, change: Record<string, unknown> = {}): Promise<string> => {
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 4500 };
  return (await exchange.place(name, { ...order, ...change })).data.orderId;
};
const arm = (name: string, body: unknown) =>
  exchange.send(name, 'POST', '/api/orders/cancel-after', JSON.stringify(body));
const list = async (query: string) => {
  const { orders } = (await exchange.send('alice', 'GET', `/api/orders?${query}`)).data;
  return orders.map((order: { orderId: string; reason: string }) => [order.orderId, order.reason]);
};
const inSeconds = (seconds: number) => new Date(exchange.now + seconds * 1000).toISOString();

test('cancels what this key placed when it goes silent, and nothing else', async () => {
  const own = await place('alice');
  const otherKey = await place('second');
  const ether = await place('alice', { symbol: 'ETH/USDT' });
  const first = await arm('alice', { timeout: 60 });
  expect(first.status).toBe(200);
  expect(first.data).toEqual({ armed: [{ symbol: null, cancelAt: inSeconds(60) }] });
  const both = await arm('alice', { timeout: 5, symbol: 'ETH/USDT' });
  expect(both.data).toEqual({
    armed: [
      { symbol: 'ETH/USDT', cancelAt: inSeconds(5) },
      { symbol: null, cancelAt: inSeconds(60) },
    ],
  });
  exchange.now += 5000;
  await place('bob');
  expect(await list('status=canceled')).toEqual([[ether, 'cancel_after']]);
  exchange.now += 55_000;
  await exchange.replica.execute({ kind: CommandKind.tick });
  expect(await list('status=canceled')).toEqual([
    [ether, 'cancel_after'],
    [own, 'cancel_after'],
  ]);
  expect(await list('status=open')).toEqual([[otherKey, null]]);
});

test('0 disarms', async () => {
  await arm('alice', { timeout: 1 });
  expect((await arm('alice', { timeout: 0, symbol: null })).data).toEqual({ armed: [] });
});

describe('rejected', () => {
  const timeout = { field: 'timeout', rule: 'custom' };
  test.each([
    [{}, 'INVALID_REQUEST', { ...timeout, rule: 'required' }],
    [{ timeout: -1 }, 'INVALID_REQUEST', timeout],
    [{ timeout: 0.5 }, 'INVALID_REQUEST', timeout],
    [{ timeout: 86401 }, 'INVALID_REQUEST', timeout],
    [{ timeout: '60' }, 'INVALID_REQUEST', timeout],
    [{ timeout: 60, key: 1 }, 'INVALID_REQUEST', { field: 'key', rule: 'unknownField' }],
    [{ timeout: 60, symbol: 7 }, 'INVALID_REQUEST', { field: 'symbol', rule: 'invalid_type' }],
    [{ timeout: 60, symbol: 'BTC' }, 'INVALID_SYMBOL', { field: 'symbol', rule: 'known' }],
  ])('%j', async (body, code, details) => {
    const answer = await arm('alice', body);
    expect({ code: answer.code, details: answer.details }).toEqual({ code, details });
  });

  test('for a key that may only read', async () => {
    expect((await arm('reader', { timeout: 1 })).code).toBe('INSUFFICIENT_PERMISSIONS');
  });
});
