import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  exact,
  multiply,
  rounded,
  subtract,
  toFixedText,
  toGrid,
  toText,
  ungrouped,
} from '../../web/decimal.ts';
import { compact, fixed, grouped, percent, rate, shortTime, timeOfDay } from '../../web/format.ts';
import { check } from '../check.ts';

const decimals = fc.record({
  units: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  scale: fc.integer({ min: 0, max: 20 }),
});

/** Returns the value in units of 10^-40. */
const units = ({ units: value, scale }: Decimal) => value * 10n ** BigInt(40 - scale);

test.each([
  ['1,234', '1234'],
  ['12,345,678.9', '12345678.9'],
  ['1,234.', '1234.'],
  ['0,5', '0,5'],
  ['0,500', '0,500'],
  ['1,5', '1,5'],
  ['1,2345', '1,2345'],
  ['1234,567', '1234,567'],
  ['1.234,5', '1.234,5'],
  ['1,234,5', '1,234,5'],
  ['1.000,000', '1.000,000'],
])('removes only commas that group thousands: %s', (typed, read) => {
  expect(ungrouped(typed)).toBe(read);
  expect(decimal(read) === undefined).toBe(read.includes(','));
});

test('a short time is the time today, else the date', () => {
  const now = new Date(2026, 0, 5, 14, 5, 9);
  const then = now.toISOString();
  expect(shortTime(then, now)).toBe(timeOfDay(then));
  expect(shortTime(then, new Date(2026, 0, 6, 0, 0, 0))).toBe('05 Jan 2026');
});

describe('exact decimals', () => {
  test('round-trip through text', () => {
    check(
      fc.property(decimals, (value) => {
        expect(compare(exact(toText(value)), value)).toBe(0);
        expect(compare(exact(toFixedText(value)), value)).toBe(0);
      }),
      200,
    );
  });

  test('add, subtract, multiply and compare like integers', () => {
    check(
      fc.property(decimals, decimals, (a, b) => {
        expect(units(add(a, b))).toBe(units(a) + units(b));
        expect(units(subtract(a, b))).toBe(units(a) - units(b));
        expect(multiply(a, b).units * 10n ** BigInt(80 - a.scale - b.scale)).toBe(
          units(a) * units(b),
        );
        expect(compare(a, b)).toBe(units(a) < units(b) ? -1 : Number(units(a) > units(b)));
      }),
      200,
    );
  });

  test('divide rounds down to the largest value that fits and up to the smallest that suffices', () => {
    const positive = decimals.filter((value) => value.units > 0n);
    check(
      fc.property(positive, positive, fc.integer({ min: 0, max: 12 }), (a, b, scale) => {
        const down = divide(a, b, scale, 'down');
        const step = { units: 1n, scale };
        expect(compare(multiply(down, b), a)).toBeLessThanOrEqual(0);
        expect(compare(multiply(add(down, step), b), a)).toBe(1);
        const up = divide(a, b, scale, 'up');
        expect(compare(multiply(up, b), a)).toBeGreaterThanOrEqual(0);
        expect(compare(multiply(subtract(up, step), b), a)).toBe(-1);
      }),
      200,
    );
  });

  test.each([
    ['0.015', '0.01', 'down', '0.01'],
    ['0.015', '0.01', 'half', '0.02'],
    ['-0.015', '0.01', 'half', '-0.02'],
    ['0.011', '0.01', 'up', '0.02'],
    ['7', '2.5', 'down', '5'],
    ['0.03', '0.01', 'up', '0.03'],
  ] as const)('%s to a multiple of %s, rounded %s: %s', (value, step, rounding, wanted) => {
    expect(toText(toGrid(exact(value), exact(step), rounding))).toBe(wanted);
  });

  test.each(['', '.', '1e3', '1,000', '+1', '--1', '0x1', ' 1', 'NaN', '1'.repeat(41)])(
    '%p is not a decimal',
    (text) => {
      expect(decimal(text)).toBeUndefined();
    },
  );

  test('parses numbers as users type them', () => {
    expect(toText(exact('.5'))).toBe('0.5');
    expect(toText(exact('5.'))).toBe('5');
    expect(toText(exact('007.50'))).toBe('7.5');
    expect(toFixedText(rounded(exact('1.005'), 2, 'half'))).toBe('1.01');
  });
});

test.each([
  ['1234567.8901', '1,234,567.8901'],
  ['-1000', '-1,000'],
  ['123456789012345678901234567890.12345678', '123,456,789,012,345,678,901,234,567,890.12345678'],
  ['0.00000001', '0.00000001'],
])('groups %s as %s', (text, wanted) => {
  expect(grouped(text)).toBe(wanted);
});

test('formats numbers for display', () => {
  expect(compact('1234567.8')).toBe('1.23M');
  expect(compact('0.12345')).toBe('0.1235');
  expect(compact('999')).toBe('999.00');
  expect(percent('2.5')).toBe('+2.50%');
  expect(percent('-0.004')).toBe('0.00%');
  expect(percent('-12.345')).toBe('−12.35%');
  expect(rate('0.0008')).toBe('0.08%');
  // A balance never looks larger than it is.
  expect(fixed('0.019', 2)).toBe('0.01');
});
