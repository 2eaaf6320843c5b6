/**
 * The long runs of what `npm test` runs briefly: system calls that fail, a disk that fills up, and the order
 * of answers and syncs. Prints a line of JSON for each.
 *
 * npm run test:faults -- [--rounds 5] [--seed 1] [--clients 64] [--orders 10000]
 */
import { parseArgs } from 'node:util';
import { traceOrders } from './answer-order-run.ts';
import { fullDiskRounds, wayToSmallDisk } from './full-disk-run.ts';
import { FAULTS, faultRounds } from './injected-faults.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '64' },
    orders: { type: 'string', default: '10000' },
  },
});
const [rounds, seed, clients, orders] = [
  ...[values.rounds, values.seed, values.clients, values.orders].map(Number),
] as [number, number, number, number];

const { violations, ...order } = await traceOrders(orders, clients, 0);
console.log(JSON.stringify({ orders, ...order, violations: violations.length }));
if (violations.length > 0) throw new Error(violations.join('\n'));

const way = wayToSmallDisk();
if (way === undefined) throw new Error('this machine lets nobody mount a disk of memory');
console.log(JSON.stringify({ fullDisk: await fullDiskRounds(way, 4 * rounds, seed, clients) }));

const faults = Array.from({ length: rounds }, () => FAULTS).flat();
const injected = await faultRounds(faults, seed, clients, (soFar) => {
  if (soFar.rounds % FAULTS.length === 0) console.error(JSON.stringify(soFar));
});
console.log(JSON.stringify({ injected }));
