import { describe, expect, test } from 'bun:test';
import { depthLabel, depthWithin, priceLabel } from './depth.ts';

describe('axes of the depth chart', () => {
  test('depths have three digits and no exponent', () => {
    const labels = [2_090_000, 1234, 999, 12.345, 1.5, 0.0042].map(depthLabel);
    expect(labels).toEqual(['2.09M', '1.23K', '999', '12.3', '1.50', '0.00420']);
  });

  test('an empty book has no prices', () => {
    expect(priceLabel(depthWithin([], [], 0.01), 0.5, 2)).toBe('');
    expect(priceLabel(depthWithin([['100', '1']], [], 0.01), 0.5, 2)).toBe('100.00');
  });
});
