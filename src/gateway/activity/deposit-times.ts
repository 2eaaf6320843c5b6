import { MINUTE_MS } from '../../config/durations.ts';
import * as logger from '../../monitoring/logger.ts';
import type { Services } from '../services.ts';

/** Milliseconds by the id of the network. */
export type DepositTimes = ReadonlyMap<number, number>;

type DepositServices = Pick<Services, 'archivist' | 'now'>;

interface KeptTimes {
  /** The minute of the last refresh, by the exchange's clock. */
  minute: number;
  isRefreshing: boolean;
  times: DepositTimes;
  /** Number of refreshes that succeeded. */
  revision: number;
}

const kept = new WeakMap<DepositServices, KeptTimes>();

/**
 * Returns how long deposits usually take, as last computed by the archivist; unknown before the first time. Asks for
 * newer times in the background, at most once a minute: networks are listed even while the archivist is behind.
 */
export function lastDepositTimes(services: DepositServices): DepositTimes {
  let known = kept.get(services);
  if (known === undefined) {
    known = {
      minute: Number.NEGATIVE_INFINITY,
      isRefreshing: false,
      times: new Map(),
      revision: 0,
    };
    kept.set(services, known);
  }
  const minute = Math.floor(services.now() / MINUTE_MS);
  if (known.minute !== minute && !known.isRefreshing) {
    known.minute = minute;
    void refresh(known, services);
  }
  return known.times;
}

/** Returns a number that changes whenever `lastDepositTimes` returns other times. */
export function depositTimesRevision(services: DepositServices): number {
  return kept.get(services)?.revision ?? 0;
}

async function refresh(known: KeptTimes, { archivist }: DepositServices): Promise<void> {
  known.isRefreshing = true;
  try {
    known.times = (await archivist.query({ kind: 'depositTimes' }, 0)) as DepositTimes;
    known.revision++;
  } catch (error) {
    logger.warn(`The times of deposits were not refreshed: ${(error as Error).message}`);
  } finally {
    known.isRefreshing = false;
  }
}
