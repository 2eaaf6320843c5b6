import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { OrderRecord } from '../../engine/event.ts';
import type { Market } from '../../engine/markets/markets.ts';
import { type Exact, exact } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { orderText } from './records.ts';

const market = (amountDecimals: number) =>
  ({
    symbol: 'BTC/USDT',
    base: { asset: 'BTC', decimals: 13 },
    quote: { asset: 'USDT', decimals: 10 },
    rules: { priceDecimals: 2, amountDecimals },
    notional: () => -1,
  }) as unknown as Market;

function averagePrice(filledCost: Exact, filled: number, amountDecimals: number): string {
  const order = { amount: filled, remaining: 0, price: 1, filledCost, cost: 0, fees: 0 };
  const codes = { id: 1, side: 0, type: 0, timeInForce: 0, status: 1, reason: 0 };
  const rest = {
    selfTradePrevention: 0,
    postOnly: false,
    clientOrderId: null,
    triggerPrice: 0,
    attached: null,
    parentId: 0,
  };
  const times = { createdAt: 0, updatedAt: 0, lastFillAt: 0, expiresAt: 0 };
  const text = orderText(
    { ...order, ...codes, ...rest, ...times } as unknown as OrderRecord,
    market(amountDecimals),
  );
  return /"average":([^,]*)/.exec(text)![1]!;
}

test('an average is cost ÷ amount at any size, rounded half up', () => {
  const cost = fc.oneof(fc.bigInt(1n, 2n ** 53n - 1n), fc.bigInt(1n, 10n ** 30n));
  const filled = fc.oneof(
    fc.integer({ min: 1, max: 10_000 }),
    fc.integer({ min: 1, max: 2 ** 53 - 1 }),
  );
  fc.assert(
    fc.property(cost, filled, fc.integer({ min: 0, max: 10 }), (whole, amount, decimals) => {
      const base = BigInt(amount);
      const expected = (whole * 10n ** BigInt(decimals) * 2n + base) / (base * 2n);
      expect(averagePrice(exact(whole), amount, decimals)).toBe(formatUnits(exact(expected), 10));
    }),
    { numRuns: 3000 },
  );
});
