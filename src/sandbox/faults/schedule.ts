import type { Schedule } from './script.ts';

/** Returns the number of the period that a time is in, from 0; undefined if the schedule excludes the time. */
export function periodAt(
  { from, until, everyMs, forMs }: Schedule,
  now: number,
): number | undefined {
  if (now < from || now >= until) return undefined;
  if (everyMs === undefined) return forMs === undefined || now - from < forMs ? 0 : undefined;
  const period = Math.floor((now - from) / everyMs);
  const isInPart = forMs === undefined || now - from - period * everyMs < forMs;
  return isInPart ? period : undefined;
}

/** Returns whether a fault of this schedule happens at most once in each period. */
export function isOncePerPeriod({ everyMs, forMs }: Schedule): boolean {
  return everyMs !== undefined && forMs === undefined;
}
