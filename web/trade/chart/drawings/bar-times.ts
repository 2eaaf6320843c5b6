import type { Bar } from '../bars.ts';

type Times = readonly Pick<Bar, 'time'>[];

/** Seconds between candles while there are fewer than two. */
const DEFAULT_STEP_S = 60;

/** Returns the position of a time among candles, also before the first and after the last one: 1.5 is halfway between the second and the third. */
export function logicalAt(bars: Times, time: number): number {
  const step = findStep(bars);
  const first = bars[0]?.time ?? 0;
  if (time < first) return (time - first) / step;
  const index = bars.findLastIndex((bar) => bar.time <= time);
  const from = bars[index]?.time ?? 0;
  const until = bars[index + 1]?.time ?? from + step;
  return index + (time - from) / (until - from);
}

/** Returns the time of the candle nearest to a position; positions outside of the candles have times as well. */
export function timeAt(bars: Times, logical: number): number {
  const last = bars.length - 1;
  if (logical < 0) return (bars[0]?.time ?? 0) + logical * findStep(bars);
  if (logical > last) return (bars[last]?.time ?? 0) + (logical - last) * findStep(bars);
  return bars[Math.round(logical)]!.time;
}

/**
 * Returns the coordinate of a position between candles.
 * @param toCoordinate Returns the coordinate of a whole position: lightweight-charts returns 0 for any other.
 */
export function coordinateAt(
  logical: number,
  toCoordinate: (index: number) => number | null,
): number | undefined {
  const before = Math.floor(logical);
  const [from, to] = [toCoordinate(before), toCoordinate(before + 1)];
  return from === null || to === null ? undefined : from + (logical - before) * (to - from);
}

/** Returns the seconds between the last two candles. */
function findStep(bars: Times): number {
  const [before, last] = [bars.at(-2), bars.at(-1)];
  return before === undefined || last === undefined ? DEFAULT_STEP_S : last.time - before.time;
}
