import { afterEach, beforeEach, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { Permission } from '../../src/engine/terms.ts';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { CommandNotAppliedError } from '../../src/replica/errors.ts';
import { MemoryNetwork } from '../../src/testing/memory-bus.ts';
import { generateCredentials, hashSecret } from '../../src/users/credentials/api-keys.ts';
import { Browser } from '../http/browser.ts';
import { TestExchange } from '../http/exchange.ts';
import { StreamClient } from './client.ts';

/** Streams of a cluster node that lags or cannot reach the log. */

let exchange: TestExchange;
let streams: Streams;
let server: ReturnType<typeof listen>;
let isUnreachable: boolean;
let isStale: boolean;
const clients: StreamClient[] = [];

beforeEach(async () => {
  exchange = await TestExchange.open({ rateLimits: 'spec' });
  const services = { ...exchange.services, bus: new MemoryNetwork().join('one') };
  isUnreachable = false;
  isStale = false;
  Object.defineProperty(exchange.replica, 'isUnreachable', { get: () => isUnreachable });
  Object.defineProperty(exchange.replica, 'isStale', { get: () => isStale });
  streams = new Streams(services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  const config = { port: 0, host: '127.0.0.1', rateLimits: 'spec', trustedProxies: [] } as const;
  server = listen(exchange.gateway, config, streams);
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.stop();
  await exchange.close();
});

/** Runs `apply`, the commands of other nodes, when this node catches up. Counts how often it did. */
function catchUpWith(apply: () => Promise<unknown>): { count: number } {
  const catchUps = { count: 0 };
  exchange.replica.whenCurrent = async () => {
    catchUps.count++;
    await apply();
  };
  return catchUps;
}

async function connect(headers: Record<string, string> = {}): Promise<StreamClient> {
  const client = await StreamClient.open(server.port, headers);
  clients.push(client);
  return client;
}

function makeAuth(name: string) {
  const { Authorization, 'X-API-Secret': apiSecret } = exchange.headers(name);
  return { op: 'auth', apiKey: Authorization!.slice('Bearer '.length), apiSecret };
}

test('a key that another node has just revoked is rejected', async () => {
  const auth = makeAuth('alice');
  const revoked = { kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: auth.apiKey } as const;
  catchUpWith(() => exchange.replica.execute(revoked));
  const client = await connect();
  client.send(auth);
  client.send({ op: 'subscribe', channel: 'balances' });
  const codes = [(await client.next()).error.code, (await client.next()).error.code];
  expect(codes).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
});

test('a key that another node has just created is accepted', async () => {
  const { apiKey, apiSecret } = generateCredentials(randomBytes);
  const owner = exchange.state.accountsById.get('alice')!.index;
  const terms = { permissions: Permission.read, label: '', addresses: [], expiresAt: 0 };
  catchUpWith(() =>
    exchange.replica.execute({
      kind: CommandKind.createKey,
      ...SYSTEM_ACTOR,
      owner,
      apiKey,
      ...terms,
      secretHash: hashSecret(apiSecret),
    }),
  );
  const client = await connect();
  client.send({ op: 'auth', apiKey, apiSecret });
  expect(await client.next()).toEqual({ op: 'authenticated' });
});

test('a socket whose credentials cannot be verified gets no private channels', async () => {
  exchange.replica.whenCurrent = () => Promise.reject(new CommandNotAppliedError());
  const browser = await Browser.signedUp(exchange, 'carol@example.com');
  const client = await connect();
  client.send(makeAuth('alice'));
  const own = await connect({
    Origin: `http://127.0.0.1:${server.port}`,
    Cookie: `__Host-buttonwood=${browser.session}`,
  });
  own.send({ op: 'auth' });
  for (const each of [client, own]) {
    each.send({ op: 'subscribe', channel: 'orders' });
    const codes = [(await each.next()).error.code, (await each.next()).error.code];
    expect(codes).toEqual(['OVERLOADED', 'UNAUTHORIZED']);
  }
});

test('a client over the guess limit causes no catch-up; a valid key still does', async () => {
  const catchUps = catchUpWith(async () => {});
  const from = { address: '192.0.2.1', origin: null, host: null };
  const guess = async () => {
    try {
      return await exchange.authorization.authorizeStream('bwk_1', 'bws_1', from);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  let guesses = 0;
  while ((await guess()) !== 'RATE_LIMIT_EXCEEDED') guesses++;
  expect(catchUps.count).toBe(guesses);
  const { apiKey, apiSecret } = makeAuth('alice');
  await exchange.authorization.authorizeStream(apiKey!, apiSecret!, from);
  expect(catchUps.count).toBe(guesses + 1);
});

test('a node that cannot reach the log for seconds closes its streams and accepts no more', async () => {
  const [idle, reader] = [await connect(), await connect()];
  reader.send({ op: 'subscribe', channel: 'trades', symbol: 'BTC/USDT' });
  expect((await reader.next()).op).toBe('snapshot');
  const check = (times: number) => {
    for (let n = 0; n < times; n++) streams.reachability!.check();
  };
  isUnreachable = true;
  check(5);
  isUnreachable = false;
  check(1);
  isUnreachable = true;
  check(5);
  reader.send({ op: 'ping' });
  expect(await reader.next()).toEqual({ op: 'pong' });
  check(1);
  for (const each of [idle, reader]) {
    expect(await each.closed).toBe(1013);
    expect(each.closeReason).toBe('this node cannot reach the log: connect again');
  }
  const rejection = await requestUpgrade();
  expect([rejection.status, rejection.headers.get('Retry-After')]).toEqual([503, '10']);
  isUnreachable = false;
  const again = await connect();
  again.send({ op: 'ping' });
  expect(await again.next()).toEqual({ op: 'pong' });
});

test('subscriptions are rejected while data is stale and accepted afterwards', async () => {
  const client = await connect();
  isStale = true;
  for (const channel of ['orderbook', 'prices', 'trades'])
    client.send({ op: 'subscribe', channel, symbol: 'BTC/USDT' });
  client.send({ op: 'subscribe', channel: 'orders' });
  for (let n = 0; n < 4; n++) expect((await client.next()).error.code).toBe('STALE');
  client.send({ op: 'unsubscribe', channel: 'trades', symbol: 'BTC/USDT' });
  expect((await client.next()).op).toBe('unsubscribed');
  isStale = false;
  client.send({ op: 'subscribe', channel: 'trades', symbol: 'BTC/USDT' });
  expect((await client.next()).op).toBe('snapshot');
});

test('no candle begins while data is stale', async () => {
  const client = await connect();
  const interval = '1m';
  client.send({ op: 'subscribe', channel: 'prices', symbol: 'BTC/USDT' });
  client.send({ op: 'subscribe', channel: 'candles', symbol: 'BTC/USDT', interval });
  for (let n = 0; n < 2; n++) expect((await client.next()).op).toBe('snapshot');
  isStale = true;
  exchange.now += 60_000;
  streams.advanceTime();
  client.send({ op: 'ping' });
  expect(await client.next()).toEqual({ op: 'pong' });
  isStale = false;
  streams.advanceTime();
  const next = [(await client.next()).channel, (await client.next()).channel];
  expect(next.sort()).toEqual(['candles', 'prices']);
});

function requestUpgrade(): Promise<Response> {
  const upgrade = { Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Version': '13' };
  const headers = { ...upgrade, 'Sec-WebSocket-Key': 'AQIDBAUGBwgJCgsMDQ4PEA==' };
  return fetch(`http://127.0.0.1:${server.port}/ws`, { headers });
}

test('a socket whose key is revoked during its authentication is closed', async () => {
  const auth = makeAuth('alice');
  const key = exchange.state.keysByApiKey.get(auth.apiKey!)!;
  const revoked = { kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: auth.apiKey! } as const;
  const authorizeThenRevoke = async () => {
    await exchange.replica.execute(revoked);
    return key;
  };
  exchange.authorization.authorizeStream = authorizeThenRevoke;
  const client = await connect();
  client.send(auth);
  expect(await client.closed).toBe(4001);
  expect(client.messages).toEqual([]);
});
