/**
 * npm run bench:rest [-- --seconds N] [--slices N] [--connections N] [--accounts N]
 *
 * Measures orders per second through the whole exchange, each durable before it is answered, and of a bare Hono
 * echo of the same request bytes, in slices that take turns: echo, exchange, echo, exchange, ..., echo. Figures are medians
 * of the slices; `ratio` is the median of each slice's ratio to the echoes right before and after it, from `ratioFrom` to
 * `ratioTo`. Exchange, echo and load generator are separate processes. Prints one JSON line.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median, neighborMeans, pairedRatio } from './pairs.ts';
import { fdatasyncMs } from './rest/disk.ts';
import type { LoadResult } from './rest/load.ts';
import { makeOrders, openAccounts } from './rest/orders.ts';
import { Processes, round } from './rest/processes.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    slices: { type: 'string', default: '10' },
    connections: { type: 'string', default: '256' },
    accounts: { type: 'string', default: '1000' },
  },
});
const seconds = Number(values.seconds);
const slices = Number(values.slices);
const connections = Number(values.connections);
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-'));
const exchangePort = 4301;
const echoPort = 4302;

const processes = new Processes();
try {
  const disk = await fdatasyncMs(directory);
  const sandbox = await processes.serveSandbox(exchangePort, directory, 'off');
  await processes.serve(['bench/rest/echo.ts'], echoPort);
  const load = (port: number, forSeconds: number) =>
    processes.load(port, orders, forSeconds, connections);

  const baseUrl = `http://127.0.0.1:${exchangePort}`;
  const accounts = await openAccounts(baseUrl, sandbox, Number(values.accounts));
  const orders = join(directory, 'orders.json');
  await Bun.write(orders, JSON.stringify(makeOrders(accounts, 20_000, 1)));

  const echoSeconds = Math.max(1, seconds / slices / 3);
  const runs: LoadResult[] = [];
  const echoes = [await load(echoPort, echoSeconds)];
  for (let slice = 0; slice < slices; slice++) {
    runs.push(await load(exchangePort, seconds / slices));
    echoes.push(await load(echoPort, echoSeconds));
  }
  const state = await operatorState(baseUrl, sandbox);
  const toPerSecond = ({ perSecond }: LoadResult) => perSecond;
  console.log(
    JSON.stringify({
      ordersPerSecond: Math.round(median(runs.map(toPerSecond))),
      echoPerSecond: Math.round(median(echoes.map(toPerSecond))),
      ...pairedRatio(runs.map(toPerSecond), neighborMeans(echoes.map(toPerSecond))),
      p50Ms: round(median(runs.map(({ p50Ms }) => p50Ms))),
      p99Ms: round(median(runs.map(({ p99Ms }) => p99Ms))),
      maxMs: round(Math.max(...runs.map(({ maxMs }) => maxMs))),
      echoP99Ms: round(median(echoes.map(({ p99Ms }) => p99Ms))),
      fdatasyncP50Ms: round(disk.p50Ms),
      fdatasyncP99Ms: round(disk.p99Ms),
      archivistLagMs: state.archivistLagMs,
      openOrders: state.openOrders,
      refused: runs.reduce((sum, { refused }) => sum + refused, 0),
      seconds,
      slices,
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
