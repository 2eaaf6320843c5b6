import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { Browser, PASSWORD } from '../http/browser.ts';
import { TestExchange } from '../http/exchange.ts';
import { StreamClient } from './client.ts';

/** Sockets that select an account of a group, also those of an attacker. */

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };

let exchange: TestExchange;
let server: ReturnType<typeof listen>;
let carol: Browser;
let dora: Browser;
let main: string;
let sub: string;
const clients: StreamClient[] = [];

beforeAll(async () => {
  exchange = await TestExchange.open({ rateLimits: 'spec' });
  const streams = new Streams(exchange.services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  const config = { port: 0, host: '127.0.0.1', rateLimits: 'spec', trustedProxies: [] } as const;
  server = listen(exchange.gateway, config, streams);
  carol = await Browser.signedUp(exchange, 'carol@example.com');
  dora = await Browser.signedUp(exchange, 'dora@example.com');
  main = (await carol.get()).data.profile.accountId;
  sub = (await carol.send('POST', '/api/accounts', { name: 'Grid bot' })).data.account.accountId;
  for (const account of [main, sub]) {
    const credit = { account, asset: 'USDT', amount: 10_000, reference: account, reason: 'test' };
    await exchange.send('operator', 'POST', '/api/admin/transfers', JSON.stringify(credit));
  }
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(async () => {
  await server.stop();
  await exchange.close();
});

async function connect(browser: Browser | undefined, account?: string): Promise<StreamClient> {
  const origin = { Origin: `http://127.0.0.1:${server.port}` };
  const cookie = { Cookie: `__Host-buttonwood=${browser?.session}` };
  const headers = browser === undefined ? {} : { ...origin, ...cookie };
  const client = await StreamClient.open(server.port, headers, account);
  clients.push(client);
  return client;
}

/** Returns a socket that is subscribed to the orders, fills and balances of an account, and their snapshots. */
async function follow(browser: Browser, account?: string) {
  const client = await connect(browser, account);
  client.send({ op: 'auth' });
  expect(await client.next()).toEqual({ op: 'authenticated' });
  const snapshots = [];
  for (const channel of ['orders', 'fills', 'balances']) {
    client.send({ op: 'subscribe', channel });
    snapshots.push((await client.next()).data[channel]);
  }
  return { client, snapshots };
}

const place = (terms: object, account: string) =>
  carol.send('POST', '/api/orders', { ...ORDER, ...terms }, { 'X-Account': account });

/** Returns the ids of the orders in the messages that have arrived until a ping is answered. */
async function orderIds(client: StreamClient): Promise<string[]> {
  client.send({ op: 'ping' });
  const ids: string[] = [];
  for (let message = await client.next(); message.op !== 'pong'; message = await client.next()) {
    ids.push(...(message.data.orders ?? []).map(({ orderId }: { orderId: string }) => orderId));
  }
  return ids;
}

test('a socket receives the private events of the account that it selects, and no others', async () => {
  const ofSub = await follow(carol, sub);
  const ofMain = await follow(carol);
  const named = await follow(carol, main);
  const balance = { asset: 'USDT', total: 10_000, available: 10_000, held: 0 };
  for (const { snapshots } of [ofSub, ofMain, named])
    expect(snapshots).toEqual([[], [], [balance]]);
  const first = (await place({}, sub)).data.orderId;
  const second = (await place({}, main)).data.orderId;
  expect(await orderIds(ofSub.client)).toEqual([first]);
  expect(await orderIds(ofMain.client)).toEqual([second]);
  expect(await orderIds(named.client)).toEqual([second]);
  await carol.send('DELETE', '/api/orders?all=true', undefined, { 'X-Account': sub });
  await carol.send('DELETE', '/api/orders?all=true');
});

test('a socket trades for the account that it selects', async () => {
  const { client } = await follow(carol, sub);
  client.send({ op: 'order.place', id: 1, params: ORDER });
  await client.until(() => client.messages.some(({ id }) => id === 1));
  const open = async (account: string) => {
    const path = '/api/orders?status=open';
    const { data } = await carol.send('GET', path, undefined, { 'X-Account': account });
    return data.orders.map(({ orderId }: { orderId: string }) => orderId);
  };
  expect(await open(sub)).toHaveLength(1);
  expect(await open(main)).toEqual([]);
  // An order of the other account cannot be canceled over the socket either.
  const { orderId } = (await place({}, main)).data;
  client.send({ op: 'order.cancel', id: 2, params: { orderId } });
  await client.until(() => client.messages.some(({ id }) => id === 2));
  const answer = client.messages.find(({ id }) => id === 2);
  expect(answer.error.code).toBe('ORDER_NOT_FOUND');
  expect(await open(main)).toEqual([orderId]);
});

test('a user can select no account of others, whether or not it exists', async () => {
  const errors = [];
  for (const account of [sub, main, 'alice', 'nothing', '', 'x y']) {
    const client = await connect(dora, account);
    client.send({ op: 'auth' });
    client.send({ op: 'subscribe', channel: 'orders' });
    client.send({ op: 'order.place', id: 1, params: ORDER });
    const { op, error } = await client.next();
    expect(op).toBe('error');
    errors.push(JSON.stringify(error));
    expect(error.code).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await client.next()).error.code).toBe('UNAUTHORIZED');
    expect((await client.next()).error.code).toBe('UNAUTHORIZED');
    await place({}, sub);
    expect(await orderIds(client)).toEqual([]);
  }
  expect(new Set(errors).size).toBe(1);
});

test('sockets of a session share the limits of the main account', async () => {
  exchange.now += 60_000;
  const clients = [await follow(carol, sub), await follow(carol)];
  const read = async ({ client }: (typeof clients)[number], id: number) => {
    client.send({ op: 'orders.open', id });
    await client.until(() => client.messages.some((message) => message.id === id));
    return client.messages.find((message) => message.id === id).error?.code;
  };
  for (let id = 0; id < 60; id++) expect(await read(clients[id % 2]!, id)).toBeUndefined();
  for (const client of clients) expect(await read(client, 60)).toBe('RATE_LIMIT_EXCEEDED');
  const answer = await carol.send('GET', '/api/orders?status=open');
  expect(answer.code).toBe('RATE_LIMIT_EXCEEDED');
});

test('a key authenticates only sockets of its own account', async () => {
  const terms = { label: 'bot', permissions: ['read', 'trade'], password: PASSWORD };
  const made = await carol.send('POST', '/api/account/keys', terms, { 'X-Account': sub });
  const { apiKey, apiSecret } = made.data;
  for (const [account, expected] of [
    [sub, { op: 'authenticated' }],
    [undefined, { op: 'authenticated' }],
    [main, { op: 'error', error: { code: 'INSUFFICIENT_PERMISSIONS' } }],
    ['alice', { op: 'error', error: { code: 'INSUFFICIENT_PERMISSIONS' } }],
  ] as const) {
    const client = await connect(undefined, account);
    client.send({ op: 'auth', apiKey, apiSecret });
    expect(await client.next()).toMatchObject(expected);
  }
});
