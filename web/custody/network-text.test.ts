import { expect, test } from 'bun:test';
import { explorerAddress, usualTime, withUsualTime } from './network-text.ts';

const MINUTE_MS = 60_000;

test.each([
  [0, 'usually under a minute'],
  [59_999, 'usually under a minute'],
  [MINUTE_MS, 'usually about 1\u00a0min'],
  [29.6 * MINUTE_MS, 'usually about 30\u00a0min'],
  [89 * MINUTE_MS, 'usually about 89\u00a0min'],
  [90 * MINUTE_MS, 'usually about 2\u00a0h'],
  [24 * 60 * MINUTE_MS, 'usually about 24\u00a0h'],
] as const)('%p ms: %s', (ms, expected) => {
  expect(usualTime(ms)).toBe(expected);
});

test('confirmations stand alone while the time is unknown', () => {
  expect(withUsualTime('3 confirmations', null)).toBe('3 confirmations');
  expect(withUsualTime('3 confirmations', 2 * MINUTE_MS)).toBe(
    '3 confirmations, usually about 2\u00a0min',
  );
});

test.each([
  ['4a5e1e4b', 'https://explorer.example/tx/4a5e1e4b?view=all'],
  ['../../?a=b#c', 'https://explorer.example/tx/..%2F..%2F%3Fa%3Db%23c?view=all'],
  ["$&$'", "https://explorer.example/tx/%24%26%24'?view=all"],
])('the transaction %s stays in its place of the address', (transaction, expected) => {
  const url = 'https://explorer.example/tx/{transaction}?view=all';
  expect(explorerAddress(url, transaction)).toBe(expected);
});
