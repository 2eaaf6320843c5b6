import { afterEach, beforeEach, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/config/durations.ts';
import { listen } from '../../src/gateway/http/server.ts';
import { CloseCode } from '../../src/gateway/stream/sockets/close-codes.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { TestExchange } from '../http/exchange.ts';
import { type KeyPair, newKeyPair, type Signed, signature } from '../http/signing.ts';
import { StreamClient } from './client.ts';

/** Streams that authenticate with a signature. */

const WEEK_MS = 7 * DAY_MS;

let exchange: TestExchange;
let server: ReturnType<typeof listen>;
let pair: KeyPair;
let apiKey: string;
const clients: StreamClient[] = [];

beforeEach(async () => {
  exchange = await TestExchange.open();
  const streams = new Streams(exchange.services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  const config = { port: 0, host: '127.0.0.1', rateLimits: 'spec', trustedProxies: [] } as const;
  server = listen(exchange.gateway, config, streams);
  pair = newKeyPair();
  const body = JSON.stringify({ permissions: ['read'], publicKey: pair.publicPem });
  const created = await exchange.send('operator', 'POST', '/api/admin/accounts/alice/keys', body);
  apiKey = created.data.key.apiKey;
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.stop();
  await exchange.close();
});

async function connect(): Promise<StreamClient> {
  const client = await StreamClient.open(server.port);
  clients.push(client);
  return client;
}

/** Returns a signed `auth` message. */
function auth(terms: Partial<Signed> = {}) {
  const signed = {
    ...{ apiKey, privateKey: pair.privateKey, method: 'AUTH', target: '/ws' },
    ...{ timestamp: exchange.now, ...terms },
  };
  const { recvWindow, timestamp } = signed;
  const window = recvWindow === undefined ? {} : { recvWindow };
  return { op: 'auth', apiKey: signed.apiKey, timestamp, ...window, signature: signature(signed) };
}

async function ask(message: object): Promise<{ op: string; code: string; details: unknown }> {
  const client = await connect();
  client.send(message);
  const { op, error } = await client.next();
  return { op, code: error?.code, details: error?.details };
}

test('a signed message authenticates a stream', async () => {
  const client = await connect();
  client.send(auth());
  client.send({ op: 'subscribe', channel: 'orders' });
  expect(await client.next()).toEqual({ op: 'authenticated' });
  expect(await client.next()).toMatchObject({ op: 'snapshot', channel: 'orders' });
});

test('numbers may be sent as text', async () => {
  const message = auth({ recvWindow: 9000 });
  const texts = { timestamp: `${message.timestamp}`, recvWindow: '9000' };
  expect((await ask({ ...message, ...texts })).op).toBe('authenticated');
});

test('a copy of the message authenticates no other stream', async () => {
  const message = auth();
  expect((await ask(message)).op).toBe('authenticated');
  expect(await ask(message)).toEqual({
    op: 'error',
    code: 'INVALID_REQUEST',
    details: { field: 'signature', rule: 'once' },
  });
});

test('a request’s signature authenticates no stream, and a message’s no request', async () => {
  const wrong = { op: 'error', code: 'UNAUTHORIZED', details: {} };
  expect(await ask(auth({ method: 'GET' }))).toEqual(wrong);
  const { timestamp, signature } = auth();
  const answer = await exchange.send(undefined, 'GET', '/ws', undefined, {
    Authorization: `Bearer ${apiKey}`,
    'X-API-Timestamp': `${timestamp}`,
    'X-API-Signature': signature,
  });
  expect(answer.status).toBe(400);
});

test.each<[string, () => object]>([
  ['another private key', () => auth({ privateKey: newKeyPair().privateKey })],
  ['an unknown key', () => auth({ apiKey: 'bwk_unknown' })],
  ['another timestamp', () => ({ ...auth(), timestamp: exchange.now + 1 })],
  ['another window', () => ({ ...auth(), recvWindow: 6000 })],
  ['a body', () => auth({ body: '{}' })],
  ['another path', () => auth({ target: '/' })],
  ['a secret of another key too', () => ({ ...auth(), apiSecret: 'x' })],
])('%s is UNAUTHORIZED', async (_, message) => {
  expect(await ask(message())).toEqual({ op: 'error', code: 'UNAUTHORIZED', details: {} });
});

test.each<[string, string, () => object]>([
  ['timestamp', 'recvWindow', () => auth({ timestamp: exchange.now - 5001 })],
  ['timestamp', 'recvWindow', () => auth({ timestamp: exchange.now + 1001 })],
  [
    'timestamp',
    'recvWindow',
    () => auth({ timestamp: exchange.now - WEEK_MS, recvWindow: 60_000 }),
  ],
  ['timestamp', 'milliseconds', () => ({ ...auth(), timestamp: undefined })],
  ['timestamp', 'milliseconds', () => ({ ...auth(), timestamp: 1.5 })],
  ['recvWindow', 'milliseconds', () => auth({ recvWindow: 60_001 })],
  ['signature', 'base64', () => ({ ...auth(), signature: 'x' })],
])('a wrong %s (%s) is named', async (field, rule, message) => {
  const { code, details } = await ask(message());
  expect([code, details]).toEqual(['INVALID_REQUEST', expect.objectContaining({ field, rule })]);
});

test('a signature with a single bit changed is UNAUTHORIZED', async () => {
  const message = auth();
  const bytes = Buffer.from(message.signature, 'base64');
  const client = await connect();
  // A connection may send 50 such messages in a second, so not every bit is tried; test/http/signatures.test.ts does.
  for (let bit = 0; bit < bytes.length * 8; bit += 11) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    client.send({ ...message, signature: changed.toString('base64') });
    const { error } = await client.next();
    expect([bit, error?.code]).toEqual([bit, 'UNAUTHORIZED']);
  }
  client.send(message);
  expect(await client.next()).toEqual({ op: 'authenticated' });
});

test('a revoked key ends the stream that it signed for', async () => {
  const client = await connect();
  client.send(auth());
  await client.next();
  await exchange.send('operator', 'DELETE', `/api/admin/accounts/alice/keys/${apiKey}`);
  expect(await client.closed).toBe(CloseCode.credentialEnded);
});
