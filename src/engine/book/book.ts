import { difference, type Exact, sum } from '../numbers/exact.ts';
import { NONE, Side } from '../terms.ts';
import { Ladder } from './ladder.ts';
import { LevelStore } from './levels.ts';
import type { OrderStore } from './order-store.ts';

/**
 * The resting orders of one market: price levels, the best first, and in each level the orders by
 * arrival.
 *
 * Nothing here allocates per order, and the cost of an operation does not depend on the number of
 * orders at a level. The hot functions here, in the ladder, in the stores and in `cross` are shaped
 * for JavaScriptCore, which inlines a function only if its bytecode is short and the calls are at
 * most five deep: few layers, no destructuring, no imported constants (a local enum costs nothing).
 */
export class Book {
  private readonly levels = new LevelStore();
  readonly bids = new Ladder(this.levels);
  readonly asks = new Ladder(this.levels);
  /** The quantity that icebergs hide, by the key of their level; not part of the totals of levels. */
  private readonly hidden = new Map<number, Exact>();

  constructor(private readonly orders: OrderStore) {}

  /**
   * Adds an order at the end of its level. The store holds its side, price and remaining quantity.
   */
  add(slot: number): void {
    const orders = this.orders;
    const price = orders.price(slot);
    if (orders.side[slot] === Side.buy) this.addTo(this.bids, price, slot);
    else this.addTo(this.asks, -price, slot);
  }

  private addTo(ladder: Ladder, key: number, slot: number): void {
    const orders = this.orders;
    const levels = this.levels;
    let level = ladder.find(key);
    if (level < 0) {
      level = levels.open(key, slot, orders.remaining(slot));
      ladder.insert(key, level);
      orders.linkLast(slot, level, slot);
    } else {
      orders.linkLast(slot, level, levels.last(level));
      levels.setLast(level, slot);
      levels.addToTotal(level, orders.remaining(slot));
    }
  }

  /** Removes a resting order; the caller releases the slot or adds it again. */
  remove(slot: number): void {
    const orders = this.orders;
    const levels = this.levels;
    const level = orders.level(slot);
    const isFirst = levels.first(level) === slot;
    const isLast = levels.last(level) === slot;
    if (isFirst && isLast) this.close(level);
    else {
      if (isFirst) levels.setFirst(level, orders.next(slot));
      else if (isLast) levels.setLast(level, orders.previous(slot));
      else orders.unlink(slot);
      levels.takeFromTotal(level, orders.remaining(slot));
    }
  }

  private close(level: number): void {
    const levels = this.levels;
    if (levels.key(level) > 0) this.bids.remove(level);
    else this.asks.remove(level);
    levels.release(level);
  }

  /**
   * Lowers the remaining quantity of a resting order by less than all of it; the order keeps its
   * priority.
   */
  reduce(slot: number, quantity: number): void {
    const orders = this.orders;
    const remaining = orders.remaining(slot) - quantity;
    if (remaining <= 0) {
      throw new Error(
        'An order cannot be reduced by its whole remaining quantity: remove it instead.',
      );
    }
    this.levels.takeFromTotal(orders.level(slot), quantity);
    orders.setRemaining(slot, remaining);
  }

  /** Returns the order that trades first on this side, or NONE. */
  best(side: Side): number {
    const level = this.ladder(side).best;
    return level === NONE ? NONE : this.levels.first(level);
  }

  /** Returns the best price in price units, or undefined if the side is empty. */
  bestPrice(side: Side): number | undefined {
    const level = this.ladder(side).best;
    return level === NONE ? undefined : this.levelPrice(level);
  }

  /** Returns the total quantity at the best price in amount units; 0 if the side is empty. */
  bestAmount(side: Side): Exact {
    const level = this.ladder(side).best;
    return level === NONE ? 0 : this.levels.total(level);
  }

  /**
   * Returns the best level of a side, or NONE. `nextLevel` continues from there; a level number is
   * valid until the book changes.
   */
  bestLevel(side: Side): number {
    return this.ladder(side).best;
  }

  /** Returns the next worse level on the same side, or NONE. */
  nextLevel(level: number): number {
    return (this.levels.key(level) > 0 ? this.bids : this.asks).below(level);
  }

  /** Returns the best level of a side that is worse than a price, or NONE. */
  levelBeyond(side: Side, price: number): number {
    return this.ladder(side).belowKey(side === Side.buy ? price : -price);
  }

  levelPrice(level: number): number {
    return Math.abs(this.levels.key(level));
  }

  /** Returns the exact total quantity of a level, in amount units. */
  levelTotal(level: number): Exact {
    return this.levels.total(level);
  }

  /** Whether an iceberg of the book hides a part. */
  get hasHidden(): boolean {
    return this.hidden.size > 0;
  }

  /** Returns the exact quantity at a level that icebergs do not show, in amount units. */
  levelHidden(level: number): Exact {
    return this.hidden.size === 0 ? 0 : (this.hidden.get(this.levels.key(level)) ?? 0);
  }

  addHidden(side: Side, price: number, quantity: number): void {
    const key = side === Side.buy ? price : -price;
    this.hidden.set(key, sum(this.hidden.get(key) ?? 0, quantity));
  }

  takeHidden(side: Side, price: number, quantity: number): void {
    const key = side === Side.buy ? price : -price;
    const left = difference(this.hidden.get(key)!, quantity);
    if (left === 0) this.hidden.delete(key);
    else this.hidden.set(key, left);
  }

  /** Returns the total quantity at a price in amount units; 0 if the side has no such level. */
  totalAt(side: Side, price: number): Exact {
    const level = this.levelAt(side, price);
    return level < 0 ? 0 : this.levels.total(level);
  }

  /** Returns the level at a price, or NONE. */
  levelAt(side: Side, price: number): number {
    return this.ladder(side).at(side === Side.buy ? price : -price);
  }

  /** Returns the earliest order of a level. */
  firstOrder(level: number): number {
    return this.levels.first(level);
  }

  /** Returns the next later order at the same level, or NONE. */
  nextOrder(slot: number): number {
    const orders = this.orders;
    return slot === this.levels.last(orders.level(slot)) ? NONE : orders.next(slot);
  }

  /** Returns the latest order of a level. */
  lastOrder(level: number): number {
    return this.levels.last(level);
  }

  /** Returns the next earlier order at the same level, or NONE. */
  previousOrder(slot: number): number {
    const orders = this.orders;
    return slot === this.levels.first(orders.level(slot)) ? NONE : orders.previous(slot);
  }

  /**
   * Visits all orders of a side by priority. Adding them to an empty book in this order builds the
   * same book.
   */
  forEachOrder(side: Side, visit: (slot: number) => void): void {
    for (let level = this.bestLevel(side); level !== NONE; level = this.nextLevel(level)) {
      for (let slot = this.firstOrder(level); slot !== NONE; slot = this.nextOrder(slot)) {
        visit(slot);
      }
    }
  }

  /** Yields all orders of a side by priority. */
  *sideSlots(side: Side): Iterable<number> {
    for (let level = this.bestLevel(side); level !== NONE; level = this.nextLevel(level)) {
      for (let slot = this.firstOrder(level); slot !== NONE; slot = this.nextOrder(slot))
        yield slot;
    }
  }

  private ladder(side: Side): Ladder {
    return side === Side.buy ? this.bids : this.asks;
  }
}
