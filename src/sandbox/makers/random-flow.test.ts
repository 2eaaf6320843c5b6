import { expect, test } from 'bun:test';
import { seededRandom } from '../../storage/seeded-random.ts';
import { takeAtRandom, takeBetterQuote } from './random-flow.ts';

const OWN = { bid: { ticks: 11_799_000, amount: 1 }, ask: { ticks: 11_801_000, amount: 1 } };

test('a better quote of another account is taken at its price, in limited amounts', () => {
  const bid = { ticks: 11_799_500, amount: 50 };
  expect(takeBetterQuote(0, { ...OWN, bid }, OWN)).toEqual({
    market: 0,
    side: 'sell',
    ticks: 11_799_500,
    amount: 2,
  });
  const ask = { ticks: 11_800_999, amount: 0.01 };
  expect(takeBetterQuote(0, { ...OWN, ask }, OWN)).toEqual({
    market: 0,
    side: 'buy',
    ticks: 11_800_999,
    amount: 0.01,
  });
  expect(takeBetterQuote(0, OWN, OWN)).toBeUndefined();
  expect(
    takeBetterQuote(0, { bid, ask: undefined }, { bid: undefined, ask: undefined }),
  ).toBeUndefined();
});

test('the random flow follows the seed and the inventory skew, and needs quotes to take', () => {
  const takes = (skew: number) => {
    const random = seededRandom(9);
    return Array.from({ length: 200 }, () => takeAtRandom(random, 0, OWN, 1, skew)!);
  };
  expect(takes(0)).toEqual(takes(0));
  const buys = (skew: number) => takes(skew).filter(({ side }) => side === 'buy').length;
  expect(buys(0)).toBeWithin(70, 130);
  expect(buys(0.5)).toBeGreaterThan(150);
  expect(buys(-0.5)).toBeLessThan(50);
  const none = { bid: undefined, ask: undefined };
  expect(takeAtRandom(seededRandom(9), 0, none, 1, 0)).toBeUndefined();
});
