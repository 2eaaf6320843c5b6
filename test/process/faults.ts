/**
 * Runs tests of `npm run test:system` for longer: failing system calls, a disk that fills up, and the order of answers
 * and syncs. Prints a line of JSON for each.
 *
 * npm run test:faults -- [--rounds 5] [--seed 1] [--clients 64] [--orders 10000]
 */
import { wholeArguments } from '../whole-arguments.ts';
import { traceOrders } from './answer-order-run.ts';
import { fullDiskRounds } from './full-disk-run.ts';
import { FAULTS, faultRounds } from './injected-faults.ts';
import { onSmallDisk, wayToMount } from './mounts.ts';

const { rounds, seed, clients, orders } = wholeArguments(
  'npm run test:faults -- [--rounds N] [--seed S] [--clients N] [--orders N]',
  {
    rounds: { default: 5, least: 1 },
    seed: { default: 1, least: 0 },
    clients: { default: 64, least: 1 },
    orders: { default: 10_000, least: 1 },
  },
);

const { violations, ...order } = await traceOrders(orders, clients, 0);
console.log(JSON.stringify({ orders, ...order, violations: violations.length }));
if (violations.length > 0) throw new Error(violations.join('\n'));

const way = wayToMount(onSmallDisk);
if (way === undefined) throw new Error('this machine does not permit mounting an in-memory disk');
console.log(JSON.stringify({ fullDisk: await fullDiskRounds(way, 4 * rounds, seed, clients) }));

const faults = Array.from({ length: rounds }, () => FAULTS).flat();
const injected = await faultRounds(faults, seed, clients, (soFar) => {
  if (soFar.rounds % FAULTS.length === 0) console.error(JSON.stringify(soFar));
});
console.log(JSON.stringify({ injected }));
