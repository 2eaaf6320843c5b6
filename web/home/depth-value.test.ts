import { expect, test } from 'bun:test';
import { valueWithin } from './depth-value.ts';

test('the depth is the value of orders within 1% of the mid price, on both sides', () => {
  const bids = [
    ['99.5', '2'],
    ['99', '1'],
    ['98.9', '50'],
  ] as const;
  const asks = [
    ['100.5', '1'],
    ['101.1', '50'],
  ] as const;
  expect(valueWithin(bids, asks, 0.01)).toBeCloseTo(199 + 99 + 100.5);
  expect(valueWithin(bids, [], 0.01)).toBe(0);
});
