/**
 * npm run bench:pauses [-- --open N]
 *
 * How long the serving thread stands still while the archivist answers history queries, hashes its
 * state and takes a snapshot of many open orders. The exchange is a process of its own, under a light
 * load of orders; a timer of 1 ms inside it notes the longest gap. Prints one JSON line.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fillBooks } from './pauses/fill.ts';

const { values } = parseArgs({ options: { open: { type: 'string', default: '1000000' } } });
const openOrders = Number(values.open);
const PORT = 4303;
const PHASE_MS = 10_000;
const ORDER_EVERY_MS = 5;
const SNAPSHOT_TIMEOUT_MS = 180_000;
const PAUSE_LINE = /^longest pause (.*)$/gm;
const baseUrl = `http://127.0.0.1:${PORT}`;
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-pauses-'));
const data = join(directory, 'data');
const snapshots = join(data, 'snapshots');

/** What the exchange has printed. */
let output = '';
let child!: Bun.Subprocess<'ignore', 'pipe', 'inherit'>;
let placed = 0;
let refused = 0;

try {
  await start();
  await stop();
  await fillBooks(data, openOrders);
  await start();
  const alice = headersOf('alice');
  const operator = headersOf('operator');
  const known = readdirSync(snapshots).length;
  const load = setInterval(() => void placeOrder(alice), ORDER_EVERY_MS);
  // The first orders are slow in any process.
  await Bun.sleep(PHASE_MS / 2);
  await longestPauseMs();

  await Bun.sleep(PHASE_MS);
  const quietMs = await longestPauseMs();
  const queries = await repeat(() => get('/api/orders?status=closed&limit=1000', alice));
  const historyQueriesMs = await longestPauseMs();
  const hashes = await repeat(() => get('/api/admin/state', operator));
  const stateHashMs = await longestPauseMs();
  const until = performance.now() + SNAPSHOT_TIMEOUT_MS;
  while (readdirSync(snapshots).length <= known) {
    if (performance.now() > until) throw new Error('no snapshot was taken');
    await Bun.sleep(100);
  }
  const snapshotMs = await longestPauseMs();
  clearInterval(load);
  await stop();
  const longest = { quietMs, historyQueriesMs, stateHashMs, snapshotMs };
  console.log(JSON.stringify({ ...longest, openOrders, queries, hashes, placed, refused }));
} finally {
  child?.kill(9);
  rmSync(directory, { recursive: true, force: true });
}

async function start(): Promise<void> {
  child = Bun.spawn(
    [process.execPath, '--preload', './bench/pauses/watch.ts', 'src/main.ts', 'start'],
    {
      cwd: join(import.meta.dir, '..'),
      env: {
        ...process.env,
        PORT: `${PORT}`,
        BUTTONWOOD_DATA: data,
        BUTTONWOOD_RATE_LIMITS: 'off',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  void gather(child.stdout);
  while ((await fetch(baseUrl).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error('the exchange ended');
    await Bun.sleep(50);
  }
}

async function gather(stream: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of stream) output += decoder.decode(bytes, { stream: true });
}

async function stop(): Promise<void> {
  child.kill('SIGINT');
  await child.exited;
}

/** The longest pause since the last time this was asked. */
async function longestPauseMs(): Promise<number> {
  const count = output.match(PAUSE_LINE)?.length ?? 0;
  child.kill('SIGUSR2');
  for (;;) {
    const lines = [...output.matchAll(PAUSE_LINE)];
    if (lines.length > count) return Number(lines.at(-1)![1]);
    await Bun.sleep(10);
  }
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
