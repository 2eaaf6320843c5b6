import { MINUTE_MS } from '../../config/durations.ts';
import type { Services } from '../services.ts';

/** Milliseconds by the id of the network. */
export type DepositTimes = ReadonlyMap<number, number>;

interface KeptTimes {
  readonly minute: number;
  readonly times: Promise<DepositTimes>;
}

const UNKNOWN: DepositTimes = new Map();
/** By the exchange's clock, so that a sandbox with a virtual one gives the same responses in every run. */
const kept = new WeakMap<Services, KeptTimes>();

/**
 * Returns how long deposits usually take, which the archivist computes once a minute. While it cannot answer, the times
 * are unknown: networks are listed all the same.
 */
export function readDepositTimes(services: Services): Promise<DepositTimes> {
  const minute = Math.floor(services.now() / MINUTE_MS);
  const known = kept.get(services);
  if (known?.minute === minute) return known.times;
  const times = query(services);
  kept.set(services, { minute, times });
  return times;
}

async function query({ archivist }: Services): Promise<DepositTimes> {
  try {
    return (await archivist.query({ kind: 'depositTimes' }, 0)) as DepositTimes;
  } catch {
    return UNKNOWN;
  }
}
