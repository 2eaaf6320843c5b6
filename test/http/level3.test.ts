import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests GET /api/level3, and the amount ahead of an order. */

let exchange: TestExchange;
const orderIds: string[] = [];
const order = (side: string, price: number, amount: number) => {
  return { symbol: 'BTC/USDT', side, type: 'limit', amount, price };
};
const level3 = (query = '') =>
  exchange.send(undefined, 'GET', `/api/level3?symbol=BTC/USDT${query}`);

beforeAll(async () => {
  exchange = await TestExchange.open();
  for (const [name, side, price, amount] of [
    ['alice', 'buy', 45000, 1],
    ['bob', 'buy', 45000, 0.5],
    ['alice', 'buy', 45000, 0.25],
    ['bob', 'buy', 45001, 2],
    ['alice', 'sell', 46000, 3],
  ] as const) {
    orderIds.push((await exchange.place(name, order(side, price, amount))).data.orderId);
  }
});
afterAll(() => exchange.close());

test('shows every order in order of the queue, without its private id', async () => {
  const { data, text } = await level3();
  const shown = (entries: [string, number, number][]) =>
    entries.map(([, price, amount]) => [price, amount]);
  expect(shown(data.bids)).toEqual([
    [45001, 2],
    [45000, 1],
    [45000, 0.5],
    [45000, 0.25],
  ]);
  expect(shown(data.asks)).toEqual([[46000, 3]]);
  const ids = [...data.bids, ...data.asks].map(([id]) => id);
  expect(new Set(ids).size).toBe(5);
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
  const book = (await exchange.send(undefined, 'GET', '/api/orderbook?symbol=BTC/USDT')).data;
  expect([data.sequence, data.timestamp]).toEqual([book.sequence, book.timestamp]);
  const top = [...text.matchAll(/\["([\w-]{22})",([\d.]+),([\d.]+)\]/g)];
  expect(data.checksum).toBe(
    Bun.hash.crc32(top.map((entry) => entry.slice(1).join(':')).join('|')),
  );
});

test('an order keeps its public id while it is filled and amended, on every node', async () => {
  const before = (await level3()).data.bids[1][0];
  await exchange.send('alice', 'PATCH', `/api/orders/${orderIds[0]}`, '{"amount":0.75}');
  expect((await level3()).data.bids[1]).toEqual([before, 45000, 0.75]);
  const { publicOrderIds } = exchange.services;
  expect(publicOrderIds.texts([Number(orderIds[0])])).toEqual([before]);
});

test('has at most limit orders per side', async () => {
  const { data } = await level3('&limit=2');
  expect([data.bids.length, data.asks.length]).toEqual([2, 1]);
});

test.each([
  ['', 'INVALID_SYMBOL', 'symbol'],
  ['?symbol=NO/NO', 'INVALID_SYMBOL', 'symbol'],
  ['?symbol=BTC/USDT&limit=1001', 'INVALID_REQUEST', 'limit'],
  ['?symbol=BTC/USDT&depth=5', 'INVALID_REQUEST', 'depth'],
])('rejects "%s"', async (query, code, field) => {
  const answer = await exchange.send(undefined, 'GET', `/api/level3${query}`);
  expect([answer.status, answer.code, answer.details.field]).toEqual([400, code, field]);
});

test('an order shows the amount ahead of it on request', async () => {
  const ahead = async (name: string, index: number, query = '?queueAhead=true') =>
    (await exchange.send(name, 'GET', `/api/orders/${orderIds[index]}${query}`)).data.queueAhead;
  expect(await ahead('alice', 0)).toBe(0);
  expect(await ahead('bob', 1)).toBe(0.75);
  expect(await ahead('alice', 2)).toBe(1.25);
  expect(await ahead('bob', 3)).toBe(0);
  expect(await ahead('alice', 2, '')).toBeUndefined();
  expect(await ahead('alice', 2, '?queueAhead=false')).toBeUndefined();
  await exchange.send('bob', 'DELETE', `/api/orders/${orderIds[1]}`);
  expect(await ahead('alice', 2)).toBe(0.75);
  expect(await ahead('bob', 1)).toBeNull();
});

test('a pending stop order has no queue', async () => {
  const stop = { ...order('sell', 39_900, 1), type: 'stop_limit', triggerPrice: 40_000 };
  const { data } = await exchange.place('alice', stop);
  const { data: shown } = await exchange.send(
    'alice',
    'GET',
    `/api/orders/${data.orderId}?queueAhead=true`,
  );
  expect([shown.status, shown.queueAhead]).toEqual(['open', null]);
});

test('another value of queueAhead is rejected', async () => {
  const answer = await exchange.send('alice', 'GET', `/api/orders/${orderIds[0]}?queueAhead=1`);
  expect([answer.code, answer.details.field]).toEqual(['INVALID_REQUEST', 'queueAhead']);
});
