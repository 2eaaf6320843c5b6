/**
 * npm run bench:pauses [-- --open N]
 *
 * How long the serving thread stands still while the archivist answers history queries, hashes its
 * state and takes a snapshot of many open orders. The exchange is a process of its own, under a light
 * load of orders; a timer of 1 ms inside it notes the longest gap, and one in a process that does
 * nothing else shows what the machine itself stood still at that time. Prints one JSON line.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fillBooks } from './pauses/fill.ts';
import { Watched } from './pauses/watched.ts';

const { values } = parseArgs({ options: { open: { type: 'string', default: '1000000' } } });
const openOrders = Number(values.open);
const PORT = 4303;
const PHASE_MS = 10_000;
const ORDER_EVERY_MS = 5;
const SNAPSHOT_TIMEOUT_MS = 180_000;
const baseUrl = `http://127.0.0.1:${PORT}`;
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-pauses-'));
const data = join(directory, 'data');
const snapshots = join(data, 'snapshots');

let exchange: Watched | undefined;
/** Does nothing: what stands still here, the machine has stopped. */
const idle = new Watched(['-e', 'setInterval(() => {}, 1000)']);
let placed = 0;
let refused = 0;

try {
  exchange = await start();
  await exchange.stop();
  await fillBooks(data, openOrders);
  exchange = await start();
  const alice = headersOf('alice');
  const operator = headersOf('operator');
  const known = readdirSync(snapshots).length;
  const load = setInterval(() => void placeOrder(alice), ORDER_EVERY_MS);
  // The first orders are slow in any process.
  await Bun.sleep(PHASE_MS / 2);
  await pauseOf(exchange);

  await Bun.sleep(PHASE_MS);
  const quiet = await pauseOf(exchange);
  const queries = await repeat(() => get('/api/orders?status=closed&limit=1000', alice));
  const historyQueries = await pauseOf(exchange);
  const hashes = await repeat(() => get('/api/admin/state', operator));
  const stateHashes = await pauseOf(exchange);
  const until = performance.now() + SNAPSHOT_TIMEOUT_MS;
  while (readdirSync(snapshots).length <= known) {
    if (performance.now() > until) throw new Error('no snapshot was taken');
    await Bun.sleep(100);
  }
  const snapshot = await pauseOf(exchange);
  clearInterval(load);
  await exchange.stop();
  const pauses = { quiet, historyQueries, stateHashes, snapshot };
  console.log(JSON.stringify({ ...pauses, openOrders, queries, hashes, placed, refused }));
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

/** The longest pauses since this was last asked. */
async function pauseOf(started: Watched): Promise<{ exchangeMs: number; machineMs: number }> {
  const [exchangeMs, machineMs] = [await started.longestPauseMs(), await idle.longestPauseMs()];
  return { exchangeMs, machineMs };
}

/** Asks again and again, one question at a time; how often. */
async function repeat(ask: () => Promise<void>): Promise<number> {
  const until = performance.now() + PHASE_MS;
  let count = 0;
  for (; performance.now() < until; count++) await ask();
  return count;
}

function headersOf(name: string): Record<string, string> {
  const file = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as {
    accounts: { name: string; apiKey: string; apiSecret: string }[];
  };
  const { apiKey, apiSecret } = file.accounts.find((account) => account.name === name)!;
  return { Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret };
}

async function get(path: string, headers: Record<string, string>): Promise<void> {
  const answer = await fetch(baseUrl + path, { headers });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** Expires at once: nothing is there to trade with. */
async function placeOrder(headers: Record<string, string>): Promise<void> {
  const answer = await fetch(`${baseUrl}/api/orders`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{"symbol":"BTC/USDT","side":"buy","type":"limit","timeInForce":"IOC","amount":0.001,"price":100000}',
  });
  await answer.arrayBuffer();
  if (answer.ok) placed++;
  else refused++;
}
