import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../test/check.ts';
import { Book } from '../book/book.ts';
import { OrderStore } from '../book/order-store.ts';
import { Side } from '../terms.ts';
import { findUncrossing } from './uncrossing.ts';

interface Quote {
  readonly side: Side;
  readonly price: number;
  readonly amount: number;
  /** The quantity that the book does not show. */
  readonly hidden: number;
}

function makeBook(quotes: readonly Quote[]): Book {
  const orders = new OrderStore();
  const book = new Book(orders);
  for (const { side, price, amount, hidden } of quotes) {
    const slot = orders.allocate();
    orders.side[slot] = side;
    orders.setPrice(slot, price);
    orders.setRemaining(slot, amount);
    book.add(slot);
    if (hidden > 0) book.addHidden(side, price, hidden);
  }
  return book;
}

/** Returns what can be bought and sold at a price. */
function totals(quotes: readonly Quote[], price: number) {
  const total = (side: Side) =>
    quotes
      .filter((each) => each.side === side)
      .filter((each) => (side === Side.buy ? each.price >= price : each.price <= price))
      .reduce((sum, { amount, hidden }) => sum + amount + hidden, 0);
  const [bought, sold] = [total(Side.buy), total(Side.sell)];
  return { volume: Math.min(bought, sold), surplus: bought - sold };
}

const bid = (price: number, amount: number): Quote => ({
  side: Side.buy,
  price,
  amount,
  hidden: 0,
});
const ask = (price: number, amount: number): Quote => ({
  side: Side.sell,
  price,
  amount,
  hidden: 0,
});

test.each<[string, Quote[], number, ReturnType<typeof findUncrossing>]>([
  ['nothing crosses', [bid(99, 1), ask(100, 1)], 100, undefined],
  ['one side is empty', [bid(99, 1)], 100, undefined],
  [
    'the most volume decides',
    [bid(105, 5), bid(100, 10), ask(95, 5), ask(100, 8)],
    105,
    { price: 100, volume: 13, surplus: 2 },
  ],
  [
    'then the least surplus',
    [bid(105, 5), bid(100, 10), ask(95, 5)],
    90,
    { price: 105, volume: 5, surplus: 0 },
  ],
  [
    'then the nearest limit to a reference price below',
    [bid(105, 5), ask(95, 5)],
    90,
    { price: 95, volume: 5, surplus: 0 },
  ],
  ['or to one above', [bid(105, 5), ask(95, 5)], 110, { price: 105, volume: 5, surplus: 0 }],
  [
    'and the reference price itself if it is as good',
    [bid(105, 5), ask(95, 5)],
    101,
    { price: 101, volume: 5, surplus: 0 },
  ],
  [
    'a hidden quantity counts',
    [{ ...bid(100, 1), hidden: 9 }, ask(100, 10)],
    100,
    { price: 100, volume: 10, surplus: 0 },
  ],
])('%s', (_, quotes, reference, expected) => {
  expect(findUncrossing(makeBook(quotes), reference)).toEqual(expected);
});

const quote = fc.record({
  side: fc.constantFrom<Side>(Side.buy, Side.sell),
  price: fc.integer({ min: 90, max: 110 }),
  amount: fc.integer({ min: 1, max: 9 }),
  hidden: fc.constantFrom(0, 0, 0, 5),
});

test('no price fills more, and none of the same volume and surplus is nearer to the reference', () => {
  const property = fc.property(
    fc.array(quote, { maxLength: 16 }),
    fc.integer({ min: 85, max: 115 }),
    (quotes, reference) => {
      const found = findUncrossing(makeBook(quotes), reference);
      const prices = Array.from({ length: 41 }, (_, place) => 80 + place);
      const maximum = Math.max(...prices.map((price) => totals(quotes, price).volume));
      expect(Number(found?.volume ?? 0)).toBe(maximum);
      if (found === undefined) return;
      expect(found).toMatchObject(totals(quotes, found.price));
      const limits = new Set([reference, ...quotes.map(({ price }) => price)]);
      const equals = [...limits]
        .map((price) => ({ price, ...totals(quotes, price) }))
        .filter(({ volume }) => volume === maximum)
        .sort((a, b) => Math.abs(a.surplus) - Math.abs(b.surplus));
      const least = Math.abs(equals[0]!.surplus);
      const distances = equals
        .filter(({ surplus }) => Math.abs(surplus) === least)
        .map(({ price }) => Math.abs(price - reference))
        .sort((a, b) => a - b);
      expect(Math.abs(Number(found.surplus))).toBe(least);
      expect(Math.abs(found.price - reference)).toBe(distances[0]!);
      // The three rules leave one price.
      expect(distances[1]).not.toBe(distances[0]!);
    },
  );
  check(property, 2_000);
});

test('quantities beyond exact numbers add up exactly', () => {
  const huge = Number.MAX_SAFE_INTEGER;
  const quotes = [bid(100, huge), bid(100, huge), ask(100, huge), ask(100, huge), ask(99, 1)];
  expect(findUncrossing(makeBook(quotes), 100)).toEqual({
    price: 100,
    volume: BigInt(huge) * 2n,
    surplus: -1,
  });
});
