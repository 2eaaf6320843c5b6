import { expect, test } from 'bun:test';
import { formatTicks, widenRange } from '../../web/portfolio/value-axis.ts';

test('the range of a nearly flat value is widened, that of others is not', () => {
  expect(widenRange({ minValue: 100_000, maxValue: 100_000 })).toEqual({
    minValue: 99_000,
    maxValue: 101_000,
  });
  expect(widenRange({ minValue: 90_000, maxValue: 100_000 })).toEqual({
    minValue: 90_000,
    maxValue: 100_000,
  });
});

test('labels of a flat value are distinct', () => {
  for (const flat of [0.000_012, 1, 999, 100_000, 1_000_000, 28_400_000]) {
    const { minValue, maxValue } = widenRange({ minValue: flat, maxValue: flat });
    const ticks = Array.from({ length: 9 }, (_, i) => minValue + ((maxValue - minValue) * i) / 8);
    expect(new Set(formatTicks(ticks)).size).toBe(9);
  }
});

test.each([
  [
    [-3, -2, -1, 0, 1],
    ['−3', '−2', '−1', '0', '1'],
  ],
  [
    [-0.5, 0.5, 1.5],
    ['−0.5', '0.5', '1.5'],
  ],
  [
    [0, 50_000, 100_000],
    ['0', '50K', '100K'],
  ],
  [
    [1_000_000, 1_250_000],
    ['1.00M', '1.25M'],
  ],
  [
    [0, 400_000, 800_000, 1_200_000],
    ['0', '400K', '800K', '1.2M'],
  ],
])('labels have a minus sign and no more decimals than they need: %j', (values, texts) => {
  expect(formatTicks(values)).toEqual(texts);
});
