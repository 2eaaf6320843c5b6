/**
 * npm run bench:reads [-- --seconds N] [--slices N] [--connections N] [--accounts N]
 *
 * Measures answers per second of each read endpoint of an exchange with books, trades and history, and of a bare
 * Hono echo, in slices that take turns: every slice of an endpoint is between two slices of the echo. Figures are medians of
 * the slices; `ratios` are medians of each slice's ratio to the echoes right before and after it, `spreads` the lowest and
 * the highest of them. Prints one JSON line.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median, pairedRatio } from './pairs.ts';
import { makeOrders, makeReads, openAccounts, type Trader } from './rest/orders.ts';
import { Processes } from './rest/processes.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    slices: { type: 'string', default: '3' },
    connections: { type: 'string', default: '256' },
    accounts: { type: 'string', default: '200' },
  },
});
const seconds = Number(values.seconds);
const slices = Number(values.slices);
const connections = Number(values.connections);
const FILL_SECONDS = 5;
const exchangePort = 4305;
const echoPort = 4306;
const baseUrl = `http://127.0.0.1:${exchangePort}`;
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-'));

const ENDPOINTS: Readonly<Record<string, string>> = {
  markets: '/api/markets',
  prices: '/api/prices',
  assets: '/api/assets',
  orderbook: '/api/orderbook?symbol=BTC/USDT&depth=10',
  trades: '/api/trades?symbol=BTC/USDT&limit=10',
  candles: '/api/candles?symbol=BTC/USDT&interval=1m&limit=10',
  time: '/api/time',
  status: '/api/status',
  balances: '/api/portfolio/balances',
  fees: '/api/fees',
  orders: '/api/orders?limit=10',
  openOrders: '/api/orders?status=open&limit=10',
  order: '/api/orders/ID',
  fills: '/api/fills?limit=10',
  ledger: '/api/ledger?limit=10',
};

const processes = new Processes();
try {
  const sandbox = await processes.serveSandbox(exchangePort, directory, 'off');
  await processes.serve(['bench/rest/echo.ts'], echoPort);
  const traders = await openAccounts(baseUrl, sandbox, Number(values.accounts));
  const orders = await write('placements', makeOrders(traders, 20_000, 1));
  await processes.load(exchangePort, orders, FILL_SECONDS, connections);
  const openOrders = new Map(await Promise.all(traders.map(findOpenOrder)));
  const echoes: number[] = [];
  const echo = async () => {
    const run = await processes.load(echoPort, orders, seconds / slices, connections);
    if (run.refused > 0) throw new Error(`${run.refused} requests to the echo were refused`);
    echoes.push(run.perSecond);
    return run.perSecond;
  };
  const measured = new Map(
    Object.keys(ENDPOINTS).map((name) => [
      name,
      { slices: [] as number[], echoes: [] as number[] },
    ]),
  );
  const read = async (name: string) => {
    const path = ENDPOINTS[name]!;
    const toPath = (trader: Trader) => path.replace('ID', openOrders.get(trader) ?? '1');
    const requests = await write(name, makeReads(traders, toPath));
    const run = await processes.load(exchangePort, requests, seconds / slices, connections);
    if (run.refused > 0) throw new Error(`${run.refused} requests for ${path} were refused`);
    return run.perSecond;
  };
  let before = await echo();
  for (let slice = 0; slice < slices; slice++) {
    for (const [name, each] of measured) {
      each.slices.push(await read(name));
      const after = await echo();
      each.echoes.push((before + after) / 2);
      before = after;
    }
  }
  const entries = [...measured];
  const ratios = entries.map(([name, each]) => ({
    name,
    ...pairedRatio(each.slices, each.echoes),
  }));
  console.log(
    JSON.stringify({
      echoPerSecond: Math.round(median(echoes)),
      ratios: Object.fromEntries(ratios.map(({ name, ratio }) => [name, ratio])),
      spreads: Object.fromEntries(
        ratios.map(({ name, ratioFrom, ratioTo }) => [name, [ratioFrom, ratioTo]]),
      ),
      least: Math.min(...ratios.map(({ ratio }) => ratio)),
      perSecond: Object.fromEntries(
        entries.map(([name, each]) => [name, Math.round(median(each.slices))]),
      ),
      seconds,
      slices,
      connections,
    }),
  );
} finally {
  await processes.end();
  rmSync(directory, { recursive: true, force: true });
}

async function write(name: string, requests: string[]): Promise<string> {
  const path = join(directory, `${name}.json`);
  await Bun.write(path, JSON.stringify(requests));
  return path;
}

async function findOpenOrder(trader: Trader): Promise<[Trader, string]> {
  const answer = await fetch(`${baseUrl}/api/orders?status=open&limit=1`, {
    headers: {
      Authorization: `Bearer ${trader.apiKey}`,
      'X-API-Secret': trader.apiSecret,
    },
  });
  const { data } = (await answer.json()) as { data: { orders: { orderId: string }[] } };
  if (data.orders[0] === undefined) throw new Error('a trader has no open order to read');
  return [trader, data.orders[0].orderId];
}
