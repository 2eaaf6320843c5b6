import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  NaiveBook,
  type NaiveOrder,
  type OwnOrders,
} from '../../../../test/reference/naive-book.ts';
import { Book } from '../../book/book.ts';
import { OrderStore } from '../../book/order-store.ts';
import { MAX_ORDERS_BEYOND_BUDGET } from '../../limits.ts';
import { type Exact, exact } from '../../numbers/exact.ts';
import { NONE, Side } from '../../terms.ts';
import { BookScan, canFillByLevels } from './book-scan.ts';
import {
  type CrossHandler,
  canFill,
  cross,
  marketCost,
  marketCostByLevels,
  STOP,
} from './matching.ts';

const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;

/**
 * A book with its orders by id, and the events of its matching in the format of the reference book.
 */
class RealBook implements CrossHandler {
  readonly orders = new OrderStore();
  readonly book = new Book(this.orders);
  readonly slots = new Map<number, number>();
  readonly scan = new BookScan(this.state);
  readonly ids: number[] = [];
  events: string[] = [];
  private own: OwnOrders = 'expireMaker';

  /** The fields that a check of the book needs to find the orders of an account. */
  private get state(): ConstructorParameters<typeof BookScan>[0] {
    const { slots, orders } = this;
    const openSlots = (account: number) =>
      [...slots.values()].filter((slot) => orders.account(slot) === account);
    const accounts = new Proxy([], {
      get: (_, account) => ({ group: [{ openSlots: openSlots(Number(account)) }] }),
    });
    const details = { isPending: () => false, market: () => 0, hidden: () => 0 };
    return { accounts, orders, details, markets: [{ book: this.book }] } as never;
  }

  rest({ id, account, side, price, remaining }: NaiveOrder): void {
    const slot = this.orders.allocate();
    this.ids[slot] = id;
    this.orders.side[slot] = side;
    this.orders.setAccount(slot, account);
    this.orders.setPrice(slot, price);
    this.orders.setRemaining(slot, remaining);
    this.slots.set(id, slot);
    this.book.add(slot);
  }

  remove(slot: number): void {
    this.book.remove(slot);
    this.filled(slot);
  }

  match(taker: NaiveOrder, own: OwnOrders): number {
    this.events = [];
    this.own = own;
    const { side, price, remaining, account } = taker;
    return cross(this.book, this.orders, side as Side, price, remaining, account, this);
  }

  fill(maker: number, quantity: number): void {
    expect(quantity).toBeLessThanOrEqual(this.orders.remaining(maker));
    this.events.push(`trade ${this.ids[maker]} ${this.orders.price(maker)} ${quantity}`);
  }

  filled(maker: number): void {
    this.slots.delete(this.ids[maker]!);
    this.orders.release(maker);
  }

  selfTrade(maker: number, remaining: number): number {
    const available = this.orders.remaining(maker);
    if (this.own === 'decrement') {
      const quantity = Math.min(remaining, available);
      const price = this.orders.price(maker);
      this.events.push(`decrement ${this.ids[maker]} ${price} ${quantity}`);
      if (quantity < available) this.book.reduce(maker, quantity);
      else this.remove(maker);
      return remaining - quantity;
    }
    this.events.push(`${this.own} ${this.ids[maker]}`);
    if (this.own !== 'expireTaker') this.remove(maker);
    if (this.own === 'expireMaker') return remaining;
    this.events.push('end');
    return STOP;
  }

  /** Returns a side in the format of the reference book. */
  queue(side: Side): NaiveOrder[] {
    const queue: NaiveOrder[] = [];
    const { orders } = this;
    this.book.forEachOrder(side, (slot) => {
      queue.push({
        id: this.ids[slot]!,
        account: orders.account(slot),
        side: orders.side[slot]!,
        price: orders.price(slot),
        remaining: orders.remaining(slot),
      });
    });
    return queue;
  }
}

function expectSound(real: RealBook, naive: NaiveBook): void {
  const { book, orders } = real;
  for (const side of [Side.buy, Side.sell]) {
    const expected = naive.queue(side);
    // Checks priority, and with it that orders of a level are sorted by arrival.
    expect(real.queue(side)).toEqual(expected);
    const levels = Map.groupBy(expected, (order) => order.price);
    const found: [number, bigint][] = [];
    for (let level = book.bestLevel(side); level !== NONE; level = book.nextLevel(level)) {
      found.push([book.levelPrice(level), BigInt(book.levelTotal(level))]);
    }
    const totals = [...levels].map(([price, all]): [number, bigint] => [
      price,
      all.reduce((total, order) => total + BigInt(order.remaining), 0n),
    ]);
    expect(found).toEqual(totals);
    expect(found.every(([, total]) => total > 0n)).toBe(true);
    expect(expected.every((order) => order.remaining > 0)).toBe(true);
    expect(book.bestPrice(side)).toBe(totals[0]?.[0]);
    expect(BigInt(book.bestAmount(side))).toBe(totals[0]?.[1] ?? 0n);
    expect(real.slots.get(expected[0]?.id ?? NONE) ?? NONE).toBe(book.best(side));
  }
  expect(orders.size).toBe(naive.orders.length);
  const bid = book.bestPrice(Side.buy) ?? 0;
  expect(bid).toBeLessThan(book.bestPrice(Side.sell) ?? Number.POSITIVE_INFINITY);
}

const price = fc.integer({ min: 1, max: 8 });
const quantity = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: MAX_AMOUNT - 5, max: MAX_AMOUNT }) },
);
const placing = fc.record({
  kind: fc.constant('place' as const),
  side: fc.constantFrom(Side.buy, Side.sell),
  price: fc.option(price, { freq: 8 }),
  quantity,
  account: fc.integer({ min: 0, max: 3 }),
  remainder: fc.constantFrom('rest', 'rest', 'rest', 'end', 'all or none'),
  own: fc.constantFrom<OwnOrders>('expireMaker', 'expireTaker', 'expireBoth', 'decrement'),
});
const command = fc.oneof(
  { weight: 5, arbitrary: placing },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('cancel' as const, 'requeue' as const, 'reduce' as const),
      index: fc.nat(1000),
      quantity,
    }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

function run(commands: readonly Command[]): void {
  const real = new RealBook();
  const naive = new NaiveBook();
  commands.forEach((command, id) => {
    if (command.kind === 'place') place(real, naive, command, id);
    else if (naive.orders.length > 0) change(real, naive, command);
    expectSound(real, naive);
  });
}

function place(
  real: RealBook,
  naive: NaiveBook,
  command: Extract<Command, { kind: 'place' }>,
  id: number,
): void {
  const { side, account, remainder, own } = command;
  const worst = side === Side.buy ? Number.POSITIVE_INFINITY : 0;
  const limit = command.price ?? worst;
  const taker = { id, account, side, price: limit, remaining: command.quantity };
  const market = { ...taker, price: worst };
  const { book, orders } = real;

  const expected = naive.marketCost(market);
  const costWith = (budget: Exact) =>
    marketCost(book, orders, side, worst, taker.remaining, account, budget, real.scan);
  // There are fewer orders than are counted beyond any budget, so it makes no difference.
  for (const budget of [-1, 0, exact(expected / 2n), exact(expected)]) {
    expect(costWith(budget)).toBe(exact(expected));
    const { scan } = real;
    const { remaining } = taker;
    expect(marketCostByLevels(book, orders, side, worst, remaining, account, budget, scan)).toBe(
      exact(expected),
    );
  }
  const { scan } = real;
  for (const skipsOwn of [true, false]) {
    scan.examined = 0;
    const fills = canFill(book, orders, side, limit, taker.remaining, account, skipsOwn, real.scan);
    expect(fills).toBe(naive.canFill(taker, skipsOwn));
    const { examined } = scan;
    expect(
      canFillByLevels(book, orders, side, limit, taker.remaining, account, skipsOwn, scan),
    ).toBe(fills);
    expect(scan.examined).toBe(examined);
    if (remainder === 'all or none' && own === 'expireMaker' && skipsOwn && !fills) return;
  }
  const left = real.match(taker, own);
  const events = naive.match(taker, own);
  expect(real.events).toEqual(events);
  expect(left).toBe(taker.remaining);
  if (remainder === 'all or none' && own === 'expireMaker') expect(left).toBe(0);
  if (left === 0 || command.price === null || remainder !== 'rest') return;
  if (events.at(-1) === 'end') return;
  real.rest({ ...taker });
  naive.rest(taker);
}

function change(
  real: RealBook,
  naive: NaiveBook,
  { kind, index, quantity }: Exclude<Command, { kind: 'place' }>,
): void {
  const order = naive.orders[index % naive.orders.length]!;
  const slot = real.slots.get(order.id)!;
  if (kind === 'reduce') {
    const by = quantity % order.remaining;
    if (by === 0) return;
    real.book.reduce(slot, by);
    order.remaining -= by;
    return;
  }
  naive.remove(order);
  if (kind === 'cancel') real.remove(slot);
  else {
    real.book.remove(slot);
    real.book.add(slot);
    naive.rest(order);
  }
}

test('book and matching behave like the reference book for any commands', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60, size: 'max' }), (commands) => run(commands)),
    { numRuns: 400 },
  );
});

test('an order without an account never triggers self-trade prevention', () => {
  const real = new RealBook();
  real.rest({ id: 1, account: NONE, side: Side.sell, price: 5, remaining: 3 });
  const taker = { id: 2, account: NONE, side: Side.buy, price: 5, remaining: 3 };
  expect(canFill(real.book, real.orders, Side.buy, 5, 3, NONE, false, real.scan)).toBe(true);
  expect(marketCost(real.book, real.orders, Side.buy, 5, 3, NONE, 0, real.scan)).toBe(15);
  expect(real.match(taker, 'expireTaker')).toBe(0);
  expect(real.events).toEqual(['trade 1 5 3']);
});

test('the cost of a market order is counted up to its limit', () => {
  const real = new RealBook();
  [4, 5, 6].forEach((price, id) => {
    real.rest({ id, account: 1, side: Side.buy, price, remaining: 2 });
    real.rest({ id: id + 10, account: 1, side: Side.sell, price: price + 10, remaining: 2 });
  });
  const costs = (side: Side, limits: number[]) =>
    limits.map((limit) => marketCost(real.book, real.orders, side, limit, 5, 2, 0, real.scan));
  expect(costs(Side.sell, [7, 6, 5, 4])).toEqual([0, 12, 22, 26]);
  expect(costs(Side.buy, [13, 14, 15, 16])).toEqual([0, 28, 58, 74]);
});

test('the cost of a market order beyond the budget is counted for a bounded number of orders', () => {
  const real = new RealBook();
  const levels = 10 * MAX_ORDERS_BEYOND_BUDGET;
  for (let id = 0; id < levels; id++) {
    real.rest({ id, account: 1, side: Side.sell, price: 1 + id, remaining: 1 });
  }
  const cost = (quantity: number, budget: Exact) =>
    marketCost(real.book, real.orders, Side.buy, levels, quantity, 2, budget, real.scan);
  const ofFirst = (count: number) => (count * (count + 1)) / 2;
  // A cost within the budget is counted completely.
  expect(cost(levels, ofFirst(levels))).toBe(ofFirst(levels));
  expect(cost(levels + 1, ofFirst(levels))).toBe(ofFirst(levels));
  // Counts the order that exceeds the budget, then the maximum of further orders.
  expect(cost(levels, 0)).toBe(ofFirst(1 + MAX_ORDERS_BEYOND_BUDGET));
  expect(cost(levels, ofFirst(100))).toBe(ofFirst(101 + MAX_ORDERS_BEYOND_BUDGET));
  expect(cost(levels, -1)).toBe(ofFirst(MAX_ORDERS_BEYOND_BUDGET));
  expect(cost(1 + MAX_ORDERS_BEYOND_BUDGET, 0)).toBe(ofFirst(1 + MAX_ORDERS_BEYOND_BUDGET));
});

test('a maker is settled before the book changes, and released after it has left', () => {
  const orders = new OrderStore();
  const book = new Book(orders);
  const seen: unknown[] = [];
  for (const remaining of [2, 5]) {
    const slot = orders.allocate();
    orders.side[slot] = Side.sell;
    orders.setPrice(slot, 7);
    orders.setRemaining(slot, remaining);
    orders.setAccount(slot, NONE);
    book.add(slot);
  }
  const handler: CrossHandler = {
    fill: (maker, quantity) =>
      seen.push(['fill', maker, quantity, orders.remaining(maker), book.bestAmount(Side.sell)]),
    filled: (maker) => seen.push(['filled', maker, book.best(Side.sell)]),
    selfTrade: () => STOP,
  };
  expect(cross(book, orders, Side.buy, 7, 3, 0, handler)).toBe(0);
  expect(seen).toEqual([
    ['fill', 0, 2, 2, 7],
    ['filled', 0, 1],
    ['fill', 1, 1, 5, 5],
  ]);
  expect(book.bestAmount(Side.sell)).toBe(4);
});

test('a self-trade handler that changes nothing throws', () => {
  const real = new RealBook();
  real.rest({ id: 1, account: 0, side: Side.sell, price: 5, remaining: 3 });
  real.selfTrade = (_maker, remaining) => remaining;
  for (const remaining of [3, 1]) {
    const taker = { id: 2, account: 0, side: Side.buy, price: 5, remaining } as const;
    expect(() => real.match(taker, 'decrement')).toThrow('must remove the maker');
  }
});
