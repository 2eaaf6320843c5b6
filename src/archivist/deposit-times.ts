import type { DepositRecord } from '../engine/custody/custody-records.ts';
import { DepositStatus } from '../engine/custody/statuses.ts';

/** Deposits of a network that its typical time is taken from, the newest. */
const MAX_DEPOSITS = 100;
/** Minimum for a meaningful median. */
const MIN_DEPOSITS = 3;

/**
 * Returns the median time from the first report of a deposit to its credit, in milliseconds by the id of the network. Networks
 * with fewer than three credited deposits have none.
 * @param ended In the order in which they ended
 */
export function medianDepositTimes(ended: Iterable<DepositRecord>): Map<number, number> {
  const times = new Map<number, number[]>();
  for (const { network, status, createdAt, creditedAt } of ended) {
    if (status !== DepositStatus.credited) continue;
    const known = times.get(network);
    if (known === undefined) times.set(network, [creditedAt - createdAt]);
    else known.push(creditedAt - createdAt);
  }
  const medians = new Map<number, number>();
  for (const [network, all] of times) {
    if (all.length >= MIN_DEPOSITS) medians.set(network, median(all.slice(-MAX_DEPOSITS)));
  }
  return medians;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? sorted[middle]!
    : Math.round((sorted[middle - 1]! + sorted[middle]!) / 2);
}
