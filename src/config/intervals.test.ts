import { expect, test } from 'bun:test';
import { addIntervals, firstIntervalFrom, INTERVALS_MS, intervalStart } from './intervals.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const MONTH = INTERVALS_MS['1M'];

test.each([
  ['1s', '2026-02-28T23:59:59.999', '2026-02-28T23:59:59'],
  ['12h', '2026-02-28T23:59:59', '2026-02-28T12:00:00'],
  ['3d', '1970-01-03T23:59:59', '1970-01-01T00:00:00'],
  ['3d', '2026-01-05T12:00:00', '2026-01-04T00:00:00'],
  ['1w', '2026-02-01T12:00:00', '2026-01-26T00:00:00'],
  ['1M', '2026-02-28T23:59:59', '2026-02-01T00:00:00'],
  ['1M', '2024-02-29T00:00:00', '2024-02-01T00:00:00'],
] as const)('%s of %s starts at %s', (interval, time, start) => {
  expect(intervalStart(at(time), INTERVALS_MS[interval])).toBe(at(start));
});

test.each([
  ['2024-02-01', 1, '2024-03-01'],
  ['2026-02-01', 1, '2026-03-01'],
  ['2026-01-01', -1, '2025-12-01'],
  ['2026-01-01', 25, '2028-02-01'],
  ['2026-03-01', -14, '2025-01-01'],
] as const)('%s and %d months is %s', (start, count, end) => {
  expect(addIntervals(at(`${start}T00:00:00`), MONTH, count)).toBe(at(`${end}T00:00:00`));
});

test('months before 1970 count as the first', () => {
  expect(addIntervals(at('1970-02-01T00:00:00'), MONTH, -100_000)).toBe(0);
});

test('the first interval from a time is its own only if it starts then', () => {
  const start = at('2026-02-01T00:00:00');
  expect(firstIntervalFrom(start, MONTH)).toBe(start);
  expect(firstIntervalFrom(start + 1, MONTH)).toBe(at('2026-03-01T00:00:00'));
});
