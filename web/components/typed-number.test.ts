import { afterEach, describe, expect, test } from 'bun:test';
import { decimal } from '../decimal.ts';
import { setCatalog } from '../i18n/catalog.ts';
import {
  groupTyped,
  localNumber,
  maxDecimals,
  notNumber,
  padDecimals,
  parseNumber,
  plainNumber,
  toPercentText,
} from './typed-number.ts';

afterEach(() => setCatalog({ language: 'en', messages: {} }));

const use = (language: string) => setCatalog({ language, messages: {} });
const read = (typed: string) => decimal(plainNumber(typed))?.toFixed();

describe.each(['en', 'en-XA', 'zh', 'ja'])('%s: the decimal separator is a point', (language) => {
  test.each([
    ['0.05', '0.05'],
    ['.5', '0.5'],
    ['1.234', '1.234'],
    ['118,173.52', '118173.52'],
    ['1,234.', '1234'],
    ['12,345,678', '12345678'],
    ['-1,234.5', '-1234.5'],
    ['１２．５', '12.5'],
    ['1,234', undefined],
    ['0,5', undefined],
    ['0,500', undefined],
    ['1,2345', undefined],
    ['1234,567', undefined],
    ['1.234,5', undefined],
    ['1,234,5', undefined],
    ['1.000,000', undefined],
    ['1.2.3', undefined],
    ['1e3', undefined],
    ['', undefined],
  ])('%s is %p', (typed, value) => {
    use(language);
    expect(read(typed)).toBe(value);
    expect(localNumber('0.05')).toBe('0.05');
  });
});

describe.each(['de', 'es'])('%s: the decimal separator is a comma', (language) => {
  test.each([
    ['0,05', '0.05'],
    [',5', '0.5'],
    ['1,234', '1.234'],
    ['118.173,52', '118173.52'],
    ['12.345.678', '12345678'],
    ['1234,567', '1234.567'],
    // Copied from a place that has points.
    ['0.05', '0.05'],
    ['118173.52', '118173.52'],
    ['1.234', undefined],
    ['118,173.52', undefined],
    ['1,2,3', undefined],
    ['1.2.3', undefined],
    ['1.234.5', undefined],
  ])('%s is %p', (typed, value) => {
    use(language);
    expect(read(typed)).toBe(value);
    expect(localNumber('0.05')).toBe('0,05');
    expect(toPercentText('0.0015')).toBe('0,15');
  });
});

test('what is written for the user is read as the same number', () => {
  for (const language of ['en', 'de', 'es', 'zh', 'ja']) {
    use(language);
    for (const plain of ['1.234', '1234', '0.001', '118173.52', '999.999', '-0.5'])
      expect(read(localNumber(plain))).toBe(plain);
  }
});

test('an error says which numbers an ambiguous text could be', () => {
  const fault = (typed: string) => notNumber(plainNumber(typed), 'Enter a number.');
  expect(fault('1,234')).toBe('1,234 is ambiguous. Enter 1234 or 1.234.');
  expect(fault('0,5')).toBe('Use a decimal point, not a comma.');
  expect(fault('x')).toBe('Enter a number.');
  expect(() => parseNumber('1,234', 'amount')).toThrow('ambiguous');
  use('de');
  expect(fault('1.234')).toBe('1.234 is ambiguous. Enter 1234 or 1,234.');
  expect(fault('1.234.5')).toBe('Enter a number.');
  expect(() => parseNumber('x', 'amount')).toThrow('Enter a number, such as 0,015.');
  expect(parseNumber(' 1.234,5 ', 'amount')).toBe('1234.5');
});

test.each([
  ['en', '0.06', '0.060'],
  ['en', '0', '0.000'],
  ['en', '0.1250', '0.125'],
  ['en', '0.00005', '0.00005'],
  ['en', 'a tenth', 'a tenth'],
  ['en', '', ''],
  ['de', '0,06', '0,060'],
])('%s: %p has three decimals', (language, typed, padded) => {
  use(language);
  expect(padDecimals(typed, 3)).toBe(padded);
});

test('the decimals of typed numbers are counted without zeros that have no meaning', () => {
  expect(maxDecimals(['0.06', '0.1250', 'a tenth', ''])).toBe(3);
  expect(maxDecimals([])).toBe(0);
});

test.each([
  ['119788.70', '119,788.70'],
  ['1,234,567.5', '1,234,567.5'],
  ['0.00001234', '0.00001234'],
  ['5.', '5'],
  ['', ''],
  // One thousand or a decimal comma: shown as typed.
  ['1,234', '1,234'],
  ['12..5', '12..5'],
])('%p is shown as %p', (typed, shown) => {
  expect(groupTyped(typed)).toBe(shown);
});
