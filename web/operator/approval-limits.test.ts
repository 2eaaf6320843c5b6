import { afterEach, expect, test } from 'bun:test';
import { ApiRequestError } from '../../src/client/errors.ts';
import { FieldError } from '../components/field-error.ts';
import { setCatalog } from '../i18n/catalog.ts';
import { limitRows, limitText, readLimits, toLimitError } from './approval-limits.ts';

afterEach(() => setCatalog({ language: 'en', messages: {} }));

const read = (amount: string) => readLimits([{ asset: 'USDT', amount }])[0]!.amount;

test('limits are read as other numbers are', () => {
  expect(read(' 10000 ')).toBe('10000');
  expect(read('1,000,000.50')).toBe('1000000.5');
  expect(read('007')).toBe('7');
  expect(read('0')).toBe('0');
  setCatalog({ language: 'de', messages: {} });
  expect(read('10.000,5')).toBe('10000.5');
  expect(() => read('10.000')).toThrow('10.000 is ambiguous. Enter 10000 or 10,000.');
});

test('the limits of a policy are written so that they are read as the same', () => {
  const limits = [{ asset: 'USDT', amount: '10000.25' }];
  for (const language of ['en', 'de', 'es', 'zh', 'ja']) {
    setCatalog({ language, messages: {} });
    expect(readLimits(limitRows(limits))).toEqual(limits);
  }
});

test('an error names the asset of its row', () => {
  for (const amount of ['ten', '', '-5', '1e3']) {
    const rows = [
      { asset: 'BTC', amount: '1' },
      { asset: 'USDT', amount },
    ];
    try {
      readLimits(rows);
      expect(amount).toBe('rejected');
    } catch (error) {
      expect(error).toBeInstanceOf(FieldError);
      const { field, message } = error as FieldError;
      expect([field, message]).toEqual(['limit-USDT', 'Enter an amount, such as 10000.']);
    }
  }
});

test('changes show the amount that is understood', () => {
  const rows = [
    { asset: 'USDT', amount: '010000.0' },
    { asset: 'BTC', amount: 'ten' },
  ];
  expect(['USDT', 'BTC', 'ETH'].map((asset) => limitText(rows, asset))).toEqual([
    ...['10,000 USDT', 'ten', ''],
  ]);
});

test('an error of the exchange is shown at the row that it names', () => {
  const rows = [
    { asset: 'BTC', amount: '1' },
    { asset: 'USDT', amount: '0.123456789' },
  ];
  const failed = (field: string) => {
    const message = `${field} has too many decimals. Use at most 8.`;
    const error = new ApiRequestError(400, 'INVALID_AMOUNT', message, { field }, undefined, 0);
    return [error, toLimitError(error, rows)] as const;
  };
  const [, shown] = failed('limits.1.amount');
  expect(shown).toBeInstanceOf(FieldError);
  expect(shown).toMatchObject({
    field: 'limit-USDT',
    message: 'Amount has too many decimals. Use at most 8.',
  });
  for (const field of ['limits.2.amount', 'limits', 'reason']) {
    const [error, same] = failed(field);
    expect(same).toBe(error);
  }
});
