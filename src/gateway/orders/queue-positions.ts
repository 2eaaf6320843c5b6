import type { Event } from '../../engine/event.ts';
import { difference, type Exact, sum } from '../../engine/numbers/exact.ts';
import type { State } from '../../engine/state.ts';
import { NONE, OrderStatus, Side } from '../../engine/terms.ts';
import { LevelQueue } from './level-queue.ts';

/** An order with at most this many orders ahead, or behind, is looked up in the book itself. */
const MAX_WALKED = 64;
/** Orders that are added to a queue at once, while the exchange waits: 2 to 4 ms. */
const PORTION = 4096;
/** Maximum places in all queues: about 64 MB. */
const MAX_QUEUED = 2_000_000;
/** A queue is dropped after this many changes, plus a share of its length, without a question. */
const MIN_CHANGES_KEPT = 4096;
const CHANGES_SHARE = 0.25;
/** A queue with this many more places than twice its orders is built again. */
const MAX_UNUSED = 1024;

/** A level about which questions were asked, and what changed since the last one. */
interface WatchedLevel {
  readonly market: number;
  readonly side: Side;
  readonly price: number;
  queue: LevelQueue;
  /** Ids of the last portion added to the queue, in its order, until it is complete; null afterwards. */
  queued: number[] | null;
  /** Resolves once the queue is complete; only while it is built in portions. */
  completion: Promise<void> | undefined;
  /** The places of the queue that are part of `QueuePositions.places`. */
  places: number;
  /** Ids of orders that changed, arrived or left. */
  readonly touched: Set<number>;
  /** Ids of those that left their place; they may be back at the end. */
  readonly moved: Set<number>;
}

/**
 * Answers how much is ahead of a resting order in the queue of its price. Both ends of a queue are read from the book.
 * For the middle of a long one a `LevelQueue` is built when the first question comes; it then costs a note per change
 * of that level, until it is dropped because no one asks any more. `prepare` builds it in portions, so that other work
 * continues in between. It is no part of the state.
 */
export class QueuePositions {
  /** By market, then by the level's key; the level asked about last is at the end. */
  private readonly markets = new Map<number, Map<number, WatchedLevel>>();
  /** All watched levels; the one asked about last is at the end. */
  private readonly levels = new Set<WatchedLevel>();
  /** Places of all queues. */
  private places = 0;

  /** @param maxWalked Maximum orders ahead that are counted one by one. */
  constructor(
    private readonly exchange: () => { readonly state: State },
    private readonly maxWalked = MAX_WALKED,
    private readonly minChangesKept = MIN_CHANGES_KEPT,
    private readonly portion = PORTION,
  ) {}

  /** Number of levels that have a queue now. */
  get size(): number {
    return this.levels.size;
  }

  /** Notes the changes of a command; must be called for every command. */
  note(events: readonly Event[]): void {
    if (this.levels.size === 0) return;
    const { freed } = this.exchange().state;
    for (let at = 0; at < freed.length; at += 4) {
      const level = this.find(freed[at]!, freed[at + 1] as Side, freed[at + 2]!);
      level?.moved.add(freed[at + 3]!);
      if (level !== undefined) this.touch(level, freed[at + 3]!);
    }
    for (const event of events) {
      if (event.kind === 'trade') {
        const side = event.takerSide === Side.buy ? Side.sell : Side.buy;
        const level = this.find(event.market, side, event.price);
        if (level !== undefined) this.touch(level, event.makerOrderId);
      } else if (event.kind === 'order' && event.status === OrderStatus.open) {
        const level = this.find(event.market, event.side, event.price);
        if (level !== undefined) this.touch(level, event.id);
      }
    }
  }

  /**
   * Builds the queues without which `ahead` would block the exchange for one of these orders.
   * @returns Undefined if there are none, else a promise that resolves when they are built: `ahead` must then be called
   * at once, before other commands drop them again.
   */
  prepare(orderIds: Iterable<number>): Promise<void> | undefined {
    const levels = new Set<WatchedLevel>();
    for (const orderId of orderIds) {
      const slot = this.findResting(orderId);
      if (slot === NONE) continue;
      const known = this.findLevel(slot);
      if (known?.queued === null) {
        if (known.queue.length <= 2 * known.queue.orders + MAX_UNUSED) continue;
        this.drop(known);
      }
      if (this.walk(slot) === undefined) levels.add(this.findLevel(slot) ?? this.watch(slot));
    }
    return levels.size === 0 ? undefined : this.completeEach(levels);
  }

  /**
   * Returns the amount that is ahead of an open order, in amount units; undefined if it does not rest in the book. In the
   * middle of a long queue the first question takes long, see `prepare`.
   */
  ahead(orderId: number): Exact | undefined {
    const slot = this.findResting(orderId);
    if (slot === NONE) return undefined;
    const known = this.findLevel(slot);
    if (known?.queued !== null) {
      const walked = this.walk(slot);
      if (walked !== undefined) return walked;
    }
    const level = known ?? this.watch(slot);
    while (level.queued !== null) this.extend(level);
    this.levels.delete(level);
    this.levels.add(level);
    this.catchUp(level);
    const { queue } = level;
    this.places += queue.length - level.places;
    level.places = queue.length;
    this.shrink();
    return queue.ahead(orderId);
  }

  private async completeEach(levels: Iterable<WatchedLevel>): Promise<void> {
    for (const level of levels) await (level.completion ?? this.complete(level));
  }

  /** Builds a queue in portions. */
  private complete(level: WatchedLevel): Promise<void> {
    const work = async () => {
      while (level.queued !== null) {
        this.extend(level);
        if (level.queued !== null) await new Promise((resolve) => setImmediate(resolve));
      }
      level.completion = undefined;
    };
    level.completion = work();
    return level.completion;
  }

  /** Returns the slot of an order that rests in a book, or NONE. */
  private findResting(orderId: number): number {
    const { index, details } = this.exchange().state;
    const slot = index.find(orderId);
    return slot === NONE || details.isPending(slot) ? NONE : slot;
  }

  /** Sums up the orders ahead, or those behind, one by one; undefined if both are too many. */
  private walk(slot: number): Exact | undefined {
    const { state } = this.exchange();
    const { orders } = state;
    const { book } = state.markets[state.details.market(slot)]!;
    let ahead: Exact = 0;
    let from: Exact = orders.remaining(slot);
    let before = book.previousOrder(slot);
    let after = book.nextOrder(slot);
    for (let count = 0; count <= this.maxWalked; count++) {
      if (before === NONE) return ahead;
      if (after === NONE) return difference(book.levelTotal(orders.level(slot)), from);
      ahead = sum(ahead, orders.remaining(before));
      from = sum(from, orders.remaining(after));
      before = book.previousOrder(before);
      after = book.nextOrder(after);
    }
    return undefined;
  }

  /** Watches an order's level; its queue is empty at first. */
  private watch(slot: number): WatchedLevel {
    const { orders, details } = this.exchange().state;
    const level: WatchedLevel = {
      market: details.market(slot),
      side: orders.side[slot] as Side,
      price: orders.price(slot),
      queue: new LevelQueue(),
      queued: [],
      completion: undefined,
      places: 0,
      touched: new Set(),
      moved: new Set(),
    };
    const levels = this.markets.get(level.market) ?? new Map<number, WatchedLevel>();
    this.markets.set(level.market, levels);
    levels.set(key(level.side, level.price), level);
    this.levels.add(level);
    return level;
  }

  /** Adds the next portion of orders to a queue that is not complete. */
  private extend(level: WatchedLevel): void {
    const { touched, moved } = level;
    const { state } = this.exchange();
    const { book } = state.markets[level.market]!;
    let slot = this.nextUnqueued(level);
    const { queue } = level;
    const queued: number[] = [];
    level.queued = queued;
    for (let count = 0; slot !== NONE; slot = book.nextOrder(slot)) {
      if (count++ === this.portion) return;
      const id = state.details.id(slot);
      // It arrived in the meantime, or came back from another place of the queue.
      if (touched.delete(id)) {
        moved.delete(id);
        queue.set(id, 0);
      }
      queue.append(id, state.orders.remaining(slot));
      queued.push(id);
    }
    level.queued = null;
  }

  /**
   * Returns the slot after the last order of the queue that is still at its place, or NONE. Begins again if the whole last
   * portion has left.
   */
  private nextUnqueued(level: WatchedLevel): number {
    const { state } = this.exchange();
    const { book } = state.markets[level.market]!;
    const { queued, moved, touched } = level;
    const last = queued?.findLast((id) => !moved.has(id) && this.isAt(level, id));
    if (last !== undefined) return book.nextOrder(state.index.find(last));
    level.queue = new LevelQueue();
    touched.clear();
    moved.clear();
    const at = book.levelAt(level.side, level.price);
    return at === NONE ? NONE : book.firstOrder(at);
  }

  /** Returns whether an order rests at a level. */
  private isAt({ market, side, price }: WatchedLevel, orderId: number): boolean {
    const { orders, details } = this.exchange().state;
    const slot = this.findResting(orderId);
    return (
      slot !== NONE &&
      orders.price(slot) === price &&
      orders.side[slot] === side &&
      details.market(slot) === market
    );
  }

  /** Applies the noted changes of a level to its queue. */
  private catchUp(watched: WatchedLevel): void {
    const { market, side, price, queue, touched, moved } = watched;
    const { state } = this.exchange();
    const { index, orders, details } = state;
    const { book } = state.markets[market]!;
    const level = book.levelAt(side, price);
    let arrivals = 0;
    for (const id of touched) {
      const isThere = this.isAt(watched, id);
      if (isThere && !moved.has(id) && queue.has(id)) {
        queue.set(id, orders.remaining(index.find(id)));
      } else {
        queue.set(id, 0);
        if (isThere) arrivals++;
      }
    }
    touched.clear();
    moved.clear();
    // Whatever arrived is at the end of the level, in order of the queue.
    const slots: number[] = [];
    let slot = arrivals === 0 ? NONE : book.lastOrder(level);
    for (; slot !== NONE && slots.length < arrivals; slot = book.previousOrder(slot)) {
      slots.push(slot);
    }
    for (const arrived of slots.reverse()) {
      queue.append(details.id(arrived), orders.remaining(arrived));
    }
  }

  /** Drops the levels that were not asked about for longest while the queues are too long together. */
  private shrink(): void {
    for (const level of this.levels) {
      if (this.places <= MAX_QUEUED) return;
      if (level.queued === null) this.drop(level);
    }
  }

  private touch(level: WatchedLevel, orderId: number): void {
    const { touched, queue } = level;
    touched.add(orderId);
    // A queue that is being built takes little time, and someone waits for it.
    if (level.queued !== null) return;
    if (touched.size > this.minChangesKept + queue.length * CHANGES_SHARE) this.drop(level);
  }

  private drop(level: WatchedLevel): void {
    const { market, side, price, places } = level;
    const levels = this.markets.get(market)!;
    this.places -= places;
    this.levels.delete(level);
    levels.delete(key(side, price));
    if (levels.size === 0) this.markets.delete(market);
  }

  private findLevel(slot: number): WatchedLevel | undefined {
    const { orders, details } = this.exchange().state;
    return this.find(details.market(slot), orders.side[slot] as Side, orders.price(slot));
  }

  private find(market: number, side: Side, price: number): WatchedLevel | undefined {
    return this.markets.get(market)?.get(key(side, price));
  }
}

function key(side: Side, price: number): number {
  return side === Side.buy ? price : -price;
}
