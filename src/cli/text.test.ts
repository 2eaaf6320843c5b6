import { expect, test } from 'bun:test';
import { exactNumber } from '../client/exact-number.ts';
import { accountStatus, fields, printable, table } from './text.ts';

test('columns are aligned, numbers by their decimal points', () => {
  const rows = [
    ['USDT', exactNumber('1000000.25'), 'yes'],
    ['BTC', exactNumber('-0.00000001'), null],
    ['日本', 7, ''],
    ['X', null, 'no'],
  ];
  expect(table(['ASSET', 'AMOUNT', 'NOTE'], rows).split('\n')).toEqual([
    'ASSET            AMOUNT  NOTE',
    'USDT   1000000.25        yes',
    'BTC         -0.00000001  -',
    '日本         7           -',
    'X            -           no',
  ]);
});

test.each([
  [false, false, 'active'],
  [false, true, 'closed'],
  [true, false, 'frozen'],
  [true, true, 'frozen'],
])('an account that is frozen: %p, closed: %p, is %s', (frozen, closed, status) => {
  expect(accountStatus({ frozen, closed })).toBe(status);
});

test('a table without rows shows only its headings', () => {
  expect(table(['ASSET', 'AMOUNT'], [])).toBe('ASSET  AMOUNT');
});

test('field values are aligned after their labels', () => {
  const pairs = [
    ['Asset', 'USDT'],
    ['Decimals', 8],
    ['Available', exactNumber('0.10')],
    ['Label', ''],
  ] as const;
  expect(fields(pairs)).toBe('Asset      USDT\nDecimals   8\nAvailable  0.10\nLabel      -');
});

test('characters that move the cursor, break the line or change the text direction are escaped', () => {
  expect(printable('a\u001b[2Jb')).toBe('a\\u{001b}[2Jb');
  expect(printable('a\nb\u009bc\u2028d\u202ee')).toBe('a\\u{000a}b\\u{009b}c\\u{2028}d\\u{202e}e');
  expect(table(['LABEL'], [['\u001b[31m']])).toBe('LABEL\n\\u{001b}[31m');
  expect(printable('bot ü 日本 🙂')).toBe('bot ü 日本 🙂');
});
