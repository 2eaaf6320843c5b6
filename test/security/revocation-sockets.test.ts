import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from '../../src/users/credentials/api-keys.ts';
import { ExchangeProcess, temporaryDirectory } from '../process/exchange-process.ts';
import { RawConnection } from '../process/raw-connection.ts';
import { StreamClient } from '../stream/client.ts';
import { keyHeaders, makeKey, operate, RemoteBrowser } from './remote-users.ts';

/** Tests revocation over real connections: concurrent clients, pipelined requests, open streams. */

setDefaultTimeout(60_000);
const CLIENTS = 12;
const ROUNDS = 6;
/** Requests of each client after the end is answered. */
const AFTER = 5;
const ORDER = '{"symbol":"BTC/USDT","side":"buy","type":"limit","amount":0.0001,"price":45000}';

let directory: ReturnType<typeof temporaryDirectory>;
let exchange: ExchangeProcess;
let operator: Credentials;
beforeAll(async () => {
  directory = temporaryDirectory();
  exchange = await ExchangeProcess.start(directory.path);
  operator = exchange.credential('operator');
});
afterAll(async () => {
  await exchange.kill();
  directory.remove();
});

const admin = (method: string, path: string, body?: object) =>
  operate(exchange.baseUrl, operator, method, path, body);
const newKey = () => makeKey(exchange.baseUrl, operator, 'bob', ['read', 'trade']);
const revoke = ({ apiKey }: Credentials) => admin('DELETE', `/accounts/bob/keys/${apiKey}`);

async function signIn(): Promise<RemoteBrowser> {
  const { users } = JSON.parse(readFileSync(join(directory.path, 'sandbox.json'), 'utf8'));
  const { email, password } = users[0];
  const browser = new RemoteBrowser(exchange.baseUrl);
  expect((await browser.account('POST', '/sign-in', { email, password })).success).toBe(true);
  return browser;
}

/** Returns the statuses of requests sent after the end was answered; `good` counts those before. */
async function hammer(headers: Record<string, string>, end: () => Promise<unknown>) {
  let isOver = false;
  let good = 0;
  const late: number[] = [];
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    let after = 0;
    while (after < AFTER) {
      const isLate = isOver;
      const isOrder = index % 2 === 0;
      const response = await fetch(`${exchange.baseUrl}/api/orders`, {
        method: isOrder ? 'POST' : 'GET',
        headers: { ...headers, 'Content-Type': 'application/json' },
        ...(isOrder ? { body: ORDER } : {}),
      });
      await response.arrayBuffer();
      if (isLate) {
        late.push(response.status);
        after++;
      } else if (response.status === 200) good++;
    }
  });
  while (good < CLIENTS) await new Promise((resolve) => setImmediate(resolve));
  await end();
  isOver = true;
  await Promise.all(clients);
  return { good, late };
}

test('no key works after its revocation is answered, with concurrent requests', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const key = await newKey();
    const { late } = await hammer(keyHeaders(key), () => revoke(key));
    expect(late).toEqual(new Array(CLIENTS * AFTER).fill(401));
  }
});

test('no session works after its end is answered', async () => {
  for (let round = 0; round < 2; round++) {
    const browser = await signIn();
    const { headers } = browser;
    const { late } = await hammer(headers, () => browser.account('DELETE', '/sessions'));
    expect(late).toEqual(new Array(CLIENTS * AFTER).fill(401));
  }
});

test('requests after the revocation on the same connection are rejected, or not answered', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const key = await newKey();
    const connection = await RawConnection.open(exchange.baseUrl);
    const head = (line: string, of: Credentials) => {
      const lines = Object.entries(keyHeaders(of)).map(([name, value]) => `${name}: ${value}\r\n`);
      return `${line} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`;
    };
    const read = head('GET /api/portfolio/balances', key);
    const end = head(`DELETE /api/admin/accounts/bob/keys/${key.apiKey}`, operator);
    connection.send(read);
    expect((await connection.receive())?.status).toBe(200);
    // The server closes a connection that gets more data before a pending answer.
    connection.send(end + read);
    const ended = await connection.receive();
    const behind = ended === undefined ? undefined : await connection.receive();
    expect([undefined, 401]).toContain(behind?.status);
    connection.destroy();
    await revoke(key);
    expect((await fetch(`${exchange.baseUrl}/api/fees`, { headers: keyHeaders(key) })).status).toBe(
      401,
    );
  }
});

test('a body that arrives after the end has no effect', async () => {
  const browser = await signIn();
  const key = await newKey();
  const connections = [];
  for (const headers of [keyHeaders(key), browser.headers]) {
    const connection = await RawConnection.open(exchange.baseUrl);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    connection.send(
      `POST /api/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${lines.join('')}` +
        `Content-Length: ${ORDER.length}\r\n\r\n${ORDER.slice(0, 20)}`,
    );
    connections.push(connection);
  }
  // Answers are sent in order, so that the server has read the headers by now.
  await admin('GET', '/state');
  await revoke(key);
  await browser.account('POST', '/sign-out', {});
  for (const connection of connections) {
    connection.send(ORDER.slice(20));
    expect((await connection.receive())?.status).toBe(401);
    connection.destroy();
  }
});

test('open streams of ended credentials are closed, and receive nothing more', async () => {
  const { port } = new URL(exchange.baseUrl);
  const browser = await signIn();
  const key = await newKey();
  const byKey = await StreamClient.open(Number(port));
  const bySession = await StreamClient.open(Number(port), browser.headers);
  byKey.send({ op: 'auth', ...key });
  bySession.send({ op: 'auth' });
  for (const client of [byKey, bySession]) {
    expect(await client.next()).toEqual({ op: 'authenticated' });
    client.send({ op: 'subscribe', channel: 'balances' });
    expect((await client.next()).op).toBe('snapshot');
  }
  await revoke(key);
  await browser.account('POST', '/sign-out', {});
  for (const [account, client] of [
    ['bob', byKey],
    ['alice', bySession],
  ] as const) {
    const credit = {
      account,
      asset: 'USDT',
      amount: 1,
      reason: 'test',
      reference: `late-${account}`,
    };
    await admin('POST', '/transfers', credit);
    client.send({ op: 'subscribe', channel: 'orders' });
    expect(await client.closed).toBe(4001);
    expect(client.messages).toEqual([]);
  }
});
