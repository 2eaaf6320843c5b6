import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { seededRandom } from '../../storage/seeded-random.ts';
import { MAKER_MARKETS } from './maker-markets.ts';
import { Walk } from './price-walk.ts';

const START = Date.UTC(2026, 0, 1);

function fairs(walk: Walk): number[] {
  return MAKER_MARKETS.map((_, market) => walk.fair(market));
}

test('the same seed gives the same walk, which stays near its references', () => {
  fc.assert(
    fc.property(
      fc.nat(2 ** 32 - 1),
      fc.double({ min: 0.01, max: 5, noNaN: true }),
      (seed, minutes) => {
        const [one, two] = [new Walk(seededRandom(seed)), new Walk(seededRandom(seed))];
        for (let step = 0; step < 500; step++) {
          one.step(minutes, START + step * 60_000);
          two.step(minutes, START + step * 60_000);
          const [bitcoin, ether, , cross] = fairs(one);
          expect(bitcoin).toBeWithin(108_000, 128_000);
          expect(cross).toBe(ether! / bitcoin!);
        }
        expect(fairs(one)).toEqual(fairs(two));
      },
    ),
    { numRuns: 30 },
  );
});

test('a walk starts at given prices, clamped to the maximum deviation', () => {
  const [bitcoin, ether, solana] = fairs(new Walk(seededRandom(1), [120_000, 5_300, 45]));
  expect(bitcoin).toBeCloseTo(120_000, 5);
  expect(ether).toBeCloseTo(5_300, 5);
  expect(solana).toBeWithin(235, 260);
});

test('a walk is back at its references in time', () => {
  const walk = new Walk(seededRandom(5), [110_000, 5_500, 280]);
  for (let left = 600; left > 0; left--) walk.step(1, START, left);
  for (const [market, { reference }] of MAKER_MARKETS.entries()) {
    expect(Math.abs(walk.fair(market) / reference - 1)).toBeLessThan(0.01);
  }
});
