import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { MAKER_MARKETS } from './maker-markets.ts';
import { quotesAround } from './quotes.ts';

const market = fc.nat(MAKER_MARKETS.length - 1);
const seed = fc.nat(2 ** 32 - 1);
const move = fc.double({ min: -0.08, max: 0.08, noNaN: true });

test('quotes have 15 levels a side around the fair price, closest together at the best', () => {
  fc.assert(
    fc.property(market, seed, move, (index, seeded, away) => {
      const { reference, priceDecimals } = MAKER_MARKETS[index]!;
      const fair = reference * (1 + away);
      const quotes = quotesAround(index, fair, seeded);
      expect(quotesAround(index, fair, seeded)).toEqual(quotes);
      for (const side of ['buy', 'sell'] as const) {
        const own = quotes.filter((quote) => quote.side === side);
        const distances = own.map(({ ticks }) =>
          side === 'buy' ? fair * 10 ** priceDecimals - ticks : ticks - fair * 10 ** priceDecimals,
        );
        expect(distances.length).toBe(15);
        expect(distances[0]!).toBeGreaterThan(0);
        expect(distances[0]! / 10 ** priceDecimals / fair).toBeLessThan(0.001);
        for (let at = 1; at < distances.length; at++) {
          expect(distances[at]!).toBeGreaterThan(distances[at - 1]!);
        }
        expect(own.every(({ ticks, amount }) => Number.isSafeInteger(ticks) && amount > 0)).toBe(
          true,
        );
      }
    }),
  );
});

test('a move of one cell leaves nearly all quotes unchanged', () => {
  const { cell } = MAKER_MARKETS[0]!;
  const before = quotesAround(0, 118_000, 1);
  const after = quotesAround(0, 118_000 + cell / 100, 1);
  const stays = after.filter((quote) =>
    before.some(({ ticks, side }) => ticks === quote.ticks && side === quote.side),
  );
  expect(stays.length).toBeGreaterThanOrEqual(26);
});
