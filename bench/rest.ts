/**
 * npm run bench:rest [-- --seconds N] [--connections N] [--accounts N]
 *
 * Measures orders per second through the whole exchange, each durable before it is answered, and of a bare Hono
 * echo of the same request bytes in the same run. Exchange, echo and load generator are separate processes.
 * Prints one JSON line.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fdatasyncMs } from './rest/disk.ts';
import { makeOrders, openAccounts } from './rest/orders.ts';
import { Processes, round } from './rest/processes.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '256' },
    accounts: { type: 'string', default: '1000' },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-'));
const exchangePort = 4301;
const echoPort = 4302;

const processes = new Processes();
try {
  const disk = await fdatasyncMs(directory);
  await processes.serve(['src/main.ts', 'start'], exchangePort, {
    BUTTONWOOD_DATA: join(directory, 'data'),
    BUTTONWOOD_RATE_LIMITS: 'off',
    BUTTONWOOD_MAKERS: 'off',
  });
  await processes.serve(['bench/rest/echo.ts'], echoPort);
  const load = (port: number, forSeconds: number) =>
    processes.load(port, orders, forSeconds, connections);

  const baseUrl = `http://127.0.0.1:${exchangePort}`;
  const sandbox = JSON.parse(readFileSync(join(directory, 'data/sandbox.json'), 'utf8'));
  const accounts = await openAccounts(baseUrl, sandbox, Number(values.accounts));
  const orders = join(directory, 'orders.json');
  await Bun.write(orders, JSON.stringify(makeOrders(accounts, 20_000, 1)));

  const echoSeconds = Math.max(2, Math.round(seconds / 6));
  const before = await load(echoPort, echoSeconds);
  const run = await load(exchangePort, seconds);
  const state = await operatorState(baseUrl, sandbox);
  const after = await load(echoPort, echoSeconds);
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
  await processes.end();
  rmSync(directory, { recursive: true, force: true });
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
