import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Browser } from './browser.ts';
import { TestCustodian } from './custodian.ts';
import { TestExchange } from './exchange.ts';

/** The search of operators in the records of all accounts. */

let exchange: TestExchange;
let main: string;
let orderId: string;
let endedId: string;
let transferId: string;

interface Result {
  readonly kind: string;
  readonly id: string;
  readonly account: string | null;
}

const HASH = `0x${'ab'.repeat(32)}`;

const find = (text: string, by = 'operator') =>
  exchange.send(by, 'GET', `/api/admin/search?search=${encodeURIComponent(text)}`);
const list = async (text: string) =>
  ((await find(text)).data.results as Result[]).map(({ kind, id, account }) => [kind, id, account]);
const post = async (by: string, path: string, body: object) => {
  const { status, data } = await exchange.send(by, 'POST', path, JSON.stringify(body));
  expect([path, status]).toEqual([path, 200]);
  return data;
};

beforeAll(async () => {
  exchange = await TestExchange.open();
  const carol = await Browser.signedUp(exchange, 'carol@example.com');
  main = (await carol.get()).data.profile.accountId;
  const terms = { account: main, asset: 'USDT', amount: 1000, reason: 'test' };
  const moved = await post('operator', '/api/admin/transfers', { ...terms, reference: 'bank-77' });
  transferId = moved.transfer.id;
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.1, price: 100 };
  const place = async (clientOrderId: string) =>
    (await post('alice', '/api/orders', { ...order, clientOrderId })).orderId as string;
  orderId = await place('grid-1');
  endedId = await place('grid-2');
  await exchange.send('alice', 'DELETE', `/api/orders/${endedId}`);
  const custodian = await TestCustodian.open(exchange);
  const address = { asset: 'BTC', network: 'bitcoin', address: 'bc1qsub' };
  await custodian.report('/addresses', { ...address, account: main });
  const payment = { ...address, transaction: HASH, index: 0, amount: 0.5 };
  await custodian.report('/deposits', { ...payment, confirmations: 1, report: 1 });
});
afterAll(() => exchange.close());

test('a user is found by the beginning or a part of the address and the name, and by the account', async () => {
  for (const text of ['carol@', 'CAROL@EXAMPLE', 'arol@exam', main.slice(2, 20), main]) {
    const { results } = (await find(text)).data;
    expect(results[0]).toMatchObject({
      ...{ kind: 'account', id: main, account: main },
      ...{ ownerEmail: 'carol@example.com', status: 'active' },
    });
  }
  expect(await list('100%')).toEqual([]);
});

test('orders, transfers and deposits are found, open and ended ones', async () => {
  for (const isStored of [false, true]) {
    if (isStored) await exchange.archive.flush();
    expect(await list(orderId)).toContainEqual(['order', orderId, 'alice']);
    expect(await list(endedId)).toContainEqual(['order', endedId, 'alice']);
    expect(await list('grid-1')).toEqual([['order', orderId, 'alice']]);
    expect(await list('grid-2')).toEqual([['order', endedId, 'alice']]);
    expect(await list('bank-77')).toEqual([['transfer', transferId, main]]);
    expect(await list(transferId)).toContainEqual(['transfer', transferId, main]);
    const [deposit] = (await find(HASH)).data.results;
    expect(deposit).toMatchObject({ kind: 'deposit', account: main, asset: 'BTC', amount: 0.5 });
    expect(await list(deposit.id)).toContainEqual(['deposit', deposit.id, main]);
  }
});

test('a trade is found by its id, an address and a part of a reference', async () => {
  const order = { symbol: 'BTC/USDT', type: 'limit', amount: 0.1, price: 100 };
  const sold = await post('bob', '/api/orders', { ...order, side: 'sell', returnFills: true });
  const tradeId = sold.fills[0].id as string;
  expect(await list(tradeId)).toContainEqual(['trade', tradeId, 'bob']);
  expect(await list('bc1qsub')).toEqual([['address', 'bc1qsub', main]]);
  expect(await list('ANK-7')).toEqual([['transfer', transferId, main]]);
  expect(await list('ank')).toEqual([]);
});

test('a key is found by its id, without its secret', async () => {
  const { apiKey } = await exchange.addKey('bot', 'alice', ['read']);
  const [key] = (await find(apiKey)).data.results;
  expect(key).toMatchObject({ kind: 'key', id: apiKey, account: 'alice', status: 'active' });
});

test('every operator may search, and users may not', async () => {
  await exchange.addKey('auditor', 'bob', ['audit']);
  expect((await find('alice', 'auditor')).status).toBe(200);
  expect((await find('alice', 'alice')).status).toBe(403);
});

test.each(['', ' ', 'x'.repeat(201)])('%p is rejected', async (text) => {
  const { status, json } = await find(text);
  expect([status, json.error.details.field]).toEqual([400, 'search']);
});
