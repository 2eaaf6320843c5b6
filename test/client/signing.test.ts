import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExactClient } from '../../src/client/exact-client.ts';
import { Client, NotSentError, Streams } from '../../src/client/index.ts';
import { Signer } from '../../src/client/signing.ts';
import { CommandKind } from '../../src/engine/command.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { Venue } from '../ccxt/venue.ts';
import { newKeyPair } from '../http/signing.ts';

/** The client, the CCXT class and the command line sign requests with a private key. */

const pair = newKeyPair();
const privateKey = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-signing-'));
const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01 } as const;
let venue: Venue;
let apiKey: string;

beforeAll(async () => {
  venue = await Venue.open();
  // Clients sign the time of this machine.
  Object.defineProperty(venue.exchange, 'now', { get: () => Date.now() });
  apiKey = await register('alice', ['read', 'trade']);
});
afterAll(async () => {
  await venue.close();
  rmSync(directory, { recursive: true });
});

async function register(account: string, permissions: string[]): Promise<string> {
  const body = JSON.stringify({ permissions, publicKey: pair.publicPem });
  const path = `/api/admin/accounts/${account}/keys`;
  return (await venue.exchange.send('operator', 'POST', path, body)).data.key.apiKey;
}

function writeFile(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const connection = () => ({ baseUrl: venue.url, apiKey });

test('the client signs with PEM or a CryptoKey', async () => {
  const pkcs8 = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
  const cryptoKey = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']);
  for (const key of [privateKey, cryptoKey]) {
    const client = new Client({ ...connection(), privateKey: key });
    const { orderId } = await client.placeOrder({ ...ORDER, price: 40000 });
    expect((await client.amendOrder({ id: orderId, price: 41000 })).price).toBe(41000);
    const { orders } = await client.listOrders({ symbol: 'BTC/USDT', status: 'open' });
    expect(orders.map((order) => order.orderId)).toEqual([orderId]);
    expect((await client.cancelOrder({ id: orderId })).status).toBe('canceled');
  }
});

test('orders of every client carry their deadline to the log, and are not sent after it', async () => {
  const { replica } = venue.exchange;
  const submit = replica.submit.bind(replica);
  const deadlines: number[] = [];
  replica.submit = (command, ...rest) => {
    if (command.kind === CommandKind.executeBy) deadlines.push(command.deadline);
    return submit(command, ...rest);
  };
  const { 'X-API-Secret': apiSecret, Authorization } = venue.exchange.headers('alice');
  const secret = { baseUrl: venue.url, apiKey: Authorization!.slice(7), apiSecret: apiSecret! };
  const signing = new Client({ ...connection(), privateKey });
  const trading = new Client(secret).trading();
  await trading.whenConnected();
  for (const client of [new Client(secret), signing, trading]) {
    const deadline = Date.now() + 20_000;
    const { orderId } = await client.placeOrder({ ...ORDER, price: 40000 }, { deadline });
    // Equal requests of a signing client differ by a millisecond of their windows.
    expect(deadline - deadlines.pop()!).toBeWithin(0, 3);
    await client.amendOrder({ id: orderId, price: 40001 }, { deadline });
    expect(deadline - deadlines.pop()!).toBeWithin(0, 3);
    const late = client.placeOrder({ ...ORDER, price: 40000 }, { deadline: Date.now() - 1 });
    await expect(late).rejects.toThrow(NotSentError);
    await client.cancelOrder({ id: orderId });
  }
  expect(deadlines).toEqual([]);
  trading.close();
  Object.assign(replica, { submit });
});

test('the time to read a private key counts towards a deadline', async () => {
  const imported = crypto.subtle.importKey.bind(crypto.subtle);
  const slow = spyOn(crypto.subtle, 'importKey').mockImplementation((async (
    ...args: Parameters<typeof imported>
  ) => {
    await Bun.sleep(20);
    return imported(...args);
  }) as typeof imported);
  const signer = new Signer({ apiKey, privateKey });
  const deadline = Date.now() + 10_000;
  const headers = await signer.headers('POST', `${venue.url}/api/orders`, '{}', deadline);
  slow.mockRestore();
  expect(Number(headers['X-API-Timestamp']) + Number(headers['X-API-Recv-Window'])).toBe(deadline);
});

test('equal requests of one millisecond are different requests', async () => {
  // `Client` would give each order an id of its own.
  const client = new ExactClient({ ...connection(), privateKey });
  const order = { ...ORDER, amount: '0.01', price: '30000' } as const;
  const placed = await Promise.all(Array.from({ length: 40 }, () => client.placeOrder(order)));
  expect(new Set(placed.map(({ orderId }) => orderId)).size).toBe(40);
  await client.cancelOrders({ all: 'true' });
});

test('a wrong private key, or none at all, is reported', async () => {
  const wrong = newKeyPair().privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  const failure = (key: string) =>
    new Client({ ...connection(), privateKey: key, retries: 0 })
      .getBalances()
      .catch((error: Error) => error);
  expect(await failure(wrong)).toMatchObject({ code: 'UNAUTHORIZED' });
  const garbled = (await failure('-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n')) as Error;
  expect(garbled.message).toContain('openssl genpkey -algorithm ed25519');
  expect(garbled.message).not.toContain('c2VjcmV0');
});

test('streams authenticate with a signature, and with another one after a reconnect', async () => {
  const sockets: WebSocket[] = [];
  class Recorded extends WebSocket {
    constructor(url: string) {
      super(url);
      sockets.push(this);
    }
  }
  const streams = new Streams({ ...connection(), privateKey, WebSocket: Recorded as never });
  const client = new Client({ ...connection(), privateKey });
  const seen = new Set<string>();
  let onSeen = () => {};
  await streams.subscribe({ channel: 'orders' }, ({ data }) => {
    for (const { orderId } of data.orders) seen.add(orderId);
    onSeen();
  });
  const arrival = async (orderId: string) => {
    while (!seen.has(orderId)) {
      await new Promise<void>((resolve) => {
        onSeen = resolve;
      });
    }
  };
  await arrival((await client.placeOrder({ ...ORDER, price: 35000 })).orderId);
  sockets[0]!.close();
  await arrival((await client.placeOrder({ ...ORDER, price: 36000 })).orderId);
  expect(sockets).toHaveLength(2);
  await client.cancelOrders({ all: 'true' });
  streams.close();
});

test('streams report a private key that cannot be read', async () => {
  const streams = new Streams({ ...connection(), privateKey: 'none' });
  const failed = streams.subscribe({ channel: 'orders' }, () => {});
  expect(failed).rejects.toThrow('openssl genpkey');
  await failed.catch(() => {});
});

test('the CCXT class signs with its privateKey, requests and streams', async () => {
  const bot = venue.bot(undefined, { apiKey, privateKey });
  const watched = bot.watchOrders();
  await bot.watchTicker('BTC/USDT');
  const order = await bot.createOrder('BTC/USDT', 'limit', 'buy', 0.01, 20000);
  expect((await watched)[0]!.id).toBe(order.id);
  expect((await bot.fetchOpenOrders('BTC/USDT')).map(({ id }) => id)).toEqual([order.id]);
  expect((await bot.cancelOrder(order.id!)).status).toBe('canceled');
  const none = venue.bot(undefined, { apiKey });
  expect(none.fetchBalance()).rejects.toThrow('secret');
  await none.fetchBalance().catch(() => {});
});

test('the command line creates a key with a public key, and signs with a private one', async () => {
  const operator = await register('operator', ['operate']);
  const env = {
    BUTTONWOOD_URL: venue.url,
    BUTTONWOOD_API_KEY: operator,
    BUTTONWOOD_PRIVATE_KEY_FILE: writeFile('private.pem', privateKey),
  };
  const publicFile = writeFile('public.pem', pair.publicPem);
  const create = ['key', 'create', 'bob', '--permissions', 'read', '--public-key', publicFile];
  const created = await runForTest(create, env);
  expect(created.exitCode).toBe(0);
  expect(created.out).toContain(pair.publicBase64);
  expect(created.out).not.toContain('secret');
  const listed = await runForTest(['key', 'list', 'bob'], env);
  expect(listed.out).toMatch(/ed25519 +read/);
  expect(listed.out).toMatch(/secret +read,trade/);

  const failed = async (change: object) => {
    const { exitCode, error } = await runForTest(['account', 'list'], { ...env, ...change });
    expect(exitCode).toBe(2);
    return error;
  };
  const missing = join(directory, 'missing.pem');
  expect(await failed({ BUTTONWOOD_PRIVATE_KEY_FILE: missing })).toContain('Cannot read');
  expect(await failed({ BUTTONWOOD_PRIVATE_KEY_FILE: publicFile })).toContain('openssl genpkey');
  expect(await failed({ BUTTONWOOD_API_KEY: '' })).toContain('needs BUTTONWOOD_API_KEY');
  expect(await failed({ BUTTONWOOD_API_SECRET: 'x' })).toContain('no BUTTONWOOD_API_SECRET');
  const noFile = await runForTest(
    ['key', 'create', 'bob', '--permissions', 'read', '--public-key', missing],
    env,
  );
  expect(noFile.error).toContain('Cannot read the public key');
});
