import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { NUMBER_FIELDS } from './api/records.ts';
import { readJson, writeJson } from './json.ts';

const everyField = () => true;
const noField = () => false;

test('reads and writes any JSON like JSON.parse and JSON.stringify', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 1), (compact, indent) => {
      const text = JSON.stringify(JSON.parse(compact), null, indent);
      expect(readJson(text, Number)).toEqual(JSON.parse(text));
      expect(writeJson(JSON.parse(text), noField)).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test('passes the digits and the field name of each number', () => {
  const seen: string[] = [];
  const text = '{"a":[1.10,"2"],"b": {"n1":-0, "c" : 123456789012.12345678}}';
  readJson(text, (digits, field) => seen.push(`${field} ${digits}`));
  expect(seen).toEqual(['0 1.10', 'n1 -0', 'c 123456789012.12345678']);
});

test('writes texts of number fields as numbers with the same digits', () => {
  const order = {
    symbol: '1',
    amount: '0.10',
    price: 1.5,
    note: undefined,
    parts: [{ amount: '7' }],
  };
  expect(writeJson(order, (field) => field === 'amount')).toBe(
    '{"symbol":"1","amount":0.10,"price":1.5,"parts":[{"amount":7}]}',
  );
});

test.each(['', '1,5', '01', '1}', '"', 'NaN', '１', '1\n'])(
  '%p is not written as a number',
  (text) => {
    expect(() => writeJson({ amount: text }, everyField)).toThrow(RangeError);
  },
);

test.each([Number.NaN, Infinity])('rejects %p, which JSON.stringify writes as null', (number) => {
  expect(() => writeJson({ amount: number }, noField)).toThrow('amount is');
});

test.each(['{"a":1', '["1,2]', '[01]', '[1 2]', '[-]', '{a:1}', '"\n"', '{1:2}', ''])(
  'rejects %p as JSON',
  (text) => {
    expect(() => readJson(text, Number)).toThrow(SyntaxError);
  },
);

test('a status is sent as a text: that of a market is one, that of a fault is a number', () => {
  const isNumber = (field: string) => NUMBER_FIELDS.has(field);
  expect(writeJson({ status: 'halted' }, isNumber)).toBe('{"status":"halted"}');
  expect(writeJson({ status: 503 }, isNumber)).toBe('{"status":503}');
});
