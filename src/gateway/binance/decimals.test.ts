import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { formatUnits } from '../../engine/numbers/units.ts';
import { toDecimals } from './decimals.ts';

test('every number has 8 decimals, and is never more than it was', () => {
  const numbers = fc.tuple(fc.nat({ max: Number.MAX_SAFE_INTEGER }), fc.nat({ max: 18 }));
  fc.assert(
    fc.property(numbers, ([units, decimals]) => {
      const text = toDecimals(formatUnits(units, decimals));
      expect(text).toMatch(/^\d+\.\d{8}$/);
      const eighths = BigInt(text.replace('.', ''));
      const exact = BigInt(units) * 10n ** 8n;
      const scale = 10n ** BigInt(decimals);
      expect(eighths).toBe(exact / scale);
    }),
  );
});
