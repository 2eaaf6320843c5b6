import { expect, test } from 'bun:test';
import { formatAxis, widenRange } from '../../web/portfolio/value-axis.ts';

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

test('neighboring axis labels of a flat value are distinct', () => {
  for (const flat of [0.000_012, 1, 999, 100_000, 1_000_000, 28_400_000]) {
    const { minValue, maxValue } = widenRange({ minValue: flat, maxValue: flat });
    const texts = Array.from({ length: 9 }, (_, i) =>
      formatAxis(minValue + ((maxValue - minValue) * i) / 8),
    );
    expect(new Set(texts).size).toBe(9);
  }
});
