import type { Market } from '../../../engine/markets/markets.ts';
import type { State } from '../../../engine/state.ts';
import { NONE, Side } from '../../../engine/terms.ts';
import { timeOrNull } from '../../endpoints/records.ts';
import { orderEntries, topChecksum } from '../../orders/book-orders.ts';
import type { PublicOrderIds } from '../../orders/public-order-ids.ts';
import { BookCursor, isResting } from './book-cursor.ts';
import type { BookFeed } from './book-feed.ts';
import { ChangeLog } from './change-log.ts';

/** Maximum orders per update. If more have changed, a new snapshot is sent instead. */
export const MAX_CHANGED_ORDERS = 4000;

/** The place in the book that a reader has reached, by side. */
export type Cursors = readonly [bids: BookCursor, asks: BookCursor];

/** The first part of a book, shared by all readers that start at the same sequence. */
export interface OrdersSnapshot {
  readonly sequence: number;
  readonly body: string;
  readonly cursors: Cursors;
}

/** The state of a book that a reader has. */
export interface KnownBook {
  readonly sequence: number;
  /** The id of the next order at that sequence: the reader has no order with this id or a higher one. */
  readonly nextOrderId: number;
  readonly cursors: Cursors;
  /** Whether an order has left its place since. */
  hasMoved(orderId: number): boolean;
}

/** The orders of one book that changed since its last update; while readers are behind, also earlier changes. */
export class OrderChanges implements BookFeed {
  /** Ids of orders that are in the book or have left it. */
  private readonly touched = new Set<number>();
  /** Ids of orders that left their place; they may be in the book again, at the end of a level. */
  private readonly moved = new Set<number>();
  private readonly changeLog: ChangeLog;
  private readonly moveLog: ChangeLog;
  private readonly cursors: Cursors;
  sequence: number;
  private nextId: number;
  /** The latest snapshot. */
  snapshot: OrdersSnapshot | undefined;

  constructor(
    readonly state: State,
    readonly market: Market,
    private readonly ids: PublicOrderIds,
    private readonly maxChanged = MAX_CHANGED_ORDERS,
  ) {
    const sequence = market.bookSequence;
    this.sequence = sequence;
    this.nextId = state.nextOrderId;
    this.changeLog = new ChangeLog(maxChanged, sequence);
    this.moveLog = new ChangeLog(maxChanged, sequence);
    this.cursors = [
      BookCursor.complete(state, market, Side.buy),
      BookCursor.complete(state, market, Side.sell),
    ];
  }

  /** The id of the next order as of `sequence`. */
  get nextOrderId(): number {
    return this.nextId;
  }

  /** Notes that a resting order changed or was filled. */
  touch(orderId: number): void {
    this.touched.add(orderId);
  }

  /** Notes that an order left its place in the book other than by a fill. */
  noteLeft(orderId: number): void {
    this.touched.add(orderId);
    this.moved.add(orderId);
  }

  /** Notes that a pending order was removed; it may be in the book now. */
  noteTriggered(orderId: number): void {
    this.moved.add(orderId);
  }

  get isTooLargeForUpdate(): boolean {
    return this.touched.size > this.maxChanged;
  }

  take(): string | undefined {
    const { market, sequence, nextId, cursors } = this;
    const isChanged = market.bookSequence !== sequence;
    const hasMoved = (id: number) => this.moved.has(id);
    const known = { sequence, nextOrderId: nextId, cursors, hasMoved };
    const text = isChanged ? this.update(known, this.touched) : undefined;
    this.skip();
    return text;
  }

  skip(): void {
    this.sequence = this.market.bookSequence;
    this.nextId = this.state.nextOrderId;
    this.changeLog.record(this.touched, this.sequence);
    this.moveLog.record(this.moved, this.sequence);
    this.touched.clear();
    this.moved.clear();
  }

  /** Logs changes from now on, until every reader that holds the log has released it. */
  hold(reader: object): void {
    this.changeLog.hold(reader, this.sequence);
    this.moveLog.hold(reader, this.sequence);
  }

  release(reader: object): void {
    this.changeLog.release(reader);
    this.moveLog.release(reader);
  }

  /** Returns the orders that changed and moved after a sequence, or undefined if they are too many for an update. */
  since(sequence: number): { changed: number[]; moved: ReadonlySet<number> } | undefined {
    const changed = this.changeLog.since(sequence);
    const moved = this.moveLog.since(sequence);
    if (changed === undefined || moved === undefined) return undefined;
    return { changed, moved: new Set(moved) };
  }

  /**
   * Returns the body of an update with these orders as they are now. A reader that does not have the whole book
   * gets up to `partOrders` further orders per side.
   */
  update(known: KnownBook, orderIds: Iterable<number>, partOrders = 0): string {
    const { market, state, ids } = this;
    const { removed, slots } = this.changesFor(known, orderIds);
    const isPart = known.cursors.some((cursor) => !cursor.isComplete);
    for (const [place, cursor] of known.cursors.entries()) {
      if (!cursor.isComplete) slots[place]!.push(...cursor.next(partOrders));
    }
    const isComplete = known.cursors.every((cursor) => cursor.isComplete);
    const [bids, asks] = slots.map((each) => orderEntries(state, market, ids, each));
    const texts = ids.texts(removed).map((text) => `"${text}"`);
    return (
      `"prevSequence":${known.sequence},"sequence":${market.bookSequence},` +
      `"data":{"symbol":"${market.symbol}","removed":[${texts}],"bids":[${bids}],"asks":[${asks}],` +
      `"updatedAt":${timeOrNull(market.bookChangedAt)},${isPart ? `"complete":${isComplete},` : ''}"checksum":${topChecksum(state, market, ids)}}`
    );
  }

  /** Returns the body of a snapshot with these orders, by slot. */
  snapshotText(bids: readonly number[], asks: readonly number[], isComplete: boolean): string {
    const { market, state, ids } = this;
    return (
      `"sequence":${this.sequence},"data":{"symbol":"${market.symbol}",` +
      `"bids":[${orderEntries(state, market, ids, bids)}],` +
      `"asks":[${orderEntries(state, market, ids, asks)}],` +
      `"updatedAt":${timeOrNull(market.bookChangedAt)},` +
      `"complete":${isComplete},"checksum":${topChecksum(state, market, ids)}}`
    );
  }

  /** Returns what a reader has to remove, and then the slots of the orders that it has to change or to append. */
  private changesFor(
    { nextOrderId, cursors, hasMoved }: KnownBook,
    orderIds: Iterable<number>,
  ): { removed: number[]; slots: [bids: number[], asks: number[]] } {
    const { state } = this;
    const { index, orders } = state;
    const removed: number[] = [];
    const slots: [number[], number[]] = [[], []];
    /** Number of orders that arrived, by level. */
    const arrivals = new Map<number, number>();
    for (const id of orderIds) {
      const slot = index.find(id);
      const isNew = id >= nextOrderId;
      const isThere = slot !== NONE && isResting(state, slot);
      const keepsPlace = isThere && !isNew && !hasMoved(id);
      if (!isNew && !keepsPlace) removed.push(id);
      if (!isThere) continue;
      const place = orders.side[slot] === Side.buy ? 0 : 1;
      const price = orders.price(slot);
      if (keepsPlace) {
        if (cursors[place].has(slot, price)) slots[place].push(slot);
      } else if (cursors[place].covers(price)) {
        const level = orders.level(slot);
        arrivals.set(level, (arrivals.get(level) ?? 0) + 1);
      } else cursors[place].noteArrival(slot, price);
    }
    this.addArrivals(arrivals, slots);
    return { removed, slots };
  }

  /** Adds the orders that arrived last at each level, in order of the queue. */
  private addArrivals(
    arrivals: ReadonlyMap<number, number>,
    slots: readonly [number[], number[]],
  ): void {
    const { orders } = this.state;
    const { book } = this.market;
    for (const [level, count] of arrivals) {
      const last: number[] = [];
      let slot = book.lastOrder(level);
      for (; last.length < count; slot = book.previousOrder(slot)) last.push(slot);
      slots[orders.side[last[0]!] === Side.buy ? 0 : 1].push(...last.reverse());
    }
  }
}
