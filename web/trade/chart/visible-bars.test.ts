import { expect, test } from 'bun:test';
import { findCandles, openingSpacing } from './visible-bars.ts';

test.each([
  // [candles, width of the chart, distance]
  [93, 900, 9],
  [5, 900, 14],
  [500, 900, 6],
])('%i candles in %i px have a distance of %d px', (count, width, spacing) => {
  expect(openingSpacing(count, width)).toBe(spacing);
});

test('the candles between two heights are those that a label there would cover', () => {
  // Ten candles of 10 px: the range is one candle less than they are, as in the chart's own geometry.
  const range = { from: 1, to: 10 };
  // biome-ignore lint/suspicious/noExplicitAny: a part of the chart is enough
  const chart: any = {
    timeScale: () => ({
      getVisibleLogicalRange: () => range,
      logicalToCoordinate: (index: number) => (index - range.from) * 10 + 5,
      options: () => ({ barSpacing: 10 }),
    }),
  };
  // biome-ignore lint/suspicious/noExplicitAny: a part of the series is enough
  const series: any = { coordinateToPrice: (y: number) => 1000 - y };
  const bars = [910, 905, 950, 899].map((price, time) => {
    return { time, open: price, close: price, high: price + 2, low: price - 5, volume: 1 };
  });
  // The first candle is left of the visible range.
  expect(findCandles(chart, series, bars, 90, 100)).toEqual([
    [0, 10],
    [20, 30],
  ]);
});
