import { expect, test } from 'bun:test';
import { zoneText } from '../format.ts';
import { readDate, readEnd, readFullDate, readTime, toIsoTime, zoneName } from './time-text.ts';

test('dates are read, and days that do not exist are not', () => {
  expect(readDate('2026-1-5')).toBe('2026-01-05');
  expect(readDate(' 2028-02-29 ')).toBe('2028-02-29');
  for (const text of [
    '2026-02-29',
    '2026-13-01',
    '0050-01-01',
    '31.01.2026',
    '01/31/2026',
    '2026-01',
    '',
  ]) {
    expect([text, readDate(text)]).toEqual([text, undefined]);
  }
});

test('a date is not read before it is typed in full', () => {
  expect(['2026-01-3', '2026-1-31', '2026-01-31', '2026-02-30'].map(readFullDate)).toEqual([
    ...[undefined, undefined, '2026-01-31', undefined],
  ]);
});

test('a period until a date has all of that day', () => {
  expect(readEnd('2026-1-31')).toBe('2026-01-31');
  expect(readEnd('2026-01-31 9:05')).toBe('2026-01-31 09:05');
  expect(readEnd('2026-02-30')).toBeUndefined();
  expect(toIsoTime('2026-01-31', true, readEnd)).toBe('2026-01-31T23:59:59.999Z');
  expect(toIsoTime('2026-01-31 14:05', true, readEnd)).toBe('2026-01-31T14:05:00.000Z');
  expect(toIsoTime('2026-01-31', true)).toBe('2026-01-31T00:00:00.000Z');
  const local = new Date(2026, 0, 31, 23, 59, 59, 999);
  expect(toIsoTime('2026-01-31', false, readEnd)).toBe(local.toISOString());
});

test('times are read in 24 hours, with and without a time of day', () => {
  expect(readTime('2026-01-31 9:05')).toBe('2026-01-31 09:05');
  expect(readTime('2026-01-31T23:59')).toBe('2026-01-31 23:59');
  expect(readTime('2026-01-31')).toBe('2026-01-31 00:00');
  for (const text of ['2026-01-31 24:00', '2026-01-31 9:60', '2026-02-30 10:00', '9:05', 'now']) {
    expect([text, readTime(text)]).toEqual([text, undefined]);
  }
});

test('times are in the time zone of the chosen clock', () => {
  expect(toIsoTime('2026-01-31 14:05', true)).toBe('2026-01-31T14:05:00.000Z');
  expect(toIsoTime('2026-01-31 14:05', false)).toBe(new Date(2026, 0, 31, 14, 5).toISOString());
  expect(toIsoTime(' ', true)).toBe('');
  expect(toIsoTime('yesterday', true)).toBeUndefined();
});

test('time zones are named by their distance from UTC', () => {
  expect([0, 60, 330, -180, -570].map(zoneText)).toEqual([
    ...['UTC', 'UTC+1', 'UTC+5:30', 'UTC−3', 'UTC−9:30'],
  ]);
});

test('names of time zones are shown without underscores', () => {
  expect(['UTC', 'Europe/Berlin', 'America/Port_of_Spain'].map(zoneName)).toEqual([
    ...['UTC', 'Europe/Berlin', 'America/Port of Spain'],
  ]);
});
