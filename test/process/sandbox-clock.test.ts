import { afterAll, afterEach, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../../src/client/index.ts';
import { ENDPOINTS } from '../../src/gateway/endpoints/endpoints.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { MainProcess } from './main-process.ts';

const FROZEN = { BUTTONWOOD_CLOCK: 'frozen', BUTTONWOOD_SEED: '42' };
const START = Date.UTC(2026, 0, 1);
const SYMBOL = 'BTC/USDT';

const parent = temporaryDirectory();
let directories = 0;
const running: ExchangeProcess[] = [];

afterEach(async () => {
  for (const exchange of running.splice(0)) await exchange.kill();
});
afterAll(() => parent.remove());

async function start(env: Record<string, string> = FROZEN, at = `${directories++}`) {
  const directory = join(parent.path, at);
  const exchange = await ExchangeProcess.start(directory, env);
  running.push(exchange);
  const { baseUrl } = exchange;
  const alice = new Client({ baseUrl, ...exchange.credential('alice') });
  const operator = new Client({ baseUrl, ...exchange.credential('operator') });
  return { exchange, directory, alice, operator };
}
type Sandbox = Awaited<ReturnType<typeof start>>;

/** Starts a sandbox with market makers, but without their thirty days of trading, which take seconds. */
async function startLiving(env: Record<string, string>): Promise<Sandbox> {
  const created = await start(env);
  await created.exchange.stop();
  const at = created.directory.slice(parent.path.length + 1);
  return start({ ...env, BUTTONWOOD_MAKERS: 'on' }, at);
}

/** Some hours of a trader, of the operator, and of the clock. */
async function trade({ alice, operator }: Sandbox): Promise<void> {
  let orders = 0;
  // The client would make up ids.
  const place = (terms: { price: number; timeInForce?: 'IOC' | 'GTD'; expiresAt?: string }) => {
    const order = { symbol: SYMBOL, side: 'buy', type: 'limit', amount: 0.01 } as const;
    return alice.placeOrder({ ...order, ...terms, clientOrderId: `order-${orders++}` });
  };
  await place({ price: 100_000 });
  await operator.setSandboxClock({ advanceMs: 90_000 });
  await place({ price: 200_000, timeInForce: 'IOC' });
  await operator.createKey({ id: 'bob', permissions: ['read'], label: 'of the seed' });
  const expiresAt = new Date(START + 200_000).toISOString();
  await place({ price: 90_000, timeInForce: 'GTD', expiresAt });
  await operator.setSandboxClock({ until: new Date(START + 3_600_000).toISOString() });
  await operator.changeMakers({ symbol: SYMBOL, move: { change: -0.2, durationMs: 60_000 } });
  await operator.setSandboxClock({ advanceMs: 120_000 });
  await alice.cancelOrders({ all: 'true' });
}

/** Returns the bytes of the log. */
function readLog(directory: string): Buffer {
  const log = join(directory, 'log');
  const segments = readdirSync(log).filter((name) => name.endsWith('.log'));
  expect(segments.length).toBeGreaterThan(0);
  return Buffer.concat(segments.sort().map((name) => readFileSync(join(log, name))));
}

test('the same seed and the same calls give the same log, byte for byte, with living makers', async () => {
  const [one, two] = [await startLiving(FROZEN), await startLiving(FROZEN)];
  for (const each of [one, two]) await trade(each);
  const states = [await one.operator.getState(), await two.operator.getState()];
  expect(states[1]!.stateHash).toBe(states[0]!.stateHash);
  const { trades } = await one.alice.getTrades({ symbol: SYMBOL, limit: 1 });
  expect(trades[0]!.price).toBeLessThan(100_000);
  const { orders } = await one.alice.listOrders({ status: 'open' });
  expect(orders).toEqual([]);
  for (const { exchange } of [one, two]) await exchange.stop();
  expect(readLog(two.directory).equals(readLog(one.directory))).toBe(true);
}, 90_000);

test('a frozen sandbox does nothing but by requests, and continues after a restart', async () => {
  const { exchange, alice, operator, directory } = await start();
  const before = await operator.getState();
  await Bun.sleep(600);
  expect((await operator.getState()).logPosition).toBe(before.logPosition);
  expect((await alice.getTime()).timestamp).toBe(new Date(START).toISOString());
  const { nextEventAt } = await operator.setSandboxClock({ advanceMs: 5_000 });
  expect(nextEventAt).toBeNull();
  await exchange.stop();
  const again = await start(FROZEN, directory.slice(parent.path.length + 1));
  expect((await again.alice.getTime()).timestamp).toBe(new Date(START + 5_000).toISOString());
}, 60_000);

test('expiry, candles, statistics, rate limits and signatures follow the clock', async () => {
  const { exchange, alice, operator } = await start({ ...FROZEN, BUTTONWOOD_RATE_LIMITS: 'spec' });
  const bob = new Client({ ...exchange, ...exchange.credential('bob') });
  const order = { symbol: SYMBOL, type: 'limit', amount: 0.01, price: 45_000 } as const;
  await alice.placeOrder({ ...order, side: 'buy' });
  await bob.placeOrder({ ...order, side: 'sell' });
  await operator.setSandboxClock({ advanceMs: 60_000 });
  const { candles } = await alice.getCandles({ symbol: SYMBOL, interval: '1m', limit: 2 });
  expect(candles.map(({ volume, closed }) => [volume, closed])).toEqual([
    [0.01, true],
    [0, false],
  ]);
  await operator.setSandboxClock({ advanceMs: 86_400_000 });
  const { prices } = await alice.getPrices({ symbol: SYMBOL });
  expect(prices[0]).toMatchObject({ baseVolume: 0, price: 45_000 });
  const limited = async () => {
    for (let sent = 0; sent < 200; sent++) {
      const { status } = await exchange.send(exchange.credential('alice'), 'GET', '/api/fees');
      if (status === 429) return sent;
    }
    return undefined;
  };
  expect(await limited()).toBeNumber();
  await Bun.sleep(1100);
  expect(await limited()).toBe(0);
  await operator.setSandboxClock({ advanceMs: 60_000 });
  expect(await limited()).toBeGreaterThan(10);
}, 60_000);

test('a scaled clock with living makers is a thousand times as fast as real time', async () => {
  const { operator, alice } = await startLiving({ BUTTONWOOD_CLOCK: '1000x' });
  const hour = 3_600_000;
  const begin = Date.parse((await operator.getSandboxClock()).timestamp);
  const elapsedMs = performance.now();
  for (;;) {
    const { timestamp } = await operator.getSandboxClock();
    if (Date.parse(timestamp) >= begin + hour) break;
    await Bun.sleep(10);
  }
  // 3.6 s; the bound only rules out that it does not scale.
  expect(performance.now() - elapsedMs).toBeLessThan(hour / 50);
  const { trades } = await alice.getTrades({ symbol: SYMBOL, limit: 100 });
  expect(trades.filter(({ timestamp }) => Date.parse(timestamp) > begin).length).toBeGreaterThan(
    50,
  );
}, 90_000);

test('a change of the market makers is in the book when it is answered', async () => {
  const { operator, alice } = await startLiving(FROZEN);
  for (const depth of [0, 1, 0]) {
    await operator.changeMakers({ symbol: SYMBOL, depth });
    const { bids } = await alice.getOrderbook({ symbol: SYMBOL });
    expect(bids.length > 0).toBe(depth > 0);
  }
}, 60_000);

test('a stepped clock moves before each request', async () => {
  const { exchange, operator, alice } = await start();
  await operator.setSandboxClock({ mode: 'stepped', advanceMs: 250 });
  const times: number[] = [];
  for (let request = 0; request < 3; request++) {
    times.push(Date.parse((await alice.getTime()).timestamp));
  }
  expect(times).toEqual([START + 250, START + 500, START + 750]);
  const socket = new WebSocket(`${exchange.baseUrl.replace('http', 'ws')}/ws`);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const answered = new Promise((resolve) => socket.addEventListener('message', resolve));
  const before = Date.parse((await operator.getSandboxClock()).timestamp);
  socket.send('{"op":"ping","id":"1"}');
  await answered;
  expect(Date.parse((await operator.getSandboxClock()).timestamp)).toBe(before + 250);
  socket.close();
}, 60_000);

test.each([
  [{ advanceMs: -1 }, 'advanceMs'],
  [{ until: new Date(START - 1).toISOString() }, 'until'],
  [{ until: '2127-01-01T00:00:00Z' }, 'until'],
  [{ mode: 'warp' }, 'mode'],
  [{ mode: 'scaled' }, 'speed'],
  [{ mode: 'scaled', speed: 0 }, 'speed'],
  [{ speed: 5 }, 'speed'],
  [{ mode: 'stepped' }, 'advanceMs'],
  [{ mode: 'real', advanceMs: 5 }, 'advanceMs'],
  [{ advanceMs: 1, until: '2027-01-01T00:00:00Z' }, 'until'],
  [{ sleep: 1 }, 'sleep'],
])('the request %j is rejected by its field and changes nothing', async (body, field) => {
  shared ??= start();
  const { exchange, operator } = await shared;
  running.splice(0);
  const before = await operator.getSandboxClock();
  const key = exchange.credential('operator');
  const { status, json } = await exchange.send(
    key,
    'POST',
    '/api/sandbox/clock',
    JSON.stringify(body),
  );
  expect([status, json.error.code, json.error.details.field]).toEqual([
    400,
    'INVALID_REQUEST',
    field,
  ]);
  expect(await operator.getSandboxClock()).toEqual(before);
});
let shared: Promise<Sandbox> | undefined;
afterAll(async () => (await shared)?.exchange.kill());

test('a trader cannot control the sandbox', async () => {
  const { exchange } = await start();
  const body = JSON.stringify({ advanceMs: 1 });
  const answer = await exchange.send(
    exchange.credential('alice'),
    'POST',
    '/api/sandbox/clock',
    body,
  );
  expect([answer.status, answer.json.error.code]).toEqual([403, 'INSUFFICIENT_PERMISSIONS']);
}, 60_000);

test('a real exchange has none of these routes, and takes no clock', async () => {
  const env = { BUTTONWOOD_DATA: join(parent.path, 'real') };
  const refused = MainProcess.start(['serve', '--clock', 'frozen'], env);
  expect(await refused.ended()).toBe(2);
  const real = MainProcess.start(['serve'], env);
  const baseUrl = await real.serving();
  const sandboxOnly = ENDPOINTS.filter(({ isSandboxOnly }) => isSandboxOnly);
  expect(sandboxOnly.length).toBeGreaterThan(12);
  for (const { method, path } of sandboxOnly) {
    const response = await fetch(baseUrl + path.replace(/:\w+/g, '1'), { method });
    expect([method, path, response.status]).toEqual([method, path, 404]);
  }
  const past = await fetch(`${baseUrl}/api/orderbook?symbol=BTC/USDT&at=1`);
  const { error } = (await past.json()) as { error: { code: string; details: { field: string } } };
  expect([error.code, error.details.field]).toEqual(['INVALID_REQUEST', 'at']);
  real.signal('SIGKILL');
}, 60_000);
