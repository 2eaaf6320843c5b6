import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ByteReader } from '../../src/engine/numbers/bytes.ts';
import { decodeCommand } from '../../src/log/codec.ts';
import { TestExchange } from './exchange.ts';

/** Tests DELETE /api/orders with exactly one of symbol, ids, clientOrderId, all. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const place = async (name: string, change: Record<string, unknown> = {}): Promise<string> => {
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 4500 };
  return (await exchange.place(name, { ...order, ...change })).data.orderId;
};
const cancel = (name: string, query: string) =>
  exchange.send(name, 'DELETE', `/api/orders${query}`);
const canceled = async (name: string, query: string): Promise<string[]> => {
  const { orders } = (await cancel(name, query)).data;
  for (const order of orders)
    expect(order).toMatchObject({ status: 'canceled', reason: 'requested' });
  return orders.map((order: { orderId: string }) => order.orderId);
};

test('by symbol, ids, client order id and all, and never of another account', async () => {
  const balances = (await exchange.send('alice', 'GET', '/api/portfolio/balances')).text;
  const bitcoin = await place('alice');
  const ether = await place('alice', { symbol: 'ETH/USDT' });
  const named = await place('alice', { clientOrderId: 'mine' });
  const others = [
    await place('alice', { price: 4400 }),
    await place('alice', { side: 'sell', price: 1e6 }),
  ];
  const bobs = await place('bob', { clientOrderId: 'mine' });

  expect(await canceled('alice', '?clientOrderId=mine')).toEqual([named]);
  expect(await canceled('alice', '?clientOrderId=mine')).toEqual([]);
  expect(await canceled('alice', '?symbol=ETH/USDT')).toEqual([ether]);
  const ids = [others[0], bobs, bitcoin, bitcoin, named, 'abc', '0', '9007199254740993'];
  expect(await canceled('alice', `?ids=${ids.join(',')}`)).toEqual([bitcoin, others[0]!]);
  expect(await canceled('alice', '?all=true')).toEqual([others[1]!]);
  expect(await canceled('alice', '?all=true')).toEqual([]);
  expect((await exchange.send('alice', 'GET', '/api/portfolio/balances')).text).toBe(balances);
  expect(await canceled('bob', '?all=true')).toEqual([bobs]);
});

describe('rejected', () => {
  test.each([
    ['', 'INVALID_REQUEST', { field: 'all', rule: 'exactlyOne' }],
    ['?all=true&symbol=BTC/USDT', 'INVALID_REQUEST', { field: 'all', rule: 'exactlyOne' }],
    ['?ids=1&clientOrderId=a', 'INVALID_REQUEST', { field: 'clientOrderId', rule: 'exactlyOne' }],
    ['?all=false', 'INVALID_REQUEST', { field: 'all', rule: 'true' }],
    ['?all=', 'INVALID_REQUEST', { field: 'all', rule: 'notEmpty' }],
    ['?ids=1,,2', 'INVALID_REQUEST', { field: 'ids', rule: 'notEmpty' }],
    [`?ids=${'1,'.repeat(1000)}1`, 'INVALID_REQUEST', { field: 'ids', rule: 'maxIds' }],
    ['?clientOrderId=%20', 'INVALID_REQUEST', { field: 'clientOrderId', rule: 'clientOrderId' }],
    ['?symbol=BTC', 'INVALID_SYMBOL', { field: 'symbol', rule: 'known' }],
    ['?id=1', 'INVALID_REQUEST', { field: 'id', rule: 'unknownParameter' }],
  ])('%s', async (query, code, details) => {
    const orderId = await place('alice');
    const { digest } = exchange.state;
    const answer = await cancel('alice', query);
    if (query === '?all=false') expect(answer.json.error.message).toBe('all must be true.');
    expect({ code: answer.code, details: answer.details }).toEqual({ code, details });
    expect(exchange.state.digest).toBe(digest);
    expect(await canceled('alice', '?all=true')).toEqual([orderId]);
  });

  test('for a key that may only read', async () => {
    expect((await cancel('reader', '?all=true')).code).toBe('INSUFFICIENT_PERMISSIONS');
  });
});

test('all is one command of the log', async () => {
  await place('alice');
  await place('alice');
  const { nextEntryId } = exchange.state.ledger;
  const { position } = exchange.replica;
  expect(await canceled('alice', '?all=true')).toHaveLength(2);
  expect(exchange.replica.position).toBe(position + 1);
  expect(exchange.state.ledger.nextEntryId).toBe(nextEntryId + 2);
});

test('an id that a request repeats is in the log once', async () => {
  const orderId = await place('alice');
  const { lastSequence } = exchange.log;
  expect(await canceled('alice', `?ids=${`${orderId},7,`.repeat(499)}${orderId}`)).toEqual([
    orderId,
  ]);
  const [batch] = exchange.log.read(lastSequence);
  const command = decodeCommand(new ByteReader(batch!.payload));
  expect(command).toMatchObject({ orderIds: [Number(orderId), 7] });
});
