import type { Book } from '../../book/book.ts';
import type { OrderStore } from '../../book/order-store.ts';
import { MAX_ORDERS_BEYOND_BUDGET } from '../../limits.ts';
import { difference, type Exact, product, sum } from '../../numbers/exact.ts';
import { NONE, oppositeSide, Side } from '../../terms.ts';
import {
  type BookScan,
  type CostSoFar,
  canFillByLevels,
  costByLevels,
  MAX_SCANNED_ORDERS,
} from './book-scan.ts';

/** Result of `selfTrade` that ends the taker with its remaining quantity unfilled. */
export const STOP = -1;

/**
 * Callbacks of the matching loop. A process should use one class for all calls, so that its methods
 * are inlined into the loop.
 */
export interface CrossHandler {
  /** Called for a match at the maker's price; the book still contains the maker, unchanged. */
  fill(maker: number, quantity: number): void;
  /**
   * Called when the maker was completely filled and has left the book; its slot may be released.
   */
  filled(maker: number): void;
  /**
   * Called when the taker meets an order of its own group of accounts, with `remaining` left to fill. Returns
   * the quantity that is then left, or STOP. Unless the taker ends, the maker must have been
   * removed from the book.
   */
  selfTrade(maker: number, remaining: number): number;
}

/**
 * Matches a taker against the other side: best price first, then oldest order, within `limitPrice`
 * (for a market order Infinity to buy, 0 to sell). Returns the unfilled part of `quantity`. Orders
 * of accounts of `owner`, a main account, are passed to `handler.selfTrade`; NONE matches all orders.
 */
export function cross(
  book: Book,
  orders: OrderStore,
  side: Side,
  limitPrice: number,
  quantity: number,
  owner: number,
  handler: CrossHandler,
): number {
  const isBuy = side === Side.buy;
  const limitKey = isBuy ? -limitPrice : limitPrice;
  if ((isBuy ? book.asks : book.bids).bestKey < limitKey) return quantity;
  return take(book, orders, side, limitKey, quantity, owner, handler);
}

/** Continues `cross` if the best price is within the limit. */
function take(
  book: Book,
  orders: OrderStore,
  side: Side,
  limitKey: number,
  quantity: number,
  owner: number,
  handler: CrossHandler,
): number {
  const ladder = side === Side.buy ? book.asks : book.bids;
  let left = quantity;
  while (left > 0 && ladder.bestKey >= limitKey) {
    const level = ladder.best;
    if (level === NONE) break;
    const maker = book.firstOrder(level);
    if (owner !== NONE && orders.owner(maker) === owner) {
      left = handleOwnOrder(book, maker, left, side, handler);
      if (left < 0) return -left;
      continue;
    }
    const available = orders.remaining(maker);
    if (available > left) {
      handler.fill(maker, left);
      book.reduce(maker, left);
      return 0;
    }
    handler.fill(maker, available);
    book.remove(maker);
    handler.filled(maker);
    left -= available;
  }
  return left;
}

/** Returns the quantity left to the taker; negative if it ends here. */
function handleOwnOrder(
  book: Book,
  maker: number,
  left: number,
  side: Side,
  handler: CrossHandler,
): number {
  const after = handler.selfTrade(maker, left);
  if (after === STOP) return -left;
  if (after > 0 && book.best(oppositeSide(side)) === maker) {
    throw new Error('Self-trade prevention must remove the maker or end the taker.');
  }
  return after;
}

/**
 * Returns whether all of `quantity` can be filled immediately within `limitPrice` (as for `cross`).
 * Orders of accounts of `owner` do not count: they are skipped if `skipsOwn`, otherwise the first one ends
 * the search. After the first orders it uses the totals of price levels.
 */
export function canFill(
  book: Book,
  orders: OrderStore,
  side: Side,
  limitPrice: number,
  quantity: number,
  owner: number,
  skipsOwn: boolean,
  scan: BookScan,
): boolean {
  const isBuy = side === Side.buy;
  let missing = quantity;
  let seen = 0;
  const { hasHidden } = book;
  let level = book.bestLevel(oppositeSide(side));
  for (; level !== NONE; level = book.nextLevel(level)) {
    const price = book.levelPrice(level);
    if (isBuy ? price > limitPrice : price < limitPrice) return false;
    scan.examined++;
    let ahead = 0;
    let ownHidden = 0;
    for (let slot = book.firstOrder(level); slot !== NONE; slot = book.nextOrder(slot)) {
      if (seen++ === MAX_SCANNED_ORDERS) {
        return canFillByLevels(book, orders, side, limitPrice, quantity, owner, skipsOwn, scan);
      }
      if (orders.owner(slot) !== owner || owner === NONE) {
        missing -= orders.remaining(slot);
        if (missing <= 0) return true;
      } else if (!skipsOwn) {
        scan.examined += ahead;
        return false;
      } else if (hasHidden) ownHidden += scan.hidden(slot);
      ahead++;
    }
    if (!hasHidden) continue;
    // The hidden parts of icebergs trade after all shown orders of the level.
    const hidden = difference(book.levelHidden(level), ownHidden);
    if (hidden >= missing) return true;
    missing -= Number(hidden);
  }
  return false;
}

/**
 * Returns the cost of taking `quantity` from the other side of the book now, in price units times
 * amount units, or of as much as the book offers within `limitPrice`. Orders of accounts of `owner` are
 * skipped. Once the cost exceeds `budget`, at most `MAX_ORDERS_BEYOND_BUDGET` further orders are
 * counted, so that an order that cannot be paid for costs little work in a deep book. After the
 * first orders it uses the totals of the price levels within the budget.
 */
export function marketCost(
  book: Book,
  orders: OrderStore,
  side: Side,
  limitPrice: number,
  quantity: number,
  owner: number,
  budget: Exact,
  scan: BookScan,
): Exact {
  const level = book.bestLevel(oppositeSide(side));
  const first = { level, left: quantity, cost: 0 };
  return (
    walkCost(book, orders, side, limitPrice, owner, budget, first, MAX_SCANNED_ORDERS, scan) ??
    marketCostByLevels(book, orders, side, limitPrice, quantity, owner, budget, scan)
  );
}

/** `marketCost` by the totals of the levels, and order by order from the level that exceeds the budget. */
export function marketCostByLevels(
  book: Book,
  orders: OrderStore,
  side: Side,
  limitPrice: number,
  quantity: number,
  owner: number,
  budget: Exact,
  scan: BookScan,
): Exact {
  const own = scan.ownTotals(book, oppositeSide(side), owner);
  const counted = costByLevels(book, side, limitPrice, quantity, budget, own);
  return walkCost(book, orders, side, limitPrice, owner, budget, counted, Infinity, scan)!;
}

/** Counts order by order from a level on; undefined if there are more than `maxOrders` to count. */
function walkCost(
  book: Book,
  orders: OrderStore,
  side: Side,
  limitPrice: number,
  owner: number,
  budget: Exact,
  from: CostSoFar,
  maxOrders: number,
  scan: BookScan,
): Exact | undefined {
  let left = from.left;
  let cost = from.cost;
  let seen = 0;
  const { hasHidden } = book;
  let ordersLeft = MAX_ORDERS_BEYOND_BUDGET;
  for (let level = from.level; level !== NONE; level = book.nextLevel(level)) {
    const price = book.levelPrice(level);
    if (side === Side.buy ? price > limitPrice : price < limitPrice) break;
    for (let slot = book.firstOrder(level); slot !== NONE; slot = book.nextOrder(slot)) {
      if (cost > budget && ordersLeft-- === 0) return cost;
      if (seen++ === maxOrders) return undefined;
      if (orders.owner(slot) === owner && owner !== NONE) continue;
      const hidden = hasHidden ? scan.hidden(slot) : 0;
      const taken = Math.min(left, orders.remaining(slot) + hidden);
      cost = sum(cost, product(price, taken, 1));
      left -= taken;
      if (left === 0) return cost;
    }
  }
  return cost;
}
