import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../test/check.ts';
import { mix, mixExact, mixNumber, mixText } from './digest.ts';
import { exact } from './exact.ts';

const word = fc.integer();

function differs<T>(hash: (seed: number, value: T) => number, values: fc.Arbitrary<T>): void {
  const property = fc.property(word, values, values, (seed, a, b) => {
    fc.pre(a !== b);
    expect(hash(seed, a)).not.toBe(hash(seed, b));
  });
  check(property, 2_000);
}

test('another value is another hash', () => {
  differs(mixExact, fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }).map(exact));
  differs(mixNumber, fc.maxSafeInteger());
  differs(mixText, fc.string({ maxLength: 12 }));
});

test('no two words lead from a hash to the same one', () => {
  differs(mix, word);
  const property = fc.property(word, word, word, (a, b, value) => {
    fc.pre(a !== b);
    expect(mix(a, value)).not.toBe(mix(b, value));
  });
  check(property, 2_000);
});

test('every bit of an integer of any size counts', () => {
  for (const value of [0n, 10n ** 18n, 10n ** 40n, -(10n ** 40n), -1n]) {
    for (let bit = 0n; bit < 200n; bit++) {
      expect(mixExact(5, exact(value))).not.toBe(mixExact(5, exact(value ^ (1n << bit))));
    }
  }
});

test('every bit of a number counts, of its fraction too', () => {
  const bits = new BigUint64Array(1);
  const number = new Float64Array(bits.buffer);
  for (const value of [0, 1, 12_345, 1_700_000_000_000, Number.MAX_SAFE_INTEGER, -1]) {
    for (let bit = 0n; bit < 64n; bit++) {
      number[0] = value;
      bits[0]! ^= 1n << bit;
      expect(mixNumber(5, number[0]!)).not.toBe(mixNumber(5, value));
    }
  }
});
