import { expect, test } from 'bun:test';
import { readStatus } from './read-status.ts';

test.each([
  [false, false, 'active'],
  [true, false, 'frozen'],
  [false, true, 'closed'],
  // Its owner can reopen a closed account, but not a frozen one.
  [true, true, 'frozen'],
] as const)('an account with frozen %p and closed %p is %s', (frozen, closed, status) => {
  expect(readStatus({ frozen, closed })).toBe(status);
});
