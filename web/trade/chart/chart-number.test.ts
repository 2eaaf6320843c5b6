import { expect, test } from 'bun:test';
import { chartNumber } from './chart-number.ts';

test('numbers of charts have separators and a minus sign', () => {
  expect(chartNumber(-825.518, 2)).toBe('−825.52');
  expect(chartNumber(1_234_567.8, 2)).toBe('1,234,567.80');
  expect(chartNumber(-0.001, 2)).toBe('0.00');
});
