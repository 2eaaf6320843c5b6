import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type DecimalFault, formatUnits, nearestOnGrid, parseUnits } from './units.ts';

/** A JSON number literal, mostly within the limits. */
const literal = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,24})?([eE][+-]?\d{1,2})?$/),
  fc.stringMatching(/^-?[1-9]\d{0,5}(\.\d{1,4}0{0,4})?([eE][+-]?[0-5])?$/),
);
const decimals = fc.nat(30);

/** Returns the literal as an exact fraction, computed with bigints only. */
function exactly(text: string): { numerator: bigint; denominator: bigint } {
  const [mantissa, exponent = '0'] = text.toLowerCase().split('e');
  const [whole, fraction = ''] = mantissa!.replace('-', '').split('.');
  const power = Number(exponent) - fraction.length;
  const digits = BigInt(whole! + fraction) * (text.startsWith('-') ? -1n : 1n);
  return power >= 0
    ? { numerator: digits * 10n ** BigInt(power), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-power) };
}

function isTooLong(text: string): boolean {
  const exponent = Number(text.toLowerCase().split('e')[1] ?? 0);
  return text.length > 40 || Math.abs(exponent) > 30;
}

describe('parseUnits', () => {
  test.each<[string, number, number | bigint | DecimalFault]>([
    ['0.01', 2, 1],
    ['1e-2', 2, 1],
    ['118000.25', 2, 11_800_025],
    ['1.500', 2, 150],
    ['1.500', 1, 15],
    ['100e-2', 0, 1],
    ['1E+3', 0, 1_000],
    ['-2.5', 1, -25],
    ['-0', 2, 0],
    ['-0.00e5', 0, 0],
    ['0.000000000000000000000000000000', 2, 0],
    ['9007199254740991', 0, Number.MAX_SAFE_INTEGER],
    ['90071992547409.91', 2, Number.MAX_SAFE_INTEGER],
    ['90071992547409.92', 2, 9_007_199_254_740_992n],
    ['9007199254740993', 0, 9_007_199_254_740_993n],
    ['-9007199254740993', 0, -9_007_199_254_740_993n],
    ['123456789012.12345678', 8, 12_345_678_901_212_345_678n],
    ['123456789012345678901234567890e-29', 29, 123_456_789_012_345_678_901_234_567_890n],
    ['1.0000000000000000000000000', 2, 100],
    ['1e30', 8, 10n ** 38n],
    ['1e-30', 30, 1],
    ['0.001', 2, 'offGrid'],
    ['1e-3', 2, 'offGrid'],
    ['1.0000000000000000000000001', 2, 'offGrid'],
    ['1e31', 8, 'tooLong'],
    ['1e-31', 40, 'tooLong'],
    ['0e31', 2, 'tooLong'],
    ['1e99999999999999999999', 2, 'tooLong'],
    ['1'.repeat(40), 0, BigInt('1'.repeat(40))],
    ['1'.repeat(41), 0, 'tooLong'],
    [`1.${'0'.repeat(39)}`, 2, 'tooLong'],
    ['1e0000000000000000000000000000000000030', 0, 10n ** 30n],
  ])('%s with %i decimals', (text, places, units) => {
    expect(parseUnits(text, places)).toBe(units);
  });

  test.each(
    '|-|.|1.|.5|01|-01|00|1e|1e+|1e-|e5|+1|1.2.3|1e5.0|1e5e5|1,5|1 | 1|NaN|Infinity|0x10|1n|--1|½|١|1d5|1f5|1%5|1:0|1/0|1e:|1e/5'.split(
      '|',
    ),
  )('rejects %j as malformed', (text) => {
    expect(parseUnits(text, 2)).toBe('malformed');
  });

  test('is exact: a number up to 2^53 - 1, a bigint beyond', () => {
    fc.assert(
      fc.property(literal, decimals, (text, places) => {
        const units = parseUnits(text, places);
        if (isTooLong(text)) {
          expect(units).toBe('tooLong');
          return;
        }
        const { numerator, denominator } = exactly(text);
        const scaled = numerator * 10n ** BigInt(places);
        if (scaled % denominator !== 0n) {
          expect(units).toBe('offGrid');
          return;
        }
        const expected = scaled / denominator;
        const isSafe = Number.isSafeInteger(Number(expected));
        expect(units).toBe(isSafe ? Number(expected) : expected);
      }),
      { numRuns: 5_000 },
    );
  });

  test('accepts the same numbers as JSON.parse', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789.-+eE'), maxLength: 10 });
    const isNumber = (candidate: string) => {
      try {
        return typeof JSON.parse(candidate) === 'number';
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(text, (candidate) => {
        expect(parseUnits(candidate, 30) !== 'malformed').toBe(isNumber(candidate));
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('formatUnits', () => {
  test.each<[number | bigint, number, string]>([
    [0, 8, '0'],
    [0n, 8, '0'],
    [-0, 2, '0'],
    [1, 2, '0.01'],
    [-1, 2, '-0.01'],
    [150, 2, '1.5'],
    [100, 0, '100'],
    [12_000, 2, '120'],
    [1, 15, '0.000000000000001'],
    [1, 16, '0.0000000000000001'],
    [Number.MAX_SAFE_INTEGER, 15, '9.007199254740991'],
    [-12_345_678_901_212_345_678n, 8, '-123456789012.12345678'],
    [10n ** 38n, 8, `1${'0'.repeat(30)}`],
  ])('%p with %i decimals', (units, places, text) => {
    expect(formatUnits(units, places)).toBe(text);
  });

  test('throws for a number that has lost digits', () => {
    for (const units of [2 ** 53, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => formatUnits(units, 2)).toThrow(RangeError);
    }
  });

  test('is canonical and parses to the same units', () => {
    const units = fc.oneof(
      fc.maxSafeInteger(),
      fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
      fc.tuple(fc.integer(), fc.nat(6)).map(([digits, zeros]) => digits * 10 ** zeros),
    );
    fc.assert(
      fc.property(units, fc.nat(18), (given, places) => {
        const text = formatUnits(given, places);
        expect(text).toMatch(/^(0|-?(0|[1-9]\d*)(\.\d*[1-9])?)$/);
        expect(BigInt(parseUnits(text, places))).toBe(BigInt(given));
        expect(formatUnits(BigInt(given), places)).toBe(text);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('nearestOnGrid', () => {
  test.each<[string, number, number | bigint, string | undefined]>([
    ['0.014', 2, 1, '0.01'],
    ['0.015', 2, 1, '0.02'],
    ['118000.257', 2, 5, '118000.25'],
    ['118000.275', 2, 5, '118000.3'],
    ['5', 0, 10, '10'],
    ['4', 0, 10, '10'],
    ['14', 0, 10, '10'],
    ['-7', 2, 1, '0.01'],
    ['0', 8, 1, '0.00000001'],
    ['1e-30', 2, 25, '0.25'],
    ['1e30', 2, 3, '999999999999999999999999999999.99'],
    ['1e30', 2, 7n, '999999999999999999999999999999.98'],
    ['1e30', 12, 7, undefined],
    ['1e31', 2, 1, undefined],
    ['1'.repeat(41), 2, 1, undefined],
    ['one', 2, 1, undefined],
  ])('of %s with %i decimals in steps of %p', (text, places, multiple, nearest) => {
    expect(nearestOnGrid(text, places, multiple)).toBe(nearest!);
  });

  test('returns the nearest positive multiple', () => {
    const step = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(literal, fc.nat(12), step, (text, places, multiple) => {
        fc.pre(!isTooLong(text));
        const { numerator, denominator } = exactly(text);
        const nearest = nearestOnGrid(text, places, multiple);
        if (nearest === undefined) {
          // Too long for a literal: more than 40 characters, of which 13 may be decimals.
          expect(numerator / denominator).toBeGreaterThan(10n ** 26n);
          return;
        }
        const units = BigInt(parseUnits(nearest, places));
        expect(units % multiple).toBe(0n);
        expect(units).toBeGreaterThanOrEqual(multiple);
        // Distances are multiplied by the denominator to compare integers.
        const given = numerator * 10n ** BigInt(places);
        const distance = (other: bigint) => {
          const difference = other * denominator - given;
          return difference < 0n ? -difference : difference;
        };
        expect(distance(units)).toBeLessThan(distance(units + multiple));
        if (units > multiple) {
          expect(distance(units)).toBeLessThanOrEqual(distance(units - multiple));
        }
      }),
    );
  });
});
