import { describe, expect, test } from 'bun:test';
import Big from 'big.js';
import fc from 'fast-check';
import { groupPrice } from '../book-view.ts';
import {
  ClickGuard,
  centeredTop,
  findRow,
  isInMiddle,
  ladderAmounts,
  quickSizes,
  rowPrice,
  scrolledTop,
} from './ladder-rows.ts';

const scale = { price: 0, amount: 0 };
const range = fc.record({
  top: fc.bigInt({ min: 1n, max: 60n }),
  step: fc.constantFrom(1n, 10n, 100n),
  count: fc.integer({ min: 1, max: 20 }),
});
const levels = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 600 }), fc.nat(50)), {
  selector: ([price]) => price,
});

describe('rows of a ladder', () => {
  test('each row has the amounts of the prices that the book groups at its price', () => {
    fc.assert(
      fc.property(range, levels, fc.constantFrom('bid', 'ask'), (shape, found, side) => {
        const shown = { ...shape, top: shape.top * shape.step };
        const best = [...found].sort(([a], [b]) => (side === 'bid' ? b - a : a - b));
        const amounts = ladderAmounts(
          best.map(([price, amount]) => [`${price}`, `${amount}`] as const),
          side,
          shown,
          scale,
        );
        const naive = Array.from({ length: shown.count }, (_, row) =>
          best
            .filter(
              ([price]) => groupPrice(BigInt(price), side, shown.step) === rowPrice(shown, row),
            )
            .reduce((sum, [, amount]) => sum + BigInt(amount), 0n),
        );
        // Rows below the lowest price have none; bids below one step are grouped at 0.
        amounts.forEach((amount, row) => {
          if (rowPrice(shown, row) !== undefined) expect(amount).toBe(naive[row]!);
        });
        expect(amounts).toHaveLength(shown.count);
      }),
    );
  });

  test('prices descend by a step, and each is found in its row', () => {
    fc.assert(
      fc.property(range, (shape) => {
        const shown = { ...shape, top: shape.top * shape.step };
        for (let row = 0; row < shown.count; row++) {
          const price = rowPrice(shown, row);
          if (price === undefined) return;
          expect(price).toBe(shown.top - BigInt(row) * shown.step);
          expect(findRow(shown, price)).toBe(row);
        }
      }),
    );
  });
});

describe('position of a ladder', () => {
  test('a centered price is in the middle half, and stays there while it moves less than a quarter', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 1000n }),
        fc.integer({ min: 4, max: 60 }),
        (last, count) => {
          const top = centeredTop(last, 1n, count);
          expect(findRow({ top, step: 1n, count }, last)).toBe(Math.floor(count / 2));
          for (let row = -2; row < count + 2; row++) {
            const isIn = isInMiddle(row, count);
            const quarter = Math.floor(count / 4);
            expect(isIn).toBe(row >= quarter && row <= count - 1 - quarter);
          }
        },
      ),
    );
    expect([4, 5, 14, 15].map((row) => isInMiddle(row, 20))).toEqual([false, true, true, false]);
  });

  test('scrolling down ends at the lowest price', () => {
    const shown = { top: 25n, step: 1n, count: 20 };
    expect(scrolledTop(shown, 3)).toBe(22n);
    expect(scrolledTop(shown, 9)).toBe(20n);
    expect(scrolledTop(shown, -3)).toBe(28n);
    // A market whose last price is only a few steps: it stays where it was centered.
    expect(scrolledTop({ ...shown, top: 12n }, 1)).toBe(12n);
    expect(scrolledTop({ ...shown, top: 12n }, -1)).toBe(13n);
  });
});

describe('clicks', () => {
  test('a second click on a cell within the window is ignored, and begins it again', () => {
    const guard = new ClickGuard(300);
    const accepted = (
      [
        ['buy 1', 0],
        ['buy 1', 299],
        ['buy 1', 598],
        ['sell 1', 600],
        ['buy 1', 700],
        ['buy 1', 1000],
        ['sell 1', 1010],
      ] as const
    ).map(([cell, ms]) => guard.accepts(cell, ms));
    expect(accepted).toEqual([true, false, false, true, false, true, true]);
  });
});

describe('quick sizes', () => {
  const market = { stepSize: '0.00001', minAmount: '0.0001', maxAmount: '100', minNotional: '10' };
  const funds = (base: string, quote: string) => ({ base: new Big(base), quote: new Big(quote) });

  test('are shares of what the balance can buy or sell, rounded down', () => {
    expect(quickSizes(market, new Big(50_000), funds('1.7', '100'))).toEqual([
      '0.01',
      '0.05',
      '0.1',
      '0.2',
    ]);
    expect(quickSizes(market, new Big(50_000), funds('0', '1000000'))).toEqual([
      '0.2',
      '1',
      '2',
      '5',
    ]);
  });

  test('are multiples of the minimum order when signed out or without a balance', () => {
    const multiples = ['0.002', '0.02', '0.2', '2'];
    expect(quickSizes(market, new Big(50_000), undefined)).toEqual(multiples);
    expect(quickSizes(market, new Big(50_000), funds('0', '0'))).toEqual(multiples);
  });

  test('are valid amounts of the market, ascending and distinct', () => {
    const balance = fc.integer({ min: 0, max: 1e9 }).map((each) => `${each}e-5`);
    fc.assert(
      fc.property(balance, balance, fc.integer({ min: 1, max: 1e6 }), (base, quote, price) => {
        const sizes = quickSizes(market, new Big(price), funds(base, quote)).map(Number);
        expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b));
        for (const size of sizes) {
          expect(size).toBeGreaterThanOrEqual(Number(market.minAmount));
          expect(size).toBeLessThanOrEqual(Number(market.maxAmount));
          expect(new Big(size).div(market.stepSize).mod(1).eq(0)).toBe(true);
        }
      }),
    );
  });
});
