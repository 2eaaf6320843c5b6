import type { OrderRecord } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { isStop } from '../../../engine/orders/order-terms.ts';
import type { State } from '../../../engine/state.ts';
import { NONE, OrderStatus, Side } from '../../../engine/terms.ts';

/** The orders of a level that a reader has, if it does not have all of them yet. */
class PartOfLevel {
  /** The orders sent last, in order of the queue: at most `maxKept` of them. */
  private readonly lastIds: number[] = [];
  /** One bit per slot. */
  private sent = new Uint8Array(0);

  constructor(private readonly maxKept: number) {}

  add(slot: number, id: number): void {
    const at = slot >> 3;
    if (at >= this.sent.length) {
      const grown = new Uint8Array(Math.max(at + 1, this.sent.length * 2));
      grown.set(this.sent);
      this.sent = grown;
    }
    this.sent[at]! |= 1 << (slot & 7);
    this.lastIds.push(id);
    if (this.lastIds.length >= 2 * this.maxKept) this.lastIds.splice(0, this.maxKept);
  }

  /** Notes that the order in this slot has just arrived and is not sent. */
  forget(slot: number): void {
    if (slot >> 3 < this.sent.length) this.sent[slot >> 3]! &= ~(1 << (slot & 7));
  }

  has(slot: number): boolean {
    return ((this.sent[slot >> 3] ?? 0) & (1 << (slot & 7))) !== 0;
  }

  /** Returns the last sent order that `isThere`, and drops those after it. */
  last(isThere: (id: number) => boolean): number | undefined {
    while (this.lastIds.length > 0 && !isThere(this.lastIds.at(-1)!)) this.lastIds.pop();
    return this.lastIds.at(-1);
  }

  copy(): PartOfLevel {
    const copy = new PartOfLevel(this.maxKept);
    copy.lastIds.push(...this.lastIds);
    copy.sent = this.sent.slice();
    return copy;
  }
}

/**
 * Position of a reader in the orders of one side of a book, best first. It may stop within a level, because a
 * level can have any number of orders.
 */
export class BookCursor {
  /** Whether the reader has the whole side. */
  isComplete = false;
  /** The worst price of which the reader has orders. */
  private price: number;
  private part: PartOfLevel | undefined;

  /**
   * @param maxMoved Maximum orders that leave their place between two calls of `next`. If more do, start over with
   * a new cursor.
   */
  constructor(
    private readonly state: State,
    private readonly market: Market,
    private readonly side: Side,
    private readonly maxMoved: number,
  ) {
    this.price = side === Side.buy ? Number.POSITIVE_INFINITY : 0;
  }

  /** Returns a cursor of a reader that has the whole side. */
  static complete(state: State, market: Market, side: Side): BookCursor {
    const cursor = new BookCursor(state, market, side, 0);
    cursor.isComplete = true;
    return cursor;
  }

  copy(): BookCursor {
    const copy = new BookCursor(this.state, this.market, this.side, this.maxMoved);
    copy.isComplete = this.isComplete;
    copy.price = this.price;
    copy.part = this.part?.copy();
    return copy;
  }

  /** Returns whether the reader has this resting order, which has kept its place. */
  has(slot: number, price: number): boolean {
    return this.covers(price) || (this.isPart(price) && this.part!.has(slot));
  }

  /** Returns whether the reader has all orders at a price. */
  covers(price: number): boolean {
    if (this.isComplete) return true;
    if (price === this.price) return this.part === undefined;
    return this.side === Side.buy ? price > this.price : price < this.price;
  }

  /** Notes an order that arrived at a price of which the reader does not have all orders. */
  noteArrival(slot: number, price: number): void {
    if (this.isPart(price)) this.part!.forget(slot);
  }

  /** Returns the slots of the next orders, and moves past them. */
  next(maxOrders: number): number[] {
    const { book } = this.market;
    const slots: number[] = [];
    let [level, slot] = this.resume();
    while (level !== NONE) {
      const first = slots.length;
      for (; slot !== NONE && slots.length < maxOrders; slot = book.nextOrder(slot))
        slots.push(slot);
      if (slot !== NONE) {
        this.stopWithin(level, slots.slice(first));
        return slots;
      }
      this.price = book.levelPrice(level);
      this.part = undefined;
      level = book.nextLevel(level);
      slot = level === NONE ? NONE : book.firstOrder(level);
    }
    this.isComplete = true;
    this.part = undefined;
    return slots;
  }

  private isPart(price: number): boolean {
    return this.part !== undefined && price === this.price;
  }

  /** Returns the next level and its first order that the reader does not have; NONE for all of them. */
  private resume(): [level: number, slot: number] {
    const { state, market, side, price, part } = this;
    const { book } = market;
    const level = part === undefined ? NONE : book.levelAt(side, price);
    if (level === NONE) {
      const next = book.levelBeyond(side, price);
      return [next, next === NONE ? NONE : book.firstOrder(next)];
    }
    const { index, orders } = state;
    const last = part!.last((id) => {
      const slot = index.find(id);
      return (
        slot !== NONE && part!.has(slot) && isResting(state, slot) && orders.level(slot) === level
      );
    });
    return [level, last === undefined ? book.firstOrder(level) : book.nextOrder(index.find(last))];
  }

  private stopWithin(level: number, slots: readonly number[]): void {
    if (slots.length === 0) return;
    const price = this.market.book.levelPrice(level);
    if (!this.isPart(price)) this.part = new PartOfLevel(this.maxMoved + 1);
    this.price = price;
    for (const slot of slots) this.part!.add(slot, this.state.details.id(slot));
  }
}

/** Returns whether an open order is in the book: not awaiting its trigger, nor triggered. */
export function isResting({ details }: State, slot: number): boolean {
  return !details.isPending(slot);
}

/** Returns whether an order of an event rests in the book: pending triggers and orders that did not rest are private. */
export function isInBook({ id, status, type, parentId }: OrderRecord, state: State): boolean {
  if (status !== OrderStatus.open) return false;
  // Legs of any type may be pending.
  if (!isStop(type) && parentId === 0) return true;
  const slot = state.index.find(id);
  return slot !== NONE && isResting(state, slot);
}
