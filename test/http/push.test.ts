import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { Browser, PASSWORD } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** Web Push: messages to browsers, read by a push service on this machine that has the browser's keys. */

const SYMBOL = 'BTC/USDT';
const PATH = '/api/account/notifications';
const HEADER_BYTES = 86;

interface Pushed {
  readonly path: string;
  readonly headers: Headers;
  readonly message: { readonly title: string; readonly body: string; readonly path: string };
}

const receiver = createECDH('prime256v1');
receiver.generateKeys();
const auth = randomBytes(16);
const keys = {
  p256dh: receiver.getPublicKey('base64url'),
  auth: auth.toString('base64url'),
};

let exchange: TestExchange;
let carol: Browser;
let pushed: Pushed[] = [];
let status = 201;
const service = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const message = JSON.parse(decrypt(Buffer.from(await request.arrayBuffer())));
    pushed.push({ path: new URL(request.url).pathname, headers: request.headers, message });
    return new Response(null, { status });
  },
});
const endpoint = `http://127.0.0.1:${service.port}/send/1`;

beforeAll(async () => {
  exchange = await TestExchange.open();
  carol = await Browser.signedUp(exchange, 'carol@example.com');
});
afterAll(async () => {
  await exchange.close();
  service.stop(true);
});
afterEach(() => {
  pushed = [];
  status = 201;
});

/** Decrypts a message as a browser does (RFC 8291, 3.4). */
function decrypt(body: Buffer): string {
  const [salt, sender] = [body.subarray(0, 16), body.subarray(21, HEADER_BYTES)];
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver.getPublicKey(), sender]);
  const shared = receiver.computeSecret(sender);
  const derive = (
    secret: ArrayBuffer | Uint8Array,
    from: Uint8Array,
    text: string,
    bytes: number,
  ) => hkdfSync('sha256', new Uint8Array(secret), from, Buffer.from(text), bytes);
  const key = hkdfSync('sha256', shared, auth, info, 32);
  const contentKey = derive(key, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(key, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', Buffer.from(contentKey), Buffer.from(nonce));
  decipher.setAuthTag(body.subarray(-16));
  const content = Buffer.concat([
    decipher.update(body.subarray(HEADER_BYTES, -16)),
    decipher.final(),
  ]);
  expect(content.at(-1)).toBe(2);
  return content.subarray(0, -1).toString();
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(2);
}

/** Subscribes carol's browser. */
const subscribe = (change: object = {}) =>
  carol.send('PATCH', PATH, { push: { endpoint, ...keys, events: ['price.alert'], ...change } });
const subscribed = async () => (await carol.send('GET', PATH)).data.notifications.push;

/** Makes a price alert of carol, and trades at its price. */
async function triggerAlert(price: number): Promise<void> {
  await carol.send('POST', '/api/alerts', { symbol: SYMBOL, direction: 'above', price });
  const order = { symbol: SYMBOL, type: 'limit', amount: 0.01, price };
  exchange.now += 10;
  await exchange.place('alice', { ...order, side: 'sell' });
  await exchange.place('bob', { ...order, side: 'buy' });
}

test('a browser gets encrypted messages about the events that it chose', async () => {
  const answer = await subscribe();
  const { push, pushKey } = answer.data.notifications;
  expect(push).toEqual([{ endpoint, events: ['price.alert'] }]);
  await triggerAlert(50_000);
  await until(() => pushed.length > 0);
  const [{ path, headers, message }] = pushed as [Pushed];
  expect(path).toBe('/send/1');
  expect(message).toMatchObject({ title: 'BTC/USDT is above 50000', path: '/trade/BTC-USDT' });
  expect(headers.get('content-encoding')).toBe('aes128gcm');
  expect(headers.get('ttl')).toBe('3600');
  expect(headers.get('authorization')).toMatch(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=/);
  expect(headers.get('authorization')).toEndWith(`k=${pushKey}`);
});

test('a browser is removed once its push service does not know it', async () => {
  await subscribe();
  status = 404;
  await triggerAlert(50_100);
  await until(async () => (await subscribed()).length === 0);
  expect(pushed).toHaveLength(1);
});

test('a failed message is sent again', async () => {
  await subscribe();
  status = 503;
  await triggerAlert(50_200);
  await until(() => pushed.length >= 2);
  status = 201;
  const sent = pushed.length;
  await until(() => pushed.length > sent);
  expect((await subscribed()).length).toBe(1);
  expect(new Set(pushed.map(({ message }) => message.title))).toEqual(
    new Set(['BTC/USDT is above 50200']),
  );
});

test('messages end with the session that subscribed the browser', async () => {
  await subscribe();
  const other = new Browser(exchange);
  await other.post('/sign-in', { email: 'carol@example.com', password: PASSWORD });
  await carol.post('/sign-out');
  carol = other;
  expect(await subscribed()).toHaveLength(1);
  await triggerAlert(50_300);
  await until(async () => (await subscribed()).length === 0);
  expect(pushed).toEqual([]);
});

test('a user turns messages off, and keeps the ten newest browsers', async () => {
  await subscribe();
  const off = await subscribe({ events: [] });
  expect(off.json).toMatchObject({ success: true, data: { notifications: { push: [] } } });
  for (let count = 0; count < 11; count++) {
    exchange.now += 10;
    await subscribe({ endpoint: `${endpoint}/${count}` });
  }
  const endpoints = (await subscribed()).map((each: { endpoint: string }) => each.endpoint);
  expect(endpoints).toHaveLength(10);
  expect(endpoints).not.toContain(`${endpoint}/0`);
  for (const each of endpoints) await subscribe({ endpoint: each, events: [] });
});

test('an empty list turns a channel off', async () => {
  const set = async (page: string[]) => (await carol.send('PATCH', PATH, { page })).json;
  expect(await set(['order.*'])).toMatchObject({ data: { notifications: { page: ['order.*'] } } });
  expect(await set([])).toMatchObject({ data: { notifications: { page: [] } } });
});

test('addresses next to the exchange and broken keys are rejected', async () => {
  for (const [change, field] of [
    [{ endpoint: 'https://10.0.0.1/send' }, 'push.endpoint'],
    [{ endpoint: 'http://push.example/send' }, 'push.endpoint'],
    [{ endpoint: 'nonsense' }, 'push.endpoint'],
    [{ p256dh: 'BCVx' }, 'push.p256dh'],
    [{ auth: '' }, 'push.p256dh'],
  ] as const) {
    const { code, json } = await subscribe(change);
    expect([code, json.error?.details.field]).toEqual(['INVALID_REQUEST', field]);
  }
  expect(await subscribed()).toEqual([]);
});
