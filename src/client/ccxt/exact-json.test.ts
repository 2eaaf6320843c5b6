import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseQuotingNumbers, requestBody } from './exact-json.ts';

test('converts numbers anywhere to texts of their digits', () => {
  const text =
    '{"a": [1, -0.10,123456789012.12345678 ,1e-9],"b":{"c":-1.5E+3},"d":0,"e":null,"f":true}';
  expect(parseQuotingNumbers(text)).toEqual({
    a: ['1', '-0.10', '123456789012.12345678', '1e-9'],
    b: { c: '-1.5E+3' },
    d: '0',
    e: null,
    f: true,
  });
  expect(parseQuotingNumbers(' 12.50 ')).toBe('12.50');
});

test('leaves texts unchanged', () => {
  const value = { 'key: 1,': 'say \\"1\\": 2, [3]', '4': '\\', u: '\u2028 5 "6"', e: '' };
  expect(parseQuotingNumbers(JSON.stringify(value))).toEqual(value);
  expect(parseQuotingNumbers('"\\u0031\\\\"')).toBe('1\\');
});

test.each([
  '',
  '{',
  '{"a":}',
  '<html>',
  '{"a":01}',
  '{"a":1.}',
  '{"a":.5}',
  '{"a":+1}',
  '{"a":NaN}',
  '[1 2]',
  '1-1',
])('rejects %p', (text) => {
  expect(() => parseQuotingNumbers(text)).toThrow(SyntaxError);
});

test('parses JSON like JSON.parse, except numbers', () => {
  const quoted = (value: unknown): unknown => {
    if (typeof value === 'number') return JSON.stringify(value);
    if (Array.isArray(value)) return value.map(quoted);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, quoted(part)]));
  };
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseQuotingNumbers(text)).toEqual(quoted(JSON.parse(text)));
    }),
  );
});

test('requests keep the given digits', () => {
  const body = {
    amount: '123456789.12345678',
    price: 0.1,
    orders: [{ cost: '1e-7', triggerPrice: '-2', price: 1e21 }],
    takeProfit: { price: '45000.10' },
    clientOrderId: '17',
    timeout: 60,
    postOnly: true,
    none: undefined,
    symbol: null,
  };
  expect(requestBody(body)).toBe(
    '{"amount":123456789.12345678,"price":0.1,' +
      '"orders":[{"cost":1e-7,"triggerPrice":-2,"price":1e+21}],"takeProfit":{"price":45000.10},' +
      '"clientOrderId":"17","timeout":60,"postOnly":true,"symbol":null}',
  );
});

test('sends texts that are not numbers as texts, for the exchange to reject', () => {
  const body = {
    amount: 'all',
    price: Number.NaN,
    cost: '01',
    triggerPrice: ' 1',
    timeout: Infinity,
  };
  expect(requestBody(body)).toBe(
    '{"amount":"all","price":"NaN","cost":"01","triggerPrice":" 1","timeout":"Infinity"}',
  );
});
