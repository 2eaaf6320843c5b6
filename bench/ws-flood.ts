/**
 * npm run bench:ws-flood [-- --seconds N] [--connections N]
 *
 * Measures how one account that floods the exchange with operations beyond its limit slows down the orders of another one.
 * The trader sends 500 orders per second over sockets, in slices without and with the flood that take turns, under the
 * documented rate limits. The ratio is the median of neighboring slices. Prints one JSON line.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median, pairedRatio } from './pairs.ts';
import { openAccount, type Trader } from './rest/orders.ts';
import { Processes, round } from './rest/processes.ts';
import type { WsLoad, WsLoadResult } from './ws/load.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '40' },
    connections: { type: 'string', default: '20' },
  },
});
const SLICES = 5;
const PORT = 4303;
const ORDERS_PER_SECOND = 500;
/** The highest limit class: 30,000 orders a minute. */
const HIGH_CLASS = 1000;
const sliceSeconds = Number(values.seconds) / SLICES / 2;
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-'));
const ORDER =
  '{"symbol":"BTC/USDT","side":"buy","type":"limit","amount":0.001,"price":45000,"timeInForce":"IOC"}';

const processes = new Processes();
try {
  const sandbox = await processes.serveSandbox(PORT, directory, 'spec');
  const open = (accountId: string, limitClass: number) =>
    openAccount(`http://127.0.0.1:${PORT}`, sandbox, {
      accountId,
      limitClass,
      funds: [['USDT', '100000']],
    });
  const write = async (name: string, trader: Trader) => {
    const load: WsLoad = { auths: [JSON.stringify({ op: 'auth', ...trader })], params: [ORDER] };
    const path = join(directory, `${name}.json`);
    await Bun.write(path, JSON.stringify(load));
    return path;
  };
  const trader = await write('trader', await open('trader', HIGH_CLASS));
  const flooder = await write('flooder', await open('flooder', 1));
  const run = (path: string, connections: number, inFlight: number, perSecond: number) => {
    const numbers = [sliceSeconds, connections, inFlight, perSecond, 0].map(String);
    return processes.print<WsLoadResult>(['bench/ws/load.ts', `${PORT}`, path, ...numbers]);
  };
  const trade = () => run(trader, 4, 16, ORDERS_PER_SECOND);
  const alone: WsLoadResult[] = [];
  const flooded: WsLoadResult[] = [];
  let refused = 0;
  for (let slice = 0; slice < SLICES; slice++) {
    alone.push(await trade());
    const [result, flood] = await Promise.all([
      trade(),
      run(flooder, Number(values.connections), 16, 0),
    ]);
    flooded.push(result);
    refused += flood.refused;
  }
  console.log(
    JSON.stringify({
      aloneP99Ms: round(median(alone.map((each) => each.p99Ms))),
      floodedP99Ms: round(median(flooded.map((each) => each.p99Ms))),
      ...pairedRatio(
        flooded.map((each) => each.p99Ms),
        alone.map((each) => each.p99Ms),
      ),
      refusedPerSecond: Math.round(refused / SLICES / sliceSeconds),
      ordersPerSecond: ORDERS_PER_SECOND,
      connections: Number(values.connections),
    }),
  );
} finally {
  await processes.end();
  rmSync(directory, { recursive: true, force: true });
}
