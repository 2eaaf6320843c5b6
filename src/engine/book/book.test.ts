import { expect, test } from 'bun:test';
import { NONE, Side } from '../terms.ts';
import { Book } from './book.ts';
import { OrderStore } from './order-store.ts';

function makeBook(orders: OrderStore, rows: readonly (readonly [Side, number, number])[]): Book {
  const book = new Book(orders);
  for (const [side, price, remaining] of rows) {
    const slot = orders.allocate();
    orders.side[slot] = side;
    orders.setPrice(slot, price);
    orders.setRemaining(slot, remaining);
    orders.setAccount(slot, NONE);
    book.add(slot);
  }
  return book;
}

function queue(book: Book, side: Side): number[] {
  const slots: number[] = [];
  book.forEachOrder(side, (slot) => slots.push(slot));
  return slots;
}

test('an empty book has no best order, price, amount or level', () => {
  const book = new Book(new OrderStore());
  for (const side of [Side.buy, Side.sell]) {
    expect(book.best(side)).toBe(NONE);
    expect(book.bestPrice(side)).toBeUndefined();
    expect(book.bestAmount(side)).toBe(0);
    expect(book.bestLevel(side)).toBe(NONE);
    expect(queue(book, side)).toEqual([]);
  }
});

test('orders are sorted by price, then arrival; removing and adding an order again loses its place', () => {
  const orders = new OrderStore();
  const rows = [
    [Side.buy, 10, 1],
    [Side.buy, 12, 2],
    [Side.buy, 10, 3],
    [Side.sell, 20, 4],
    [Side.sell, 15, 5],
    [Side.buy, 10, 6],
  ] as const;
  const book = makeBook(orders, rows);
  expect(queue(book, Side.buy)).toEqual([1, 0, 2, 5]);
  expect(queue(book, Side.sell)).toEqual([4, 3]);
  book.remove(0);
  book.add(0);
  expect(queue(book, Side.buy)).toEqual([1, 2, 5, 0]);
  book.remove(1);
  expect(book.bestPrice(Side.buy)).toBe(10);
  expect(book.bestAmount(Side.buy)).toBe(10);
});

test('reducing keeps the place, and rejects a reduction to nothing', () => {
  const orders = new OrderStore();
  const rows = [
    [Side.sell, 10, 5],
    [Side.sell, 10, 5],
  ] as const;
  const book = makeBook(orders, rows);
  book.reduce(0, 4);
  expect(queue(book, Side.sell)).toEqual([0, 1]);
  expect(book.bestAmount(Side.sell)).toBe(6);
  expect(() => book.reduce(0, 1)).toThrow('remove it instead');
});

test('prices and amounts at their bounds', () => {
  const max = Number.MAX_SAFE_INTEGER;
  const orders = new OrderStore();
  const rows = [
    [Side.buy, 1, max],
    [Side.buy, 1, max],
    [Side.sell, max, max],
    [Side.sell, max - 1, 1],
    [Side.sell, max, max],
    [Side.sell, max, max],
  ] as const;
  const book = makeBook(orders, rows);
  expect(book.bestAmount(Side.buy)).toBe(2n * BigInt(max));
  expect(book.bestPrice(Side.sell)).toBe(max - 1);
  const worst = book.nextLevel(book.bestLevel(Side.sell));
  expect(book.levelPrice(worst)).toBe(max);
  expect(book.levelTotal(worst)).toBe(3n * BigInt(max));
  expect(book.nextLevel(worst)).toBe(NONE);
});

test('books that share a store are independent', () => {
  const orders = new OrderStore();
  const first = makeBook(orders, [[Side.buy, 10, 1]]);
  const second = makeBook(orders, [[Side.buy, 10, 2]]);
  first.remove(0);
  orders.release(0);
  expect(first.best(Side.buy)).toBe(NONE);
  expect(queue(second, Side.buy)).toEqual([1]);
  expect(makeBook(orders, [[Side.sell, 3, 9]]).best(Side.sell)).toBe(0);
});

test('the total at a price only counts its side', () => {
  const book = makeBook(new OrderStore(), [
    [Side.buy, 10, 1],
    [Side.buy, 10, 2],
    [Side.sell, 20, 4],
    [Side.sell, 30, 8],
  ]);
  const totals = (side: Side) => [10, 20, 30].map((price) => book.totalAt(side, price));
  expect([totals(Side.buy), totals(Side.sell)]).toEqual([
    [3, 0, 0],
    [0, 4, 8],
  ]);
});

test('reading the total at a price without a level does not change the book', () => {
  const orders = new OrderStore();
  const prices = Array.from({ length: 300 }, (_, index) => 1000 + index);
  const book = makeBook(
    orders,
    prices.map((price) => [Side.buy, price, price] as const),
  );
  for (const price of [999, 1300, 5, 5000]) expect(book.totalAt(Side.buy, price)).toBe(0);
  expect(book.totalAt(Side.sell, 1100)).toBe(0);
  for (const price of prices) expect(book.totalAt(Side.buy, price)).toBe(price);
  const walked: number[] = [];
  let level = book.bestLevel(Side.buy);
  for (; level !== NONE && walked.length <= prices.length; level = book.nextLevel(level)) {
    walked.push(book.levelPrice(level));
  }
  expect(walked).toEqual(prices.toReversed());
  for (let slot = 299; slot >= 0; slot--) {
    expect(book.best(Side.buy)).toBe(slot);
    book.remove(slot);
  }
});

test('levelBeyond finds the next level on both sides, whether or not the price has a level', () => {
  const rows = [10, 12, 20].flatMap(
    (price) =>
      [
        [Side.buy, price, 1],
        [Side.sell, price + 100, 1],
      ] as const,
  );
  const book = makeBook(new OrderStore(), rows);
  const beyond = (side: Side, price: number) => {
    const level = book.levelBeyond(side, price);
    return level === NONE ? undefined : book.levelPrice(level);
  };
  expect([25, 20, 15, 12, 11, 10].map((price) => beyond(Side.buy, price))).toEqual([
    20,
    12,
    12,
    10,
    10,
    undefined,
  ]);
  expect([105, 110, 111, 112, 115, 120].map((price) => beyond(Side.sell, price))).toEqual([
    110,
    112,
    112,
    120,
    120,
    undefined,
  ]);
});
