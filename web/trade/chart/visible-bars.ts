import type { IChartApi, ISeriesApi, Logical, SeriesType } from 'lightweight-charts';
import type { Bar } from './bars.ts';
import type { Ends } from './own-label.ts';

/** Free candles at the right end. */
export const RIGHT_OFFSET = 4;
/** Free candles at the left end of few candles, so that the first time below them is whole. */
const LEFT_OFFSET = 3;
/** Distances of candles in pixels that a chart opens with: the larger ones where few candles exist. */
const SPACING_PX = { min: 6, max: 14 } as const;

/** Returns the distance of candles with which they fill a chart. */
export function openingSpacing(count: number, width: number): number {
  const fitting = width / (count + LEFT_OFFSET + RIGHT_OFFSET);
  return Math.min(SPACING_PX.max, Math.max(SPACING_PX.min, fitting));
}

/** Scrolls to the last candle, at the distance with which they fill the chart. Returns the distance. */
export function fitSpacing(chart: IChartApi, count: number): number {
  const scale = chart.timeScale();
  const barSpacing = openingSpacing(count, scale.width());
  scale.applyOptions({ barSpacing });
  scale.resetTimeScale();
  return barSpacing;
}

/** Returns whether the user has neither zoomed nor scrolled a chart since its candles had a distance. */
export function hasSpacing(chart: IChartApi, spacing: number): boolean {
  const scale = chart.timeScale();
  if (Math.abs(scale.scrollPosition() - RIGHT_OFFSET) > 0.5) return false;
  return Math.abs(scale.options().barSpacing - spacing) < 0.01;
}

/** Returns the left and right ends of the visible candles between two heights, from left to right. */
export function findCandles(
  chart: IChartApi,
  series: ISeriesApi<SeriesType>,
  bars: readonly Bar[],
  top: number,
  bottom: number,
): readonly Ends[] {
  const scale = chart.timeScale();
  const range = scale.getVisibleLogicalRange();
  const [highest, lowest] = [series.coordinateToPrice(top), series.coordinateToPrice(bottom)];
  if (range === null || highest === null || lowest === null) return [];
  const half = scale.options().barSpacing / 2;
  const first = Math.max(0, Math.floor(range.from));
  const found: Ends[] = [];
  for (const [index, { high, low }] of bars.slice(first, Math.ceil(range.to) + 1).entries()) {
    if (high < lowest || low > highest) continue;
    const x = scale.logicalToCoordinate((first + index) as Logical);
    if (x !== null) found.push([x - half, x + half]);
  }
  return found;
}
