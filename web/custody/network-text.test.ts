import { expect, test } from 'bun:test';
import { usualTime, withUsualTime } from './network-text.ts';

const MINUTE_MS = 60_000;

test.each([
  [0, 'usually under a minute'],
  [59_999, 'usually under a minute'],
  [MINUTE_MS, 'usually about 1 min'],
  [29.6 * MINUTE_MS, 'usually about 30 min'],
  [89 * MINUTE_MS, 'usually about 89 min'],
  [90 * MINUTE_MS, 'usually about 2 h'],
  [24 * 60 * MINUTE_MS, 'usually about 24 h'],
] as const)('%p ms: %s', (ms, expected) => {
  expect(usualTime(ms)).toBe(expected);
});

test('confirmations stand alone while the time is unknown', () => {
  expect(withUsualTime('3 confirmations', null)).toBe('3 confirmations');
  expect(withUsualTime('3 confirmations', 2 * MINUTE_MS)).toBe(
    '3 confirmations, usually about 2 min',
  );
});
