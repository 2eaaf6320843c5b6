const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Widths of the intervals of charts, the shortest first. */
export const INTERVALS_MS = {
  '1m': MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
} as const;
type Interval = keyof typeof INTERVALS_MS;
const INTERVALS = Object.keys(INTERVALS_MS) as Interval[];

/** Maximum points of a chart, about one per two pixels. */
const MAX_POINTS = 400;
/** Maximum points of a response. */
const MAX_LIMIT = 1000;

/** Returns the shortest intervals that cover an age with few enough points, and their number with the point before the first. */
export function coverAge(ageMs: number): { interval: Interval; limit: number } {
  const count = (interval: Interval) => Math.ceil(ageMs / INTERVALS_MS[interval]) + 2;
  const interval = INTERVALS.find((each) => count(each) <= MAX_POINTS) ?? '1w';
  return { interval, limit: Math.min(count(interval), MAX_LIMIT) };
}
