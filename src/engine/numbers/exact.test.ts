import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../test/check.ts';
import { difference, type Exact, exact, multiple, product, quotient, sum } from './exact.ts';

const LARGEST = 2n ** 53n - 1n;

/** Mostly around the limits between number and bigint, on both sides of zero. */
const integer = fc.oneof(
  fc.bigInt({ min: -3n, max: 3n }),
  fc
    .tuple(fc.constantFrom(LARGEST, -LARGEST), fc.bigInt({ min: -3n, max: 3n }))
    .map(([a, b]) => a + b),
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
);

function expectExact(actual: Exact, expected: bigint): void {
  const isSafe = expected <= LARGEST && expected >= -LARGEST;
  expect(actual).toBe(isSafe ? Number(expected) : expected);
}

test('sums and differences are exact and normalized', () => {
  const property = fc.property(integer, integer, (a, b) => {
    expectExact(exact(a), a);
    expectExact(sum(exact(a), exact(b)), a + b);
    expectExact(difference(exact(a), exact(b)), a - b);
  });
  check(property, 2_000);
});

test('products are exact and normalized', () => {
  const factor = fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.maxSafeNat());
  const unit = fc.nat(22).map((zeros) => 10 ** zeros);
  const property = fc.property(factor, factor, unit, (a, b, unit) => {
    expectExact(product(a, b, unit), BigInt(a) * BigInt(b) * BigInt(unit));
  });
  check(property, 2_000);
});

test('multiples and quotients are exact and normalized', () => {
  const unit = fc.nat(22).map((zeros) => 10 ** zeros);
  const property = fc.property(integer, unit, (a, unit) => {
    expectExact(multiple(exact(a), unit), a * BigInt(unit));
    const amount = a < 0n ? -a : a;
    expectExact(quotient(exact(amount), unit), amount / BigInt(unit));
  });
  check(property, 2_000);
});

test('values at the limit between number and bigint', () => {
  const last = Number(LARGEST);
  expectExact(sum(last, 1), LARGEST + 1n);
  expectExact(sum(last - 1, 1), LARGEST);
  expectExact(sum(1 - last, -1), -LARGEST);
  expectExact(sum(-last, -1), -LARGEST - 1n);
  expectExact(difference(last - 1, -1), LARGEST);
  expectExact(difference(last, -1), LARGEST + 1n);
  expectExact(difference(1 - last, 1), -LARGEST);
  expectExact(difference(-last, 1), -LARGEST - 1n);
  expectExact(sum(LARGEST + 1n, -1), LARGEST);
  expectExact(product(last, 1, 1), LARGEST);
  expectExact(product(2 ** 52, 2, 1), LARGEST + 1n);
});
