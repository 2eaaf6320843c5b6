/**
 * npm run bench:overload [-- --seconds N] [--connections N] [--accounts N]
 *
 * Measures an overloaded exchange: an open loop sends 1.1, 2, 3 and 5 times as many orders per second as it took in a
 * closed loop just before. Goodput is the accepted share of its mean capacity before and after. Then it gets
 * half of its capacity until it answers as in the beginning. Exchange and load are separate processes. Prints one
 * JSON line.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeOrders, openAccounts } from './rest/orders.ts';
import { Processes, round } from './rest/processes.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    connections: { type: 'string', default: '4096' },
    accounts: { type: 'string', default: '1000' },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const TIMES = [1.1, 2, 3, 5];
const CAPACITY_SECONDS = 6;
const CAPACITY_CONNECTIONS = 256;
/** Maximum time for an exchange to recover from an overload. */
const SETTLE_SECONDS = 30;
const port = 4304;
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-'));
const processes = new Processes();

try {
  const sandbox = await processes.serveSandbox(port, directory, 'off');
  const accounts = await openAccounts(`http://127.0.0.1:${port}`, sandbox, Number(values.accounts));
  const orders = join(directory, 'orders.json');
  await Bun.write(orders, JSON.stringify(makeOrders(accounts, 20_000, 1)));

  const measure = async () =>
    (await processes.load(port, orders, CAPACITY_SECONDS, CAPACITY_CONNECTIONS)).perSecond;
  const offer = (perSecond: number, forSeconds: number) =>
    processes.offer(port, orders, perSecond, forSeconds, connections);

  let capacity = await measure();
  const calm = await offer(capacity / 2, CAPACITY_SECONDS);
  const curve = [];
  for (const times of TIMES) {
    const load = await offer(capacity * times, seconds);
    const settledAfterSeconds = await settle(capacity / 2, 2 * calm.p99Ms);
    const after = await measure();
    const goodput = round((2 * load.acceptedPerSecond) / (capacity + after));
    curve.push({
      times,
      capacityPerSecond: Math.round(capacity),
      goodput,
      settledAfterSeconds,
      load,
    });
    capacity = after;
  }
  console.log(JSON.stringify({ calm, curve, connections, seconds }));

  /** Sends at a rate until it is answered as usual. @returns Seconds until then. */
  async function settle(perSecond: number, usualP99Ms: number): Promise<number> {
    const begin = performance.now();
    for (;;) {
      const began = performance.now();
      const { p99Ms, refusedPerSecond } = await offer(perSecond, 1);
      if (p99Ms <= usualP99Ms && refusedPerSecond === 0) return round((began - begin) / 1000);
      if (performance.now() - begin > SETTLE_SECONDS * 1000)
        throw new Error('the exchange stays overloaded');
    }
  }
} finally {
  await processes.end();
  rmSync(directory, { recursive: true, force: true });
}
