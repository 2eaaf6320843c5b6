/**
 * npm run bench:stream [-- --seconds N] [--subscribers N] [--orders N]
 *
 * Measures updates of one book to many subscribers, from an exchange in a separate process that takes N orders per
 * second over REST. Two processes hold the subscribers. The latency of an update is the time between applying its
 * durable batch and reading it in a subscriber's process, by the clock of the machine. Prints one JSON line.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeOrders, openAccounts } from './rest/orders.ts';
import { Lines } from './stream/lines.ts';
import { BUCKET_MS, type Received } from './stream/subscribers.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    subscribers: { type: 'string', default: '2000' },
    orders: { type: 'string', default: '800' },
  },
});
const seconds = Number(values.seconds);
const subscribers = Number(values.subscribers);
const PORT = 4304;
const PROCESSES = 2;
const ACCOUNTS = 100;
const WARM_UP_MS = 3000;
const baseUrl = `http://127.0.0.1:${PORT}`;
const root = join(import.meta.dir, '..');
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-stream-'));
const sentPath = join(directory, 'sent');

const children: Bun.Subprocess<'ignore', 'pipe', 'inherit'>[] = [];
try {
  const exchange = spawn(['--preload', './bench/stream/note-sent.ts', 'src/main.ts', 'start'], {
    PORT: `${PORT}`,
    BUTTONWOOD_DATA: join(directory, 'data'),
    BUTTONWOOD_RATE_LIMITS: 'off',
    BUTTONWOOD_MAKERS: 'off',
    BENCH_SENT: sentPath,
  });
  while ((await fetch(baseUrl).catch(() => undefined)) === undefined) {
    if (exchange.exitCode !== null) throw new Error('the exchange ended');
    await Bun.sleep(50);
  }
  const sandbox = JSON.parse(readFileSync(join(directory, 'data/sandbox.json'), 'utf8'));
  const accounts = await openAccounts(baseUrl, sandbox, ACCOUNTS);
  const readers = Array.from({ length: PROCESSES }, (_, index) => {
    const count = Math.floor((subscribers + index) / PROCESSES);
    return new Lines(spawn(['bench/stream/subscribers.ts', `${PORT}`, `${count}`, sentPath]));
  });
  for (const reader of readers) await reader.next();
  const orders = join(directory, 'orders.json');
  await Bun.write(orders, JSON.stringify(makeOrders(accounts, 20_000, 1)));
  spawn(['bench/stream/orders.ts', `${PORT}`, orders, values.orders]);
  await Bun.sleep(WARM_UP_MS);
  for (const reader of readers) reader.child.kill('SIGUSR1');
  await Bun.sleep(seconds * 1000);
  for (const reader of readers) reader.child.kill('SIGUSR1');
  const all: Received[] = [];
  for (const reader of readers) all.push(JSON.parse(await reader.next()) as Received);
  const total = (of: (received: Received) => number) => all.reduce((sum, one) => sum + of(one), 0);
  const perSecond = (of: (received: Received) => number) =>
    Math.round(total((one) => of(one) / one.seconds));
  console.log(
    JSON.stringify({
      deliveriesPerSecond: perSecond(({ updates }) => updates),
      readsPerSecond: perSecond(({ reads }) => reads),
      p50Ms: percentile(all, 0.5),
      p99Ms: percentile(all, 0.99),
      maxMs: percentile(all, 1),
      gaps: total(({ gaps }) => gaps),
      subscribers,
      ordersPerSecond: Number(values.orders),
      seconds,
    }),
  );
} finally {
  for (const child of children) child.kill();
  await Promise.all(children.map((child) => child.exited));
  rmSync(directory, { recursive: true, force: true });
}

function spawn(args: string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

function percentile(all: readonly Received[], share: number): number {
  const buckets = all.flatMap(({ latencies }) => latencies).sort(([a], [b]) => a - b);
  let left = Math.ceil(buckets.reduce((sum, [, count]) => sum + count, 0) * share);
  for (const [bucket, count] of buckets) {
    left -= count;
    if (left <= 0) return Math.round((bucket + 1) * BUCKET_MS * 10) / 10;
  }
  throw new Error('no update arrived');
}
