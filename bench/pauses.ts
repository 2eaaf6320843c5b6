/**
 * npm run bench:pauses [-- --open N] [--bulk]
 *
 * Measures pauses of the serving thread while the archivist answers history queries, hashes its state and writes a
 * snapshot of many open orders, and while many orders end or are triggered at once: 2,000 orders of an account canceled,
 * 10,000 that expire at one time, 1,000 deadlines, 10,000 stops, 24,000 stops placed during a cascade, and finally the
 * delisting of a market with all the open orders. The exchange is a separate process under a light load of orders. A
 * timer of 1 ms inside it records the longest gap (exchangeMs) and the maximum processor time of the thread in one gap
 * (busyMs); a timer in an idle process records the longest pause of the machine itself (machineMs). Prints one JSON line.
 * With --bulk only orders that end or are triggered at once.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fillBulk, fillLateStops, TRIGGER } from './pauses/bulk.ts';
import { fillBooks } from './pauses/fill.ts';
import { Watched } from './pauses/watched.ts';

const { values } = parseArgs({
  options: {
    open: { type: 'string', default: '1000000' },
    bulk: { type: 'boolean', default: false },
  },
});
const openOrders = Number(values.open);
const PORT = 4303;
const PHASE_MS = 10_000;
const ORDER_EVERY_MS = 5;
const SNAPSHOT_TIMEOUT_MS = 180_000;
const baseUrl = `http://127.0.0.1:${PORT}`;
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-pauses-'));
let data = join(directory, 'data');
const snapshots = join(data, 'snapshots');

let exchange: Watched | undefined;
/** An idle process, in which only the machine causes pauses. */
const idle = new Watched(['-e', 'setInterval(() => {}, 1000)']);
let placed = 0;
let refused = 0;

try {
  exchange = await start();
  await exchange.stop();
  await fillBooks(data, openOrders);
  exchange = await start();
  const alice = authHeaders('alice');
  const operator = authHeaders('operator');
  const known = readdirSync(snapshots).length;
  const load = setInterval(() => void placeOrder(alice), ORDER_EVERY_MS);
  // The first orders of a process are slow.
  await Bun.sleep(PHASE_MS / 2);
  await measurePause(exchange);

  const archivist = values.bulk ? {} : await measureArchivist(exchange, alice, operator, known);
  // The first request of a kind is slow in any process.
  await change('PATCH', '/api/admin/markets', { symbol: 'SOL/USDT', status: 'delisted' }, operator);
  await measurePause(exchange);
  const startedAt = performance.now();
  await change('PATCH', '/api/admin/markets', { symbol: 'BTC/USDT', status: 'delisted' }, operator);
  while (await hasOpenOrders(operator, 1)) await Bun.sleep(500);
  const delistingSeconds = secondsSince(startedAt);
  const delisting = await measurePause(exchange);
  clearInterval(load);
  await exchange.stop();
  const bulk = await measureBulk();
  const counts = { openOrders, placed, refused, delistingSeconds };
  console.log(JSON.stringify({ ...archivist, ...bulk, delisting, ...counts }));
} finally {
  exchange?.kill();
  idle.kill();
  rmSync(directory, { recursive: true, force: true });
}

async function start(): Promise<Watched> {
  const started = new Watched(['src/main.ts', 'start'], {
    PORT: `${PORT}`,
    BUTTONWOOD_DATA: data,
    BUTTONWOOD_RATE_LIMITS: 'off',
    BUTTONWOOD_MAKERS: 'off',
  });
  while ((await fetch(baseUrl).catch(() => undefined)) === undefined) {
    if (started.hasEnded) throw new Error('the exchange ended');
    await Bun.sleep(50);
  }
  return started;
}

/** Runs history queries, state hashes and a snapshot under a light load. @param known Snapshots so far. */
async function measureArchivist(
  exchange: Watched,
  alice: Record<string, string>,
  operator: Record<string, string>,
  known: number,
) {
  await Bun.sleep(PHASE_MS);
  const quiet = await measurePause(exchange);
  const queries = await repeat(() => get('/api/orders?status=closed&limit=1000', alice));
  const historyQueries = await measurePause(exchange);
  const hashes = await repeat(() => get('/api/admin/state', operator));
  const stateHashes = await measurePause(exchange);
  const until = performance.now() + SNAPSHOT_TIMEOUT_MS;
  while (readdirSync(snapshots).length <= known) {
    if (performance.now() > until) throw new Error('no snapshot was taken');
    await Bun.sleep(100);
  }
  const snapshot = await measurePause(exchange);
  return { quiet, historyQueries, stateHashes, snapshot, queries, hashes };
}

/** Ends or triggers many orders at once, in a separate small exchange. */
async function measureBulk() {
  data = join(directory, 'bulk');
  exchange = await start();
  await exchange.stop();
  const expireAt = Date.now() + 20_000;
  await fillBulk(data, expireAt, expireAt + 5_000);
  exchange = await start();
  const [alice, operator] = [authHeaders('alice'), authHeaders('operator')];
  const load = setInterval(() => void placeOrder(alice), ORDER_EVERY_MS);
  await Bun.sleep(PHASE_MS / 2);
  // The first request of a kind is slow in any process.
  await change('DELETE', '/api/orders?symbol=BTC/USDT', undefined, authHeaders('bob'));
  await measurePause(exchange);
  await change('DELETE', '/api/orders?symbol=BTC/USDT', undefined, alice);
  const cancelAll = await measurePause(exchange);
  if (Date.now() > expireAt) throw new Error('the machine is too slow: orders expired too early');
  await Bun.sleep(expireAt - Date.now() + 3_000);
  const expiries = await measurePause(exchange);
  await Bun.sleep(expireAt - Date.now() + 8_000);
  const deadlines = await measurePause(exchange);
  const stop = { symbol: 'BTC/USDT', side: 'sell', type: 'limit', amount: 0.00001 };
  await change('POST', '/api/orders', { ...stop, price: TRIGGER / 100 }, alice);
  const triggeredAt = performance.now();
  while (await hasOpenOrders(operator, 1)) await Bun.sleep(50);
  const cascadeSeconds = secondsSince(triggeredAt);
  const cascade = await measurePause(exchange);
  clearInterval(load);
  await exchange.stop();
  return {
    cancelAll,
    expiries,
    deadlines,
    cascade,
    cascadeSeconds,
    lateStops: await measureLateStops(),
  };
}

/** Runs a cascade of 20,000 stops that triggers 24,000 placed while it lasted, in a separate exchange. */
async function measureLateStops() {
  data = join(directory, 'late-stops');
  exchange = await start();
  await exchange.stop();
  await fillLateStops(data);
  exchange = await start();
  await measurePause(exchange);
  const operator = authHeaders('operator');
  if (!(await hasOpenOrders(operator, 30_000))) throw new Error('the cascade was over too early');
  while (await hasOpenOrders(operator, 1_000)) await Bun.sleep(50);
  const lateStops = await measurePause(exchange);
  await exchange.stop();
  return lateStops;
}

/** Queries the archivist's thread, so that polling does not pause the serving thread. */
async function hasOpenOrders(operator: Record<string, string>, maxCount: number): Promise<boolean> {
  return (await get('/api/admin/state', operator)).openOrders > maxCount;
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

async function change(
  method: string,
  path: string,
  body: object | undefined,
  headers: Record<string, string>,
): Promise<void> {
  const answer = await fetch(baseUrl + path, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** Returns the longest pauses since the last call. */
async function measurePause(started: Watched) {
  const { pauseMs: exchangeMs, busyMs } = await started.longestPause();
  const { pauseMs: machineMs } = await idle.longestPause();
  return { exchangeMs, busyMs, machineMs };
}

/** Sends one request after another. @returns How many. */
async function repeat(ask: () => Promise<unknown>): Promise<number> {
  const until = performance.now() + PHASE_MS;
  let count = 0;
  for (; performance.now() < until; count++) await ask();
  return count;
}

function authHeaders(name: string): Record<string, string> {
  const file = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as {
    accounts: { name: string; apiKey: string; apiSecret: string }[];
  };
  const { apiKey, apiSecret } = file.accounts.find((account) => account.name === name)!;
  return { Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret };
}

async function get(
  path: string,
  headers: Record<string, string>,
): Promise<{ readonly openOrders: number }> {
  const answer = await fetch(baseUrl + path, { headers });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return ((await answer.json()) as { data: { openOrders: number } }).data;
}

/** Places an order that expires at once, because there is nothing to trade with. */
async function placeOrder(headers: Record<string, string>): Promise<void> {
  try {
    const answer = await fetch(`${baseUrl}/api/orders`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{"symbol":"ETH/USDT","side":"buy","type":"limit","timeInForce":"IOC","amount":0.001,"price":5000}',
    });
    await answer.arrayBuffer();
    if (answer.ok) placed++;
    else refused++;
  } catch {
    // The exchange is being stopped.
  }
}
