import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../test/check.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { exact } from './exact.ts';

const value = fc.oneof(
  fc.record({ as: fc.constant('byte' as const), value: fc.nat(255) }),
  fc.record({ as: fc.constant('uint32' as const), value: fc.nat(2 ** 32 - 1) }),
  fc.record({ as: fc.constant('int32' as const), value: fc.integer() }),
  fc.record({
    as: fc.constant('number' as const),
    value: fc.oneof(fc.maxSafeInteger(), fc.double()),
  }),
  fc.record({
    as: fc.constant('exact' as const),
    value: fc.oneof(fc.bigInt(), fc.maxSafeInteger()).map(exact),
  }),
  fc.record({ as: fc.constant('text' as const), value: fc.string({ unit: 'binary' }) }),
  fc.record({ as: fc.constant('raw' as const), value: fc.uint8Array({ maxLength: 5_000 }) }),
);

test('values are read as they were written, in order', () => {
  const writer = new ByteWriter();
  const property = fc.property(fc.array(value, { maxLength: 40 }), (values) => {
    writer.reset();
    for (const { as, value } of values) writer[as](value as never);
    const reader = new ByteReader(writer.bytes());
    for (const { as, value } of values) expect(reader[as]()).toStrictEqual(value);
    expect(reader.isAtEnd).toBe(true);
  });
  check(property, 200);
});

describe('integers of any size', () => {
  test.each([
    0n,
    1n,
    -1n,
    255n,
    256n,
    2n ** 53n,
    2n ** 63n - 1n,
    2n ** 63n,
    -(2n ** 63n),
    2n ** 64n - 1n,
    2n ** 64n,
    -(2n ** 64n),
    10n ** 60n,
    -(10n ** 600n),
    10n ** 800n,
  ])('%d', (integer) => {
    const writer = new ByteWriter();
    writer.exact(exact(integer));
    expect(new ByteReader(writer.bytes()).exact()).toBe(exact(integer));
  });
});

test('text at the end of the initial buffer, with more data after it', () => {
  for (const character of ['x', 'é', '€', '𝄞']) {
    for (let remaining = 0; remaining < 20; remaining++) {
      const writer = new ByteWriter();
      writer.raw(new Uint8Array(4096 - 4 - remaining));
      writer.text(character.repeat(5));
      writer.byte(7);
      const reader = new ByteReader(writer.bytes());
      reader.raw();
      expect([reader.text(), reader.byte()]).toEqual([character.repeat(5), 7]);
    }
  }
});

test.each([
  ['byte', 7],
  ['uint32', 2 ** 32 - 1],
  ['int32', -7],
  ['number', 0.5],
  ['exact', 5],
  ['exact', 10n ** 30n],
  ['text', 'text'],
  ['raw', Uint8Array.of(1, 2, 3)],
] as const)('memory grows for a %s at its end', (as, value) => {
  for (let remaining = 0; remaining < 20; remaining++) {
    const writer = new ByteWriter(30);
    const before = new Uint8Array(30 - 4 - remaining).fill(9);
    writer.raw(before);
    writer[as](value as never);
    expect(writer.length).toBe(writer.bytes().length);
    const reader = new ByteReader(writer.bytes());
    expect([reader.raw(), reader[as](), reader.isAtEnd]).toEqual([before, value, true]);
  }
});

test('text of the maximum length, and one byte more', () => {
  const writer = new ByteWriter();
  writer.text('x'.repeat(65_535));
  expect(new ByteReader(writer.bytes()).text()).toHaveLength(65_535);
  expect(() => new ByteWriter().text('x'.repeat(65_536))).toThrow(RangeError);
  expect(() => new ByteWriter().text('é'.repeat(32_768))).toThrow(RangeError);
});

test('raw bytes are copied', () => {
  const writer = new ByteWriter();
  writer.raw(Uint8Array.of(1, 2, 3));
  const bytes = writer.bytes();
  const raw = new ByteReader(bytes).raw();
  bytes.fill(9);
  expect(raw).toEqual(Uint8Array.of(1, 2, 3));
});

test('reading beyond the end throws', () => {
  for (const read of ['byte', 'uint32', 'int32', 'number', 'exact', 'text', 'raw'] as const) {
    expect(() => new ByteReader(new Uint8Array(0))[read]()).toThrow(RangeError);
  }
  expect(() => new ByteReader(Uint8Array.of(5, 0, 1, 2)).text()).toThrow(RangeError);
});
