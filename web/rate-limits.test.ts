import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { lowLimit, noteRateLimit } from './rate-limits.ts';

const START_MS = 1_790_000_000_000;

beforeEach(() => {
  jest.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  // Later than any window of a test.
  jest.advanceTimersByTime(120_000);
  jest.useRealTimers();
});

test('a limit is low below a fifth, until its window ends', () => {
  const resetMs = START_MS + 12_000;
  noteRateLimit('POST /a', { limit: 300, remaining: 60, resetMs });
  expect(lowLimit('POST /a')).toBeUndefined();
  noteRateLimit('POST /a', { limit: 300, remaining: 59, resetMs });
  expect(lowLimit('POST /a')).toEqual({ remaining: 59, seconds: 12 });
  expect(lowLimit('POST /b')).toBeUndefined();
  jest.advanceTimersByTime(11_000);
  expect(lowLimit('POST /a')).toEqual({ remaining: 59, seconds: 1 });
  jest.advanceTimersByTime(1000);
  expect(lowLimit('POST /a')).toBeUndefined();
  expect(jest.getTimerCount()).toBe(0);
});

test('a wrong clock makes a user wait for a window at most', () => {
  noteRateLimit('POST /c', { limit: 300, remaining: 0, resetMs: START_MS + 3_600_000 });
  expect(lowLimit('POST /c')).toEqual({ remaining: 0, seconds: 60 });
  noteRateLimit('POST /c', { limit: 300, remaining: 0, resetMs: START_MS - 3_600_000 });
  expect(lowLimit('POST /c')).toBeUndefined();
});

test('reads are not counted', () => {
  noteRateLimit('GET /api/orders', { limit: 60, remaining: 1, resetMs: START_MS + 60_000 });
  expect(lowLimit('GET /api/orders')).toBeUndefined();
});
