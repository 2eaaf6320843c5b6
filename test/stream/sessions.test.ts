import { afterEach, beforeEach, expect, test } from 'bun:test';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { Browser, PASSWORD } from '../http/browser.ts';
import { TestExchange } from '../http/exchange.ts';
import { StreamClient } from './client.ts';

/** Streams of a signed-in browser. */

const EMAIL = 'carol@example.com';
let exchange: TestExchange;
let server: ReturnType<typeof listen>;
let browser: Browser;
const clients: StreamClient[] = [];

beforeEach(async () => {
  exchange = await TestExchange.open();
  const streams = new Streams(exchange.services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  const { sessions } = exchange.services.users;
  sessions.onEnded = (ids) => streams.endSessions(ids);
  const config = { port: 0, host: '127.0.0.1', rateLimits: 'spec', trustedProxies: [] } as const;
  server = listen(exchange.gateway, config, streams);
  browser = await Browser.signedUp(exchange, EMAIL);
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.stop();
  await exchange.close();
});

async function connect(
  of: Browser | undefined,
  origin = `http://127.0.0.1:${server.port}`,
): Promise<StreamClient> {
  const cookie: Record<string, string> =
    of === undefined ? {} : { Cookie: `a=b; __Host-buttonwood=${of.session}` };
  const client = await StreamClient.open(server.port, { Origin: origin, ...cookie });
  clients.push(client);
  return client;
}

async function signedIn(of = browser): Promise<StreamClient> {
  const client = await connect(of);
  client.send({ op: 'auth' });
  client.send({ op: 'subscribe', channel: 'orders' });
  expect(await client.next()).toEqual({ op: 'authenticated' });
  expect((await client.next()).op).toBe('snapshot');
  return client;
}

test('a session opens the private channels and receives its own orders', async () => {
  const { profile } = (await browser.get()).data;
  const credit = { account: profile.accountId, asset: 'USDT', amount: 1000, reason: 'test' };
  const body = JSON.stringify({ ...credit, reference: 'test' });
  expect((await exchange.send('operator', 'POST', '/api/admin/transfers', body)).status).toBe(200);
  const client = await signedIn();
  const terms = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };
  const placed = await browser.send('POST', '/api/orders', terms);
  expect((await client.next()).data.orders).toEqual([placed.data]);
  const armed = await browser.send('POST', '/api/orders/cancel-after', { timeout: 60 });
  expect(armed.data.armed).toHaveLength(1);
  const frozen = JSON.stringify({ frozen: true });
  const path = `/api/admin/accounts/${profile.accountId}`;
  await exchange.send('operator', 'PATCH', path, frozen);
  expect((await browser.send('POST', '/api/orders', terms)).code).toBe('ACCOUNT_FROZEN');
  client.send({ op: 'ping' });
  expect(await client.next()).toEqual({ op: 'pong' });
});

test('a missing or wrong cookie and a foreign page are rejected', async () => {
  const unknown = new Browser(exchange);
  unknown.cookies.set('__Host-buttonwood', 'A'.repeat(43));
  const codes = [];
  for (const client of [
    await connect(undefined),
    await connect(unknown),
    await connect(browser, 'https://evil.example'),
    await connect(browser, 'null'),
    await connect(browser, `http://127.0.0.1:${server.port + 1}`),
  ]) {
    client.send({ op: 'auth' });
    client.send({ op: 'subscribe', channel: 'orders' });
    codes.push([(await client.next()).error.code, (await client.next()).error.code]);
  }
  expect(codes).toEqual([
    ['UNAUTHORIZED', 'UNAUTHORIZED'],
    ['UNAUTHORIZED', 'UNAUTHORIZED'],
    ['BROWSER_NOT_ALLOWED', 'UNAUTHORIZED'],
    ['BROWSER_NOT_ALLOWED', 'UNAUTHORIZED'],
    ['BROWSER_NOT_ALLOWED', 'UNAUTHORIZED'],
  ]);
});

test('the end of a session closes its sockets, and no others', async () => {
  const other = new Browser(exchange);
  await other.post('/sign-in', { email: EMAIL, password: PASSWORD });
  const [first, second] = [await signedIn(browser), await signedIn(other)];
  const late = await connect(browser);
  await browser.post('/sign-out');
  expect(await first.closed).toBe(4001);
  // The cookie was valid when the socket was opened.
  late.send({ op: 'auth' });
  expect((await late.next()).error.code).toBe('UNAUTHORIZED');
  second.send({ op: 'ping' });
  expect(await second.next()).toEqual({ op: 'pong' });
  await other.delete('/sessions');
  expect(await second.closed).toBe(4001);
});

test('a new session secret closes the sockets of the old one', async () => {
  const client = await signedIn();
  const late = await connect(browser);
  const newPassword = 'a field full of poppies';
  await browser.post('/password', { password: PASSWORD, newPassword });
  expect(await client.closed).toBe(4001);
  late.send({ op: 'auth' });
  expect((await late.next()).error.code).toBe('UNAUTHORIZED');
  await signedIn();
});

test('an expired session closes its sockets', async () => {
  const client = await signedIn();
  exchange.now += 7 * 86_400_000;
  expect(await client.closed).toBe(4001);
});
