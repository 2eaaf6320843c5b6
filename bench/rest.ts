/**
 * npm run bench:rest [-- --seconds N] [--connections N] [--accounts N]
 *
 * Orders a second through the whole exchange, each durable before it is answered, beside a bare Hono
 * echo of the same request bytes in the same run. Exchange, echo and load generator are processes of
 * their own. Prints one JSON line.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fdatasyncMs } from './rest/disk.ts';
import type { LoadResult } from './rest/load.ts';
import { makeOrders, openAccounts } from './rest/orders.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '256' },
    accounts: { type: 'string', default: '1000' },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const root = join(import.meta.dir, '..');
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-'));
const exchangePort = 4301;
const echoPort = 4302;

const children: Bun.Subprocess[] = [];
try {
  const disk = await fdatasyncMs(directory);
  const exchange = spawn(['src/main.ts', 'start'], {
    PORT: `${exchangePort}`,
    BUTTONWOOD_DATA: join(directory, 'data'),
    BUTTONWOOD_RATE_LIMITS: 'off',
  });
  await waitFor(exchangePort, exchange);
  const echo = spawn(['bench/rest/echo.ts'], { PORT: `${echoPort}` });
  await waitFor(echoPort, echo);

  const baseUrl = `http://127.0.0.1:${exchangePort}`;
  const sandbox = JSON.parse(readFileSync(join(directory, 'data/sandbox.json'), 'utf8'));
  const accounts = await openAccounts(baseUrl, sandbox, Number(values.accounts));
  const orders = join(directory, 'orders.json');
  await Bun.write(orders, JSON.stringify(makeOrders(accounts, 20_000, 1)));

  const echoSeconds = Math.max(2, Math.round(seconds / 6));
  const before = await load(echoPort, orders, echoSeconds);
  const run = await load(exchangePort, orders, seconds);
  const state = await operatorState(baseUrl, sandbox);
  const after = await load(echoPort, orders, echoSeconds);
  const echoPerSecond = (before.perSecond + after.perSecond) / 2;
  console.log(
    JSON.stringify({
      ordersPerSecond: Math.round(run.perSecond),
      echoPerSecond: Math.round(echoPerSecond),
      ratio: round(run.perSecond / echoPerSecond),
      p50Ms: round(run.p50Ms),
      p99Ms: round(run.p99Ms),
      maxMs: round(run.maxMs),
      echoP99Ms: round(Math.max(before.p99Ms, after.p99Ms)),
      fdatasyncP50Ms: round(disk.p50Ms),
      fdatasyncP99Ms: round(disk.p99Ms),
      archivistLagMs: state.archivistLagMs,
      openOrders: state.openOrders,
      refused: run.refused,
      seconds,
      connections,
      accounts: accounts.length,
    }),
  );
} finally {
  for (const child of children) child.kill();
  await Promise.all(children.map((child) => child.exited));
  rmSync(directory, { recursive: true, force: true });
}

function spawn(args: string[], env: Record<string, string>): Bun.Subprocess {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  return child;
}

async function waitFor(port: number, child: Bun.Subprocess): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`the server on port ${port} ended`);
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    if (answer !== undefined) return;
    await Bun.sleep(50);
  }
  throw new Error(`nothing answers on port ${port}`);
}

async function load(port: number, orders: string, forSeconds: number): Promise<LoadResult> {
  const args = ['bench/rest/load.ts', `${port}`, orders, `${forSeconds}`, `${connections}`];
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const result = (await new Response(child.stdout).json()) as LoadResult;
  await child.exited;
  return result;
}

async function operatorState(
  baseUrl: string,
  sandbox: { accounts: { name: string; apiKey: string; apiSecret: string }[] },
): Promise<{ archivistLagMs: number; openOrders: number }> {
  const operator = sandbox.accounts.find(({ name }) => name === 'operator')!;
  const answer = await fetch(`${baseUrl}/api/admin/state`, {
    headers: {
      Authorization: `Bearer ${operator.apiKey}`,
      'X-API-Secret': operator.apiSecret,
    },
  });
  const { data } = (await answer.json()) as {
    data: { archivistLagMs: number; openOrders: number };
  };
  return data;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
