import type { Book } from '../book/book.ts';
import { difference, type Exact, sum } from '../numbers/exact.ts';
import { NONE, Side } from '../terms.ts';

/** The price at which an auction would fill orders now. */
export interface Uncrossing {
  /** In price units. */
  readonly price: number;
  /** The quantity that trades at the price, in amount units. */
  readonly volume: Exact;
  /** The quantity that could trade at the price but finds no other side, in amount units: positive if bought, negative if sold. */
  readonly surplus: Exact;
}

/** The levels of one side that an auction may fill, the lowest price first. */
interface CrossedSide {
  readonly prices: readonly number[];
  /** By level: the total quantity of it and of all better levels, in amount units. */
  readonly totals: readonly Exact[];
}

export function isCrossed(book: Book): boolean {
  const bid = book.bestPrice(Side.buy);
  const ask = book.bestPrice(Side.sell);
  return bid !== undefined && ask !== undefined && bid >= ask;
}

/**
 * Returns the price that fills the most, of these one with the least surplus, of these the one nearest to `reference`;
 * undefined if no orders cross. Candidates are the limits of orders and the reference price. No two of them are left
 * after the third rule: volume and surplus are at least as good at any price between two equally good ones, so a
 * reference price between them is better than both. Icebergs count with all they hide.
 */
export function findUncrossing(book: Book, reference: number): Uncrossing | undefined {
  if (!isCrossed(book)) return undefined;
  const lowest = book.bestPrice(Side.sell)!;
  const highest = book.bestPrice(Side.buy)!;
  const bids = crossedLevels(book, Side.buy, lowest);
  const asks = crossedLevels(book, Side.sell, highest);
  const limits = new Set([...asks.prices, ...bids.prices]);
  if (reference > lowest && reference < highest) limits.add(reference);
  let found: Uncrossing | undefined;
  let bid = 0;
  let ask = NONE;
  for (const price of Float64Array.from(limits).sort()) {
    while (bid < bids.prices.length && bids.prices[bid]! < price) bid++;
    while (ask + 1 < asks.prices.length && asks.prices[ask + 1]! <= price) ask++;
    const bought = bids.totals[bid]!;
    const sold = asks.totals[ask]!;
    const surplus = difference(bought, sold);
    const candidate = { price, volume: surplus > 0 ? sold : bought, surplus };
    if (found === undefined || isBetter(candidate, found, reference)) found = candidate;
  }
  return found;
}

/** Returns the levels of a side that reach `limit`, the best price of the other side. */
function crossedLevels(book: Book, side: Side, limit: number): CrossedSide {
  const prices: number[] = [];
  const totals: Exact[] = [];
  let total: Exact = 0;
  for (let level = book.bestLevel(side); level !== NONE; level = book.nextLevel(level)) {
    const price = book.levelPrice(level);
    if (side === Side.buy ? price < limit : price > limit) break;
    total = sum(total, sum(book.levelTotal(level), book.levelHidden(level)));
    prices.push(price);
    totals.push(total);
  }
  return side === Side.buy
    ? { prices: prices.reverse(), totals: totals.reverse() }
    : { prices, totals };
}

function isBetter(one: Uncrossing, other: Uncrossing, reference: number): boolean {
  if (one.volume !== other.volume) return one.volume > other.volume;
  const surplus = magnitude(one.surplus);
  const otherSurplus = magnitude(other.surplus);
  if (surplus !== otherSurplus) return surplus < otherSurplus;
  return Math.abs(one.price - reference) < Math.abs(other.price - reference);
}

function magnitude(value: Exact): Exact {
  return value < 0 ? difference(0, value) : value;
}
