import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './durations.ts';

const WEEK_MS = 7 * DAY_MS;
/** Stands for a calendar month, whatever its length. */
const MONTH = 30 * DAY_MS;
/** Weeks start on Monday; 1970 started on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** Widths of candles: milliseconds, except of a month. Use the functions below to compute with them. */
export const INTERVALS_MS = {
  '1s': SECOND_MS,
  '1m': MINUTE_MS,
  '3m': 3 * MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '2h': 2 * HOUR_MS,
  '4h': 4 * HOUR_MS,
  '6h': 6 * HOUR_MS,
  '8h': 8 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '1d': DAY_MS,
  '3d': 3 * DAY_MS,
  '1w': WEEK_MS,
  '1M': MONTH,
} as const;
export type Interval = keyof typeof INTERVALS_MS;
export const INTERVALS = Object.keys(INTERVALS_MS) as Interval[];

/**
 * Returns the start of a time's interval. Weeks start on Monday; three days count from 1970-01-01.
 * @param zoneMs The time by which the zone of the intervals is ahead of UTC.
 */
export function intervalStart(time: number, width: number, zoneMs = 0): number {
  if (zoneMs !== 0) return intervalStart(time + zoneMs, width) - zoneMs;
  if (width === MONTH) {
    const date = new Date(time);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  }
  const offset = width === WEEK_MS ? FIRST_MONDAY_MS : 0;
  return Math.floor((time - offset) / width) * width + offset;
}

/** Returns the start of the interval `count` after the one that starts at `start`; before it if negative. */
export function addIntervals(start: number, width: number, count: number, zoneMs = 0): number {
  if (width !== MONTH) return start + count * width;
  if (zoneMs !== 0) return addIntervals(start + zoneMs, width, count) - zoneMs;
  const date = new Date(start);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + count;
  // Date.UTC reads years below 100 as 1900 and later; no trade is that old.
  return month < 0 ? 0 : Date.UTC(Math.floor(month / 12), month % 12);
}

/** Returns the first start of an interval at or after a time. */
export function firstIntervalFrom(time: number, width: number, zoneMs = 0): number {
  const start = intervalStart(time, width, zoneMs);
  return start === time ? start : addIntervals(start, width, 1, zoneMs);
}
