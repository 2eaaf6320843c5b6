import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { exactNumber, isExactNumber, numberText } from './exact-number.ts';
import { readJson } from './json.ts';

const digits = (min: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},30}$`));
const literal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.stringMatching(/^(0|[1-9][0-9]{0,30})$/),
    fc.option(digits(1)),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e-', 'E+'), digits(1))),
  )
  .map(([sign, whole, fraction, exponent]) =>
    [sign, whole, fraction === null ? '' : `.${fraction}`, ...(exponent ?? [])].join(''),
  );

test('a number keeps its digits when read and written', () => {
  fc.assert(
    fc.property(literal, (text) => {
      const number = exactNumber(text);
      expect(numberText(number)).toBe(text);
      expect(JSON.stringify({ amount: number })).toBe(`{"amount":${text}}`);
      const parsed = readJson(text, exactNumber);
      expect(isExactNumber(parsed)).toBe(true);
      expect(JSON.stringify(parsed)).toBe(text);
    }),
  );
});

test('a document round-trips with exact numbers', () => {
  const text = '{"a":[1.10,null,true,"1.10"],"b":{"c":-0,"d":123456789012.12345678}}';
  const parsed = readJson(text, exactNumber) as { a: unknown[] };
  expect(JSON.stringify(parsed)).toBe(text);
  expect(parsed.a.map(isExactNumber)).toEqual([true, false, false, false]);
});

test.each(['', ' 1', '1 ', '.5', '1.', '+1', '01', '-', '1e', '0x10', '1_000', '1,5', 'NaN', '１'])(
  'rejects %p',
  (text) => {
    expect(() => exactNumber(text)).toThrow(RangeError);
  },
);
