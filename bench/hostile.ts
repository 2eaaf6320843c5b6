/**
 * npm run bench:hostile [-- --seconds N] [--connections N] [--levels N] [--only NAME]
 *
 * Measures how one address without credentials, and one account without funds, slow down the orders of another
 * trader, under the documented rate limits. The trader sends 50 orders per second during a flood of keep-alive
 * connections, and before and after it. Then measures the time of the serving thread for a single request of the
 * account without funds, as a multiple of an ordinary order. The market has one sell order on each of 100,000 price
 * levels. Finally one account with 10,000 fills sends all history requests that its limits allow in a minute at once,
 * while the trader trades and reads its own history. Exchange, flood and trader are separate processes. Prints one
 * JSON line.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Attack, attacks, post, TRADER } from './hostile/attacks.ts';
import { measureCosts, ORDINARY, UNFUNDED } from './hostile/costs.ts';
import type { FloodResult } from './hostile/flood.ts';
import { fillHistory, historyReads, type Watched, watchReads } from './hostile/history.ts';
import { fillLevels } from './pauses/fill.ts';
import { openAccount, type Trader } from './rest/orders.ts';
import { Processes, round } from './rest/processes.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '2000' },
    levels: { type: 'string', default: '100000' },
    only: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const levels = Number(values.levels);
const PORT = 4305;
const ADMIN_PORT = 4355;
const ORDERS_PER_SECOND = 50;
const TRADER_CONNECTIONS = 50;
/** Delay before the trader's orders count (open-loop.ts); they end before the flood. */
const WARM_UP_SECONDS = 2;
const FLOOD_LEAD_SECONDS = 1;
const UNFUNDED_PAUSE_MS = 150;
/** A pause that no flood outlasts. */
const ONCE_MS = 3_600_000;
/** The highest limit class: 30,000 orders a minute. */
const HIGH_CLASS = 1000;
const baseUrl = `http://127.0.0.1:${PORT}`;
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-hostile-'));
const data = join(directory, 'data');
const processes = new Processes();

try {
  const first = await start();
  await processes.stop(first);
  await fillLevels(data, levels);
  await fillHistory(data);
  const exchange = await start();
  const sandbox = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8'));
  const open = (accountId: string, limitClass: number, funds: readonly [string, string][] = []) =>
    openAccount(baseUrl, sandbox, { accountId, limitClass, funds });
  const trader = await open('trader', HIGH_CLASS, [['USDT', '100000']]);
  const unfunded = await open('unfunded', 1);
  const dear = await open('unfunded-and-fast', HIGH_CLASS);
  const path = write('trader', [post('/api/orders', trader, JSON.stringify(ORDINARY), TRADER)]);
  const order = () => processes.offer(PORT, path, ORDERS_PER_SECOND, seconds, TRADER_CONNECTIONS);

  const { marketBuyByAmount, batchOfMarketBuys: orders } = UNFUNDED;
  // The maximum that the limits of one account allow, spread over the measured time.
  const market = [
    post('/api/orders', unfunded, JSON.stringify(marketBuyByAmount)),
    post('/api/orders/batch', unfunded, JSON.stringify({ orders })),
  ];
  const alice = sandbox.accounts.find(({ name }: { name: string }) => name === 'alice');
  const reads = historyReads(alice);
  const all: Attack[] = [
    ...attacks(connections),
    { name: 'unfunded', connections: 1, requests: market, pauseMs: UNFUNDED_PAUSE_MS },
    { name: 'history', connections: reads.length, requests: reads, isBurst: true },
  ];
  const results: Record<string, unknown> = {};
  let before = await order();
  for (const attack of all) {
    if (values.only !== undefined && attack.name !== values.only) continue;
    const flooded = flood(attack);
    await Bun.sleep(FLOOD_LEAD_SECONDS * 1000);
    const watched = attack.isBurst ? watch(trader) : undefined;
    const during = await order();
    const load = await flooded;
    const after = await order();
    results[attack.name] = {
      p50Ms: round(during.p50Ms),
      p99Ms: round(during.p99Ms),
      maxMs: round(during.maxMs),
      quietP50Ms: round((before.p50Ms + after.p50Ms) / 2),
      quietP99Ms: round((before.p99Ms + after.p99Ms) / 2),
      notAccepted: round(during.refusedPerSecond + during.unsentPerSecond),
      ...(await watched),
      load,
    };
    before = after;
  }
  const costs =
    values.only === undefined ? await measureCosts(baseUrl, exchange.pid, trader, dear) : {};
  console.log(JSON.stringify({ ...results, ...costs, seconds, connections, levels }));
} finally {
  await processes.end();
  rmSync(directory, { recursive: true, force: true });
}

function start() {
  return processes.serve(['src/main.ts', 'start'], PORT, {
    BUTTONWOOD_DATA: data,
    BUTTONWOOD_RATE_LIMITS: 'spec',
    BUTTONWOOD_MAKERS: 'off',
    BUTTONWOOD_TRUSTED_PROXIES: '127.0.0.1',
    BUTTONWOOD_PUBLIC_URL: baseUrl,
    BUTTONWOOD_ADMIN_PORT: `${ADMIN_PORT}`,
  });
}

async function flood(attack: Attack): Promise<FloodResult> {
  const { name, connections: count, requests, isBurst } = attack;
  const pauseMs = isBurst ? ONCE_MS : (attack.pauseMs ?? 0);
  const lead = FLOOD_LEAD_SECONDS + WARM_UP_SECONDS;
  if (isBurst) await Bun.sleep(lead * 1000);
  const all = isBurst ? seconds : lead + seconds;
  const program = ['bench/hostile/flood.ts', `${PORT}`, write(name, requests)];
  return processes.print([...program, `${all}`, `${count}`, `${pauseMs}`]);
}

function watch(trader: Trader): Promise<Watched> {
  const metricsUrl = `http://127.0.0.1:${ADMIN_PORT}/metrics`;
  return watchReads(baseUrl, metricsUrl, trader, WARM_UP_SECONDS + seconds);
}

function write(name: string, requests: readonly string[]): string {
  const path = join(directory, `${name}.json`);
  writeFileSync(path, JSON.stringify(requests));
  return path;
}
