import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StreamClient } from '../stream/client.ts';
import { type Credential, temporaryDirectory } from './exchange-process.ts';
import { readExposition, type Sample } from './exposition.ts';
import { MainProcess } from './main-process.ts';

/** Tests health, metrics, and the shutdown that a load balancer sees in advance. */

setDefaultTimeout(60_000);

const parent = temporaryDirectory();
let directories = 0;
const newDirectory = () => join(parent.path, `${directories++}`);
let directory: string;
const running: MainProcess[] = [];
beforeEach(() => {
  directory = newDirectory();
});
afterEach(async () => {
  for (const process of running.splice(0)) await kill(process);
});
afterAll(() => parent.remove());

async function kill(process: MainProcess): Promise<void> {
  process.signal('SIGKILL');
  await process.ended();
}

function start(...flags: string[]): MainProcess {
  const env = { BUTTONWOOD_DATA: directory, BUTTONWOOD_RATE_LIMITS: 'off' };
  return MainProcess.start(['start', '--admin-port', '0', ...flags], env);
}

function begin(...flags: string[]): MainProcess {
  const process = start(...flags);
  running.push(process);
  return process;
}

async function adminUrl(process: MainProcess): Promise<string> {
  const [, url] = await process.printed(/Health and metrics are served at (\S+)/);
  return url!;
}

async function ask(url: string) {
  const response = await fetch(url);
  return { status: response.status, json: await response.json() };
}

function credential(name: string): Credential {
  const { accounts } = JSON.parse(readFileSync(join(directory, 'sandbox.json'), 'utf8'));
  return accounts.find((each: Credential) => each.name === name);
}

async function send(baseUrl: string, method: string, path: string, body?: object) {
  const { apiKey, apiSecret } = credential('alice');
  const key = { Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret };
  const answer = await fetch(baseUrl + path, {
    method,
    headers: { ...key, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: responses have many types
  return { status: answer.status, json: (await answer.json()) as any };
}

const order = (amount: number) => ({
  symbol: 'BTC/USDT',
  side: 'buy',
  type: 'limit',
  amount,
  price: 45_000,
});
/** An order that expires at once, unfilled, so that it never counts as open. */
const fleeting = { ...order(0.00001), timeInForce: 'IOC' };

/** Returns the value of a series, which must exist once. */
function readNumber(
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number {
  const found = samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
  );
  expect(found, `${name} ${JSON.stringify(labels)}`).toHaveLength(1);
  return found[0]!.value;
}

describe('while one runs', () => {
  const shared = newDirectory();
  let exchange: MainProcess;
  beforeEach(() => {
    directory = shared;
  });
  beforeAll(async () => {
    directory = shared;
    exchange = start();
    await exchange.serving();
  });
  afterAll(() => kill(exchange));

  test('/metrics counts requests and names no account', async () => {
    const baseUrl = await exchange.serving();
    const admin = await adminUrl(exchange);
    expect(await ask(`${admin}/healthz`)).toMatchObject({ status: 200, json: { status: 'alive' } });
    expect(await ask(`${admin}/readyz`)).toEqual({
      status: 200,
      json: { ready: true, reasons: [] },
    });
    expect(await ask(`${admin}/anything`)).toMatchObject({ status: 404 });
    expect((await fetch(`${baseUrl}/healthz`)).status).toBe(404);

    const stream = await StreamClient.open(Number(new URL(baseUrl).port));
    stream.send({ op: 'subscribe', channel: 'orderbook', symbol: 'BTC/USDT' });
    await stream.next();
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) {
      ids.push((await send(baseUrl, 'POST', '/api/orders', order(0.01))).json.data.orderId);
    }
    expect((await send(baseUrl, 'POST', '/api/orders', order(1e5))).status).toBe(400);
    expect((await send(baseUrl, 'GET', `/api/orders/${ids[0]}`)).status).toBe(200);
    expect((await send(baseUrl, 'DELETE', `/api/orders/${ids[0]}`)).status).toBe(200);
    expect((await send(baseUrl, 'GET', '/api/nowhere/alice')).status).toBe(404);
    await stream.next();
    stream.send({ op: 'balances', id: 1 });
    await stream.until(() => stream.messages.some(({ id }) => id === 1));

    const response = await fetch(`${admin}/metrics`);
    expect(response.headers.get('content-type')).toStartWith('text/plain; version=0.0.4');
    const text = await response.text();
    const samples = readExposition(text);
    const requests = (method: string, route: string, status: string) =>
      readNumber(samples, 'buttonwood_requests_total', { method, route, status });
    expect(requests('POST', '/api/orders', '200')).toBe(5);
    expect(requests('POST', '/api/orders', '400')).toBe(1);
    expect(requests('GET', '/api/orders/:id', '200')).toBe(1);
    expect(requests('DELETE', '/api/orders/:id', '200')).toBe(1);
    expect(requests('any', 'other', '404')).toBe(2);
    const unauthorized = { operation: 'balances', status: '401' };
    expect(readNumber(samples, 'buttonwood_stream_operations_total', unauthorized)).toBe(1);
    const posts = { method: 'POST', route: '/api/orders' };
    expect(readNumber(samples, 'buttonwood_request_duration_seconds_count', posts)).toBe(6);
    for (const [operation, transport, count] of [
      ['order.place', 'rest', 6],
      ['order.get', 'rest', 1],
      ['balances', 'socket', 1],
    ] as const) {
      const name = 'buttonwood_operation_duration_seconds_count';
      expect(readNumber(samples, name, { operation, transport })).toBe(count);
    }
    const commands = (kind: string, outcome: string) =>
      readNumber(samples, 'buttonwood_commands_total', { kind, outcome });
    expect(commands('placeOrder', 'accepted')).toBe(5);
    expect(commands('placeOrder', 'rejected')).toBe(1);
    expect(commands('cancelOrder', 'accepted')).toBe(1);

    const batches = readNumber(samples, 'buttonwood_batch_commands_count');
    expect(batches).toBeGreaterThanOrEqual(7);
    expect(readNumber(samples, 'buttonwood_append_duration_seconds_count')).toBe(batches);
    expect(readNumber(samples, 'buttonwood_apply_duration_seconds_count')).toBe(batches);
    expect(readNumber(samples, 'buttonwood_append_duration_seconds_sum')).toBeGreaterThan(0);
    const position = readNumber(samples, 'buttonwood_log_position');
    expect(position).toBeGreaterThan(batches);
    expect(readNumber(samples, 'buttonwood_applied_position')).toBe(position);
    expect(readNumber(samples, 'buttonwood_history_position')).toBeLessThanOrEqual(position);
    expect(readNumber(samples, 'buttonwood_stream_sockets')).toBe(1);
    const updates = readNumber(samples, 'buttonwood_stream_updates_total', {
      channel: 'orderbook',
    });
    expect(updates).toBeGreaterThanOrEqual(1);
    expect(readNumber(samples, 'buttonwood_open_orders')).toBe(4);
    expect(readNumber(samples, 'buttonwood_ready')).toBe(1);
    expect(readNumber(samples, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(readNumber(samples, 'process_open_fds')).toBeGreaterThan(10);
    const document = readFileSync(join(import.meta.dir, '../../docs/operating/monitor.md'), 'utf8');
    const families = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);
    expect(families.filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
    const written = [...document.matchAll(/`((?:buttonwood|process)_[a-z_]+)`/g)].map(
      ([, name]) => name!,
    );
    expect(written.filter((name) => !families.includes(name))).toEqual([]);
    const named = ['alice', '127.0.0.1', credential('alice').apiKey].filter((name) =>
      text.includes(name),
    );
    expect(named).toEqual([]);
    stream.close();
  });

  test('a node is live but not ready before it has recovered', async () => {
    // It waits for the directory, which the other node has locked.
    const second = begin();
    const admin = await adminUrl(second);
    expect(await ask(`${admin}/healthz`)).toMatchObject({ status: 200 });
    expect(await ask(`${admin}/readyz`)).toEqual({
      status: 503,
      json: { ready: false, reasons: ['starting'] },
    });
    expect(readExposition(await (await fetch(`${admin}/metrics`)).text()).length).toBeGreaterThan(
      5,
    );
    expect(await second.ended()).toBe(1);
  });
});

test('a stop under load drains: no acknowledged order is lost, streams end with 1001', async () => {
  const exchange = begin('--drain', '1');
  const baseUrl = await exchange.serving();
  const admin = await adminUrl(exchange);
  const port = Number(new URL(baseUrl).port);
  const streams = await Promise.all(Array.from({ length: 20 }, () => StreamClient.open(port)));
  for (const stream of streams) {
    stream.send({ op: 'subscribe', channel: 'orderbook', symbol: 'BTC/USDT' });
    await stream.next();
  }
  const acknowledged: string[] = [];
  const refused: unknown[] = [];
  const trade = async () => {
    for (;;) {
      const answer = await send(baseUrl, 'POST', '/api/orders', fleeting).catch(() => undefined);
      if (answer === undefined) return;
      const { data, error } = answer.json;
      if (error === undefined) acknowledged.push(data.orderId);
      else {
        refused.push(error);
        return;
      }
    }
  };
  const load = Promise.all(Array.from({ length: 16 }, trade));
  while (acknowledged.length < 100) await Bun.sleep(1);

  exchange.signal('SIGTERM');
  while ((await ask(`${admin}/readyz`)).status === 200) await Bun.sleep(1);
  expect((await ask(`${admin}/readyz`)).json).toEqual({ ready: false, reasons: ['draining'] });
  const before = acknowledged.length;
  expect((await fetch(`${baseUrl}/api/markets`)).headers.get('connection')).toBe('close');
  expect((await ask(`${admin}/healthz`)).status).toBe(200);
  expect(await Promise.all(streams.map(({ closed }) => closed))).toEqual(streams.map(() => 1001));
  const reasons = new Set(streams.map(({ closeReason }) => closeReason));
  expect([...reasons]).toEqual(['The exchange is shutting down. Reconnect.']);
  expect(await exchange.ended()).toBe(0);
  await load;
  // It kept serving in the meantime.
  expect(acknowledged.length).toBeGreaterThan(before);
  expect(refused).toEqual([]);

  const again = await begin().serving();
  const looked = acknowledged
    .filter((_, index) => index % 20 === 0)
    .concat(acknowledged.slice(-200));
  const statuses = looked.map(async (id) => (await send(again, 'GET', `/api/orders/${id}`)).status);
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
});

test('a second stop signal ends it at once', async () => {
  const exchange = begin('--drain', '3600');
  await exchange.serving();
  const end = exchange.ended();
  let code: number | undefined;
  void end.then((given) => {
    code = given;
  });
  while (code === undefined) {
    exchange.signal('SIGTERM');
    await Promise.race([end, Bun.sleep(50)]);
  }
  expect(code).toBe(1);
  expect(exchange.output).toContain('Second signal received');
});
