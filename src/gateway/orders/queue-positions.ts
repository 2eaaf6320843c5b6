import type { Event } from '../../engine/event.ts';
import { type Exact, sum } from '../../engine/numbers/exact.ts';
import type { State } from '../../engine/state.ts';
import { NONE, OrderStatus, Side } from '../../engine/terms.ts';
import { LevelQueue } from './level-queue.ts';

/** An order with at most this many orders ahead is looked up in the book itself. */
const MAX_WALKED = 64;
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
  /** The places of the queue that are part of `QueuePositions.places`. */
  places: number;
  /** Ids of orders that changed, arrived or left. */
  readonly touched: Set<number>;
  /** Ids of those that left their place; they may be back at the end. */
  readonly moved: Set<number>;
}

/**
 * Answers how much is ahead of a resting order in the queue of its price. Short queues are read from the book. For a
 * long one a `LevelQueue` is built when the first question comes; it then costs a note per change of that
 * level, until it is dropped because no one asks any more. It is no part of the state.
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

  /** Returns the amount that is ahead of an open order, in amount units; undefined if it does not rest in the book. */
  ahead(orderId: number): Exact | undefined {
    const { state } = this.exchange();
    const slot = state.index.find(orderId);
    if (slot === NONE || state.details.isPending(slot)) return undefined;
    return this.walk(slot) ?? this.findQueue(slot).ahead(orderId);
  }

  /** Sums up the orders ahead one by one; undefined if they are too many. */
  private walk(slot: number): Exact | undefined {
    const { state } = this.exchange();
    const { book } = state.markets[state.details.market(slot)]!;
    let total: Exact = 0;
    let ahead = book.previousOrder(slot);
    for (let count = 0; ahead !== NONE; ahead = book.previousOrder(ahead)) {
      if (count++ === this.maxWalked) return undefined;
      total = sum(total, state.orders.remaining(ahead));
    }
    return total;
  }

  /** Returns the queue of an order's level as it is now. */
  private findQueue(slot: number): LevelQueue {
    const { orders, details } = this.exchange().state;
    const market = details.market(slot);
    const side = orders.side[slot] as Side;
    const price = orders.price(slot);
    const level = this.find(market, side, price) ?? this.watch(market, side, price);
    this.levels.delete(level);
    this.levels.add(level);
    this.catchUp(level);
    const { queue } = level;
    if (queue.length > 2 * queue.orders + MAX_UNUSED) level.queue = this.build(market, side, price);
    this.places += level.queue.length - level.places;
    level.places = level.queue.length;
    this.shrink();
    return level.queue;
  }

  private build(market: number, side: Side, price: number): LevelQueue {
    const { details, markets, orders } = this.exchange().state;
    const { book } = markets[market]!;
    const first = book.firstOrder(book.levelAt(side, price));
    let count = 0;
    for (let slot = first; slot !== NONE; slot = book.nextOrder(slot)) count++;
    // With room for orders that arrive: growing copies everything.
    const queue = new LevelQueue(Math.ceil(count * 1.25));
    for (let slot = first; slot !== NONE; slot = book.nextOrder(slot)) {
      queue.append(details.id(slot), orders.remaining(slot));
    }
    return queue;
  }

  private watch(market: number, side: Side, price: number): WatchedLevel {
    const queue = this.build(market, side, price);
    const level: WatchedLevel = {
      market,
      side,
      price,
      queue,
      places: 0,
      touched: new Set(),
      moved: new Set(),
    };
    const levels = this.markets.get(market) ?? new Map<number, WatchedLevel>();
    this.markets.set(market, levels);
    levels.set(key(side, price), level);
    this.levels.add(level);
    return level;
  }

  /** Applies the noted changes of a level to its queue. */
  private catchUp({ market, side, price, queue, touched, moved }: WatchedLevel): void {
    const { state } = this.exchange();
    const { index, orders, details } = state;
    const { book } = state.markets[market]!;
    const level = book.levelAt(side, price);
    let arrivals = 0;
    for (const id of touched) {
      const slot = index.find(id);
      const isThere =
        slot !== NONE &&
        !details.isPending(slot) &&
        orders.level(slot) === level &&
        orders.side[slot] === side &&
        details.market(slot) === market;
      if (isThere && !moved.has(id) && queue.has(id)) queue.set(id, orders.remaining(slot));
      else {
        queue.set(id, 0);
        if (isThere) arrivals++;
      }
    }
    touched.clear();
    moved.clear();
    // Whatever arrived is at the end of the level, in order of the queue.
    const slots: number[] = [];
    let slot = arrivals === 0 ? NONE : book.lastOrder(level);
    for (; slots.length < arrivals; slot = book.previousOrder(slot)) slots.push(slot);
    for (const arrived of slots.reverse()) {
      queue.append(details.id(arrived), orders.remaining(arrived));
    }
  }

  /** Drops the levels that were not asked about for longest while the queues are too long together. */
  private shrink(): void {
    for (const level of this.levels) {
      if (this.places <= MAX_QUEUED) return;
      this.drop(level);
    }
  }

  private touch(level: WatchedLevel, orderId: number): void {
    const { touched, queue } = level;
    touched.add(orderId);
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

  private find(market: number, side: Side, price: number): WatchedLevel | undefined {
    return this.markets.get(market)?.get(key(side, price));
  }
}

function key(side: Side, price: number): number {
  return side === Side.buy ? price : -price;
}
