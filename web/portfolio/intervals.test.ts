import { expect, test } from 'bun:test';
import { coverAge } from './intervals.ts';

const HOUR_MS = 3_600_000;

test.each([
  ['a new account', 0, '1m', 2],
  ['an hour', 1, '1m', 62],
  ['three days', 72, '15m', 290],
  ['a month', 30 * 24, '4h', 182],
  ['a year', 365 * 24, '1d', 367],
  ['five years', 5 * 365 * 24, '1w', 263],
  ['a lifetime', 80 * 365 * 24, '1w', 1000],
] as const)('%s has few enough points', (_, hours, interval, limit) => {
  expect(coverAge(hours * HOUR_MS)).toEqual({ interval, limit });
});
