import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { HistoryDamagedError } from '../errors.ts';
import { check, checksumRow, writeRow } from './checksum.ts';
import type { Row, Table, Value } from './database.ts';

type Things = readonly [number, string, number, string];

const table: Table<Things> = {
  name: 'things',
  columns: [
    { name: 'one', type: 'BIGINT' },
    { name: 'text', type: 'TEXT' },
    { name: 'two', type: 'BIGINT' },
    { name: 'other', type: 'TEXT' },
  ],
  write(thing, values, at) {
    for (const [index, value] of thing.entries()) values[at + index] = value;
  },
};

const numbers = fc.maxSafeInteger();
const things: fc.Arbitrary<Things> = fc.tuple(numbers, fc.string(), numbers, fc.string());

function toRow(thing: Things): Row {
  const values: Value[] = [];
  writeRow(table, thing, values, 0);
  const names = [...table.columns.map((column) => column.name), 'checksum'];
  return Object.fromEntries(names.map((name, index) => [name, values[index]!]));
}

test('a row passes as it was written, even if the database returns numbers as text', () => {
  fc.assert(
    fc.property(things, (thing) => {
      const row = toRow(thing);
      check(table, row, false);
      check(
        table,
        { ...row, one: `${row.one}`, two: `${row.two}`, checksum: `${row.checksum}` },
        false,
      );
      expect(Number.isSafeInteger(row.checksum)).toBe(true);
      expect(row.checksum).toBeGreaterThan(0);
    }),
  );
});

test('every change within 32 bits of a number, or of one character, is detected', () => {
  const bit = fc.nat(52);
  fc.assert(
    fc.property(things, bit, (thing, place) => {
      const flipped = Number(BigInt.asIntN(54, BigInt(thing[0]) ^ (1n << BigInt(place))));
      fc.pre(Number.isSafeInteger(flipped));
      const damaged = { ...toRow(thing), one: flipped };
      expect(() => check(table, damaged, false)).toThrow(HistoryDamagedError);
    }),
  );
  fc.assert(
    fc.property(things, fc.nat(), bit, (thing, at, place) => {
      const [, text] = thing;
      fc.pre(text.length > 0);
      const index = at % text.length;
      const code = text.charCodeAt(index) ^ (1 << (place % 16));
      const damaged = text.slice(0, index) + String.fromCharCode(code) + text.slice(index + 1);
      expect(() => check(table, { ...toRow(thing), text: damaged }, false)).toThrow('table things');
    }),
  );
});

test('swapped, truncated and mistyped values are detected', () => {
  const thing: Things = [1, 'abc', 2, ''];
  const row = toRow(thing);
  const changes: Record<string, unknown>[] = [
    { one: 2, two: 1 },
    { text: '', other: 'abc' },
    { text: 'ab' },
    { text: 'abc\0' },
    { one: null },
    { one: 1.5 },
    { one: 'x' },
    { text: 5 },
    { text: null },
    { other: undefined },
    { checksum: 0 },
    { checksum: null },
  ];
  for (const change of changes) {
    const damaged = { ...row, ...change } as Row;
    expect(() => check(table, damaged, false)).toThrow(HistoryDamagedError);
  }
});

test('rows without a checksum pass only if an earlier release may have written them', () => {
  const row = { ...toRow([1, 'a', 2, 'b']), checksum: 0 };
  check(table, row, true);
  expect(() => check(table, row, false)).toThrow(HistoryDamagedError);
  expect(() => check(table, { ...row, checksum: 1 }, true)).toThrow(HistoryDamagedError);
});

test('the checksum of a row never changes, because databases store it', () => {
  expect(checksumRow([0, '0'.repeat(64)], 0, 2)).toBe(3_784_533_076_779_039);
});
