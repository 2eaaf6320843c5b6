import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { decimalText } from './decimals.ts';

test('every number has 8 decimals, and is never more than it was', () => {
  const units = fc.oneof(
    fc.nat({ max: Number.MAX_SAFE_INTEGER }),
    fc.nat({ max: 1000 }),
    fc.bigInt({ min: 0n, max: 10n ** 30n }),
    fc
      .tuple(fc.nat({ max: 900 }), fc.nat({ max: 13 }))
      .map(([digits, zeros]) => digits * 10 ** zeros),
  );
  const numbers = fc.tuple(units, fc.nat({ max: 18 }));
  fc.assert(
    fc.property(numbers, ([units, decimals]) => {
      const text = decimalText(units, decimals);
      expect(text).toMatch(/^\d+\.\d{8}$/);
      const eighths = BigInt(text.replace('.', ''));
      const exact = BigInt(units) * 10n ** 8n;
      const scale = 10n ** BigInt(decimals);
      expect(eighths).toBe(exact / scale);
    }),
  );
});

test('a change of a balance may be negative', () => {
  expect(decimalText(-5, 2)).toBe('-0.05000000');
  expect(decimalText(-(10n ** 20n) - 1n, 10)).toBe('-10000000000.00000000');
});
