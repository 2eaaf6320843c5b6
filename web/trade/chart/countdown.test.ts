import { expect, test } from 'bun:test';
import { closingTime, countdownText, padToPrice } from './countdown.ts';
import type { Interval } from './settings.ts';

test.each([
  ['2026-01-31T10:15:00Z', '15m', '2026-01-31T10:30:00Z'],
  ['2026-01-31T08:00:00Z', '4h', '2026-01-31T12:00:00Z'],
  ['2026-01-31T00:00:00Z', '3d', '2026-02-03T00:00:00Z'],
  ['2026-01-26T00:00:00Z', '1w', '2026-02-02T00:00:00Z'],
  ['2026-12-01T00:00:00Z', '1M', '2027-01-01T00:00:00Z'],
])('a candle of %s with interval %s closes at %s', (start, interval, close) => {
  const seconds = (text: string) => Date.parse(text) / 1000;
  expect(closingTime(seconds(start), interval as Interval)).toBe(seconds(close));
});

test('the time that is left is short', () => {
  const texts = [-1, 0, 5, 605, 3600, 45_296, 2 * 86_400 + 3 * 3600 + 59].map(countdownText);
  expect(texts).toEqual(['', '', '00:05', '10:05', '1:00:00', '12:34:56', '2d 3h']);
});

test('the time is in the middle of a text as wide as the price', () => {
  const [digit, point] = ['\u2007', '\u2008'];
  expect(padToPrice('08:00', '119,721.81')).toBe(`${digit}${digit}08:00${point}${digit}${digit}`);
  expect(padToPrice('12:34:56', '0.5000')).toBe('12:34:56');
});
