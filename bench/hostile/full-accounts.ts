/**
 * node bin/bun.mjs bench/hostile/full-accounts.ts [--seconds N]
 *
 * Measures orders with client order ids of accounts that have used more ids than the engine remembers. First the
 * orders per second of two such accounts: without ids, with new ids, and with repeated ids that only history has.
 * Then one account sends 50 orders per second, while another one floods the exchange on 200 connections with batches
 * of 15 ids that only history has. Exchange and load are separate processes. Prints one JSON line.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MAX_REMEMBERED } from '../../src/engine/limits.ts';
import type { OpenLoopResult } from '../rest/open-loop.ts';
import { openAccount, type Trader } from '../rest/orders.ts';
import { Processes, round } from '../rest/processes.ts';
import { post } from './attacks.ts';
import { ORDINARY } from './costs.ts';
import type { FloodResult } from './flood.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '6' } } });
const seconds = Number(values.seconds);
const PORT = 4306;
const baseUrl = `http://127.0.0.1:${PORT}`;
const BATCH_SIZE = 15;
/** Number of dropped ids of each account. */
const DROPPED = 1_500;
const MAX_ORDERS_PER_SECOND = 20_000;
const CONNECTIONS = 256;
const FLOOD_CONNECTIONS = 200;
const ORDERS_PER_SECOND = 50;
/** The load generators do not count the first seconds. */
const WARM_UP_SECONDS = 2;

const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-full-'));
const data = join(directory, 'data');
const processes = new Processes();
let nextFile = 0;
let nextId = 0;

try {
  await processes.serve(['src/main.ts', 'start'], PORT, {
    BUTTONWOOD_DATA: data,
    BUTTONWOOD_RATE_LIMITS: 'off',
    BUTTONWOOD_MAKERS: 'off',
  });
  const sandbox = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8'));
  const open = async (accountId: string): Promise<Trader> => {
    const trader = await openAccount(baseUrl, sandbox, {
      accountId,
      funds: [['USDT', '1000000']],
    });
    await placeMany(trader);
    return trader;
  };
  const traders = await Promise.all(['first', 'second'].map(open));
  const attacker = await open('attacker');
  const withoutIds = await load(traders, () => undefined);
  const newIds = await load(traders, newId);
  const usedIds = await load(traders, usedId);

  const quiet = await offer(traders[0]!, newId);
  const flooded = flood(attacker);
  const [duringNew, duringUsed] = await Promise.all([
    offer(traders[0]!, newId),
    offer(traders[1]!, usedId),
  ]);
  console.log(
    JSON.stringify({
      withoutIds,
      newIds,
      usedIds,
      quiet: brief(quiet),
      duringNew: brief(duringNew),
      duringUsed: brief(duringUsed),
      flood: await flooded,
      seconds,
    }),
  );
} finally {
  await processes.end();
  rmSync(directory, { recursive: true, force: true });
}

/** Returns an id that the account has used and the engine has dropped. */
function usedId(n: number): string {
  return `used-${n % DROPPED}`;
}

function newId(): string {
  return `new-${nextId++}`;
}

function order(clientOrderId: string | undefined) {
  return { ...ORDINARY, clientOrderId };
}

/** Uses up ids until the engine has dropped the first of them. */
async function placeMany({ apiKey, apiSecret }: Trader): Promise<void> {
  for (let n = 0; n < MAX_REMEMBERED.clientOrderIds + DROPPED; ) {
    const orders = Array.from({ length: BATCH_SIZE }, () => order(`used-${n++}`));
    const answer = await fetch(`${baseUrl}/api/orders/batch`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'X-API-Secret': apiSecret,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ orders }),
    });
    const text = await answer.text();
    if (answer.status !== 200 || text.includes('"success":false')) throw new Error(text);
  }
}

/** Measures the maximum orders per second on 256 connections. */
async function load(of: readonly Trader[], formatId: (n: number) => string | undefined) {
  const count = MAX_ORDERS_PER_SECOND * (seconds + 1);
  const path = write(
    Array.from({ length: count }, (_, n) =>
      post('/api/orders', of[n % of.length]!, JSON.stringify(order(formatId(n)))),
    ),
  );
  const result = await processes.load(PORT, path, seconds, CONNECTIONS);
  return {
    perSecond: Math.round(result.perSecond),
    p99Ms: round(result.p99Ms),
    refused: result.refused,
  };
}

function offer(trader: Trader, formatId: (n: number) => string): Promise<OpenLoopResult> {
  const count = ORDERS_PER_SECOND * (seconds + WARM_UP_SECONDS + 1);
  const path = write(
    Array.from({ length: count }, (_, n) =>
      post('/api/orders', trader, JSON.stringify(order(formatId(n)))),
    ),
  );
  return processes.offer(PORT, path, ORDERS_PER_SECOND, seconds, ORDERS_PER_SECOND);
}

function flood(attacker: Trader): Promise<FloodResult> {
  const path = write(
    Array.from({ length: 1_000 }, (_, batch) => {
      const orders = Array.from({ length: BATCH_SIZE }, (__, n) =>
        order(usedId(batch * BATCH_SIZE + n)),
      );
      return post('/api/orders/batch', attacker, JSON.stringify({ orders }));
    }),
  );
  const all = `${seconds + WARM_UP_SECONDS + 1}`;
  return processes.print([
    'bench/hostile/flood.ts',
    `${PORT}`,
    path,
    all,
    `${FLOOD_CONNECTIONS}`,
    '0',
  ]);
}

function brief({ p50Ms, p99Ms, refusedPerSecond, unsentPerSecond }: OpenLoopResult) {
  return {
    p50Ms: round(p50Ms),
    p99Ms: round(p99Ms),
    notAccepted: round(refusedPerSecond + unsentPerSecond),
  };
}

function write(requests: readonly string[]): string {
  const path = join(directory, `${nextFile++}.json`);
  writeFileSync(path, JSON.stringify(requests));
  return path;
}
