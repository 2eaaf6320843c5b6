import { expect, test } from 'bun:test';
import { customPeriod } from './report-periods.ts';

test('a custom period includes its last day', () => {
  expect(customPeriod('2026-02-28', '2026-02-28')).toEqual({
    from: '2026-02-28T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
  });
});

test('a custom period needs both days, in order', () => {
  expect(() => customPeriod('', '2026-01-31')).toThrow('Choose a date.');
  expect(() => customPeriod('2026-01-31', '')).toThrow('Choose a date.');
  expect(() => customPeriod('2026-01-31', '2026-01-30')).toThrow('must not be before');
});
