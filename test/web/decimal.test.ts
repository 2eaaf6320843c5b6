import { describe, expect, test } from 'bun:test';
import Big from 'big.js';
import fc from 'fast-check';
import { decimal, divide, fromUnits, toGrid } from '../../web/decimal.ts';
import {
  amountText,
  balanceText,
  changeTone,
  compact,
  countBalanceDecimals,
  fixed,
  grouped,
  percent,
  rate,
  recentTime,
  rounded,
  shortTime,
  timeOfDay,
  usefulDecimals,
} from '../../web/format.ts';
import { check } from '../check.ts';

const decimals = fc
  .record({
    units: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
    scale: fc.integer({ min: 0, max: 20 }),
  })
  .map(({ units: value, scale }) => fromUnits(value, scale));

/** Returns the value in units of 10^-places. */
const units = (value: Big, places = 40) => BigInt(value.toFixed(places).replace('.', ''));

test('a short time is the time today, else the date', () => {
  const now = new Date(2026, 0, 5, 14, 5, 9);
  const then = now.toISOString();
  expect(shortTime(then, now)).toBe(timeOfDay(then));
  expect(shortTime(then, new Date(2026, 0, 6, 0, 0, 0))).toBe('05 Jan 2026');
});

describe('exact decimals', () => {
  test('round-trip through text', () => {
    check(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.integer({ min: 0, max: 20 }),
        (value, scale) => {
          const text = fromUnits(value, scale).toFixed();
          expect(text).not.toMatch(/e|\.\d*0$/);
          expect(units(new Big(text))).toBe(value * 10n ** BigInt(40 - scale));
        },
      ),
      200,
    );
  });

  test('add, subtract, multiply and compare like integers', () => {
    check(
      fc.property(decimals, decimals, (a, b) => {
        expect(units(a.plus(b))).toBe(units(a) + units(b));
        expect(units(a.minus(b))).toBe(units(a) - units(b));
        expect(units(a.times(b), 80)).toBe(units(a) * units(b));
        expect(a.cmp(b)).toBe(units(a) < units(b) ? -1 : units(a) > units(b) ? 1 : 0);
      }),
      200,
    );
  });

  test('divide rounds down to the largest value that fits and up to the smallest that suffices', () => {
    const positive = decimals.filter((value) => value.gt(0));
    check(
      fc.property(positive, positive, fc.integer({ min: 0, max: 12 }), (a, b, places) => {
        const down = divide(a, b, places, Big.roundDown);
        const step = fromUnits(1n, places);
        expect(down.times(b).lte(a)).toBe(true);
        expect(down.plus(step).times(b).gt(a)).toBe(true);
        const up = divide(a, b, places, Big.roundUp);
        expect(up.times(b).gte(a)).toBe(true);
        expect(up.minus(step).times(b).lt(a)).toBe(true);
      }),
      200,
    );
  });

  test.each([
    ['0.015', '0.01', 'roundDown', '0.01'],
    ['0.015', '0.01', 'roundHalfUp', '0.02'],
    ['-0.015', '0.01', 'roundHalfUp', '-0.02'],
    ['0.011', '0.01', 'roundUp', '0.02'],
    ['7', '2.5', 'roundDown', '5'],
    ['0.03', '0.01', 'roundUp', '0.03'],
  ] as const)('%s to a multiple of %s, %s: %s', (value, step, rounding, wanted) => {
    expect(toGrid(new Big(value), new Big(step), Big[rounding]).toFixed()).toBe(wanted);
  });

  test.each(['', '.', '1e3', '1,000', '+1', '--1', '0x1', ' 1', 'NaN', '1'.repeat(41)])(
    '%p is not a decimal',
    (text) => {
      expect(decimal(text)).toBeUndefined();
    },
  );

  test('parses numbers as users type them', () => {
    expect(decimal('.5')?.toFixed()).toBe('0.5');
    expect(decimal('-.5')?.toFixed()).toBe('-0.5');
    expect(decimal('5.')?.toFixed()).toBe('5');
    expect(decimal('007.50')?.toFixed()).toBe('7.5');
  });
});

test.each([
  ['1234567.8901', '1,234,567.8901'],
  ['-1000', '-1,000'],
  ['123456789012345678901234567890.12345678', '123,456,789,012,345,678,901,234,567,890.12345678'],
  ['0.00000001', '0.00000001'],
  ['1000.50', '1,000.50'],
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
  expect(compact('999999.9')).toBe('1.00M');
  expect(rounded('1.005', 2)).toBe('1.01');
  expect(rounded('-0.004', 2)).toBe('0.00');
  expect(changeTone('-0.004')).toBe('');
  expect(changeTone('-0.005')).toBe('sell');
  expect(rate('0.0008')).toBe('0.08%');
  // A balance never looks larger than it is.
  expect(fixed('0.019', 2)).toBe('0.01');
});

test('a time in a list has the day if it was on another one, and the year if that is far', () => {
  const then = new Date(2026, 0, 5, 14, 5, 9).toISOString();
  expect(recentTime(then, new Date(2026, 0, 5, 20, 0, 0))).toBe('14:05:09');
  expect(recentTime(then, new Date(2026, 0, 6, 0, 0, 0))).toBe('05 Jan, 14:05');
  expect(recentTime(then, new Date(2026, 9, 5, 0, 0, 0))).toBe('05 Jan 2026');
});

test.each([
  ['1234.56789', 2],
  ['975066.2016459854', 2],
  ['12.345678', 4],
  ['0.0120', 3],
  ['0.0000123456', 8],
  ['-0.5', 1],
  ['5.00', 0],
  ['0', 0],
] as const)('%s is of use to %d decimals', (text, decimals) => {
  expect(usefulDecimals(text)).toBe(decimals);
});

test.each([
  ['all digits without trailing zeros', '102.44950000', '102.4495'],
  ['a whole number without decimals', '400', '400'],
  ['eight decimals', '1.23456789', '1.23456789'],
  ['at most ten digits, rounded down', '993971.78873008', '993,971.7887'],
  ['at least four decimals', '12345678.12349', '12,345,678.1234'],
  ['never zero for some', '0.000000001', '<0.00000001'],
  ['zero', '0', '0'],
  ['zero with decimals', '0.00', '0'],
])('a balance is shown with %s', (_, amount, text) => {
  expect(balanceText(amount)).toBe(text);
});

test('balances of a column have equally many decimals, rounded down', () => {
  const amounts = ['102.44951', '0.5', '0', '0.000000001', '993971.78873008'];
  const decimals = Math.max(...amounts.map(countBalanceDecimals));
  expect(decimals).toBe(5);
  expect(amounts.map((amount) => balanceText(amount, decimals))).toEqual([
    '102.44951',
    '0.50000',
    '0.00000',
    '<0.00000001',
    '993,971.78873',
  ]);
});

test('amounts that are too long for their column are shortened', () => {
  expect(amountText(new Big('1234567'), 0, 9)).toBe('1,234,567');
  expect(amountText(new Big('12345678'), 0, 9)).toBe('12.35M');
  expect(amountText(new Big('0.123456'), 5, 8)).toBe('0.12346');
});
