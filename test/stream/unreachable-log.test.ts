import { afterEach, beforeEach, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { Permission } from '../../src/engine/terms.ts';
import { generateCredentials, hashSecret } from '../../src/gateway/auth/credentials.ts';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { CommandNotAppliedError } from '../../src/replica/errors.ts';
import { MemoryNetwork } from '../../src/testing/memory-bus.ts';
import { Browser } from '../http/browser.ts';
import { TestExchange } from '../http/exchange.ts';
import { StreamClient } from './client.ts';

/** Streams of one of many nodes, behind the others or cut off from the log. */

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

/** What happened on other nodes, and is applied here while this one catches up. */
function catchUpWith(happen: () => Promise<unknown>): { count: number } {
  const asked = { count: 0 };
  exchange.replica.whenCurrent = async () => {
    asked.count++;
    await happen();
  };
  return asked;
}

async function connect(headers: Record<string, string> = {}): Promise<StreamClient> {
  const client = await StreamClient.open(server.port, headers);
  clients.push(client);
  return client;
}

function authOf(name: string) {
  const { Authorization, 'X-API-Secret': apiSecret } = exchange.headers(name);
  return { op: 'auth', apiKey: Authorization!.slice('Bearer '.length), apiSecret };
}

test('a key that another node has revoked a moment ago opens nothing', async () => {
  const auth = authOf('alice');
  const revoked = { kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: auth.apiKey } as const;
  catchUpWith(() => exchange.replica.execute(revoked));
  const client = await connect();
  client.send(auth);
  client.send({ op: 'subscribe', channel: 'balances' });
  const codes = [(await client.next()).error.code, (await client.next()).error.code];
  expect(codes).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
});

test('a key that another node has made a moment ago opens its streams', async () => {
  const { apiKey, apiSecret } = generateCredentials(randomBytes);
  const owner = exchange.state.accountsById.get('alice')!.index;
  const terms = { permissions: Permission.read, label: '', addresses: [], expiresAt: 0 };
  catchUpWith(() =>
    exchange.replica.execute({
      ...{ kind: CommandKind.createKey, ...SYSTEM_ACTOR, owner, apiKey, ...terms },
      secretHash: hashSecret(apiSecret),
    }),
  );
  const client = await connect();
  client.send({ op: 'auth', apiKey, apiSecret });
  expect(await client.next()).toEqual({ op: 'authenticated' });
});

test('where it cannot be known whose a socket is nothing private is told', async () => {
  exchange.replica.whenCurrent = () => Promise.reject(new CommandNotAppliedError());
  const browser = await Browser.signedUp(exchange, 'carol@example.com');
  const client = await connect();
  client.send(authOf('alice'));
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

test('who has guessed too often makes a node write nothing, and a good key is still asked for', async () => {
  const asked = catchUpWith(async () => {});
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
  expect(asked.count).toBe(guesses);
  const { apiKey, apiSecret } = authOf('alice');
  await exchange.authorization.authorizeStream(apiKey!, apiSecret!, from);
  expect(asked.count).toBe(guesses + 1);
});

test('a node that is out of reach of the log for seconds ends its streams, and takes no more', async () => {
  const [idle, reader] = [await connect(), await connect()];
  reader.send({ op: 'subscribe', channel: 'trades', symbol: 'BTC/USDT' });
  expect((await reader.next()).op).toBe('snapshot');
  const look = (times: number) => {
    for (let n = 0; n < times; n++) streams.reach!.look();
  };
  isUnreachable = true;
  look(5);
  isUnreachable = false;
  look(1);
  isUnreachable = true;
  look(5);
  reader.send({ op: 'ping' });
  expect(await reader.next()).toEqual({ op: 'pong' });
  look(1);
  for (const each of [idle, reader]) {
    expect(await each.closed).toBe(1013);
    expect(each.closeReason).toBe('this node does not reach the log: connect again');
  }
  const refusal = await askForUpgrade();
  expect([refusal.status, refusal.headers.get('Retry-After')]).toEqual([503, '10']);
  isUnreachable = false;
  const again = await connect();
  again.send({ op: 'ping' });
  expect(await again.next()).toEqual({ op: 'pong' });
});

test('nothing is subscribed to while data is stale, and a subscription goes on once it is not', async () => {
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

test('while data is stale no minute passes in the candles', async () => {
  const client = await connect();
  const interval = '1m';
  client.send({ op: 'subscribe', channel: 'prices', symbol: 'BTC/USDT' });
  client.send({ op: 'subscribe', channel: 'candles', symbol: 'BTC/USDT', interval });
  for (let n = 0; n < 2; n++) expect((await client.next()).op).toBe('snapshot');
  isStale = true;
  exchange.now += 60_000;
  streams.passTime();
  client.send({ op: 'ping' });
  expect(await client.next()).toEqual({ op: 'pong' });
  isStale = false;
  streams.passTime();
  const next = [(await client.next()).channel, (await client.next()).channel];
  expect(next.sort()).toEqual(['candles', 'prices']);
});

function askForUpgrade(): Promise<Response> {
  const upgrade = { Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Version': '13' };
  const headers = { ...upgrade, 'Sec-WebSocket-Key': 'AQIDBAUGBwgJCgsMDQ4PEA==' };
  return fetch(`http://127.0.0.1:${server.port}/ws`, { headers });
}

test('who has ended between being let in and being told so is closed', async () => {
  const auth = authOf('alice');
  const key = exchange.state.keysByApiKey.get(auth.apiKey!)!;
  const revoked = { kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: auth.apiKey! } as const;
  const admit = async () => {
    await exchange.replica.execute(revoked);
    return key;
  };
  exchange.authorization.authorizeStream = admit;
  const client = await connect();
  client.send(auth);
  expect(await client.closed).toBe(4001);
  expect(client.messages).toEqual([]);
});
