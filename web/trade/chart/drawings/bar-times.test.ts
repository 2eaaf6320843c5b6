import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { coordinateAt, logicalAt, timeAt } from './bar-times.ts';

const HOUR_S = 3600;
const START_S = 1_700_000_000;
const hourly = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ time: START_S + index * HOUR_S }));

/** Like lightweight-charts 5.2: 10 pixels per candle, and 0 between candles. */
const toCoordinate = (index: number) => (Number.isInteger(index) ? 500 + 10 * index : 0);

describe('times of drawings', () => {
  test('a time between candles has a coordinate between theirs', () => {
    const bars = hourly(24);
    const quarter = START_S + 5 * HOUR_S + HOUR_S / 4;
    expect(logicalAt(bars, quarter)).toBe(5.25);
    expect(coordinateAt(logicalAt(bars, quarter), toCoordinate)).toBe(552.5);
  });

  test('times before the first and after the last candle are extrapolated', () => {
    const bars = hourly(24);
    const position = (hours: number) =>
      coordinateAt(logicalAt(bars, START_S + hours * HOUR_S), toCoordinate);
    expect(position(-2.5)).toBe(475);
    expect(position(30.5)).toBe(805);
  });

  test('later times are further to the right at any interval', () => {
    const time = fc.integer({ min: START_S - 50 * HOUR_S, max: START_S + 90 * HOUR_S });
    const interval = fc.constantFrom(60, 900, HOUR_S, 4 * HOUR_S);
    fc.assert(
      fc.property(time, time, interval, (a, b, stepS) => {
        const bars = Array.from({ length: 40 }, (_, index) => ({ time: START_S + index * stepS }));
        const [x, y] = [a, b].map((each) => coordinateAt(logicalAt(bars, each), toCoordinate)!);
        expect(x! - y!).toBeCloseTo((10 * (a - b)) / stepS, 6);
      }),
    );
  });

  test('a candle has the time of its position, and the other way round', () => {
    const bars = hourly(10);
    for (const logical of [-3, 0, 4, 9, 15])
      expect(logicalAt(bars, timeAt(bars, logical))).toBe(logical);
  });

  test('an empty chart has no coordinates', () => {
    expect(coordinateAt(1.5, () => null)).toBeUndefined();
  });
});
