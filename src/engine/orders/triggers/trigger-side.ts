import type { OrderDetails } from '../../book/order-details.ts';
import type { OrderStore } from '../../book/order-store.ts';
import { mix, mixNumber } from '../../digest.ts';
import { NONE } from '../../terms.ts';
import { TriggerHeap, TriggerHeaps } from './trigger-heaps.ts';

const NO_KEY = Number.NEGATIVE_INFINITY;

/** The parts of a market that its reaches need. */
export interface ReachedMarket {
  readonly index: number;
  /** A MarketStatus. */
  readonly status: number;
  readonly triggers: { endReaches(generation: Generation): void };
}

/** A price that triggered orders on one side of a market; they run in the order of their triggers. */
export interface Reach {
  readonly market: ReachedMarket;
  readonly generation: Generation;
  /**
   * Price units, infinite if it reached the whole generation. A later trade may move it further if nothing else was
   * triggered in between.
   */
  price: number;
}

/**
 * Orders of one side that the same reaches apply to. An order placed after a reach, with a trigger within it, was not
 * triggered by it: it is late, and belongs to the next generation.
 */
export class Generation {
  waiting: TriggerHeaps;
  /** The furthest reach that still has orders to run. */
  furthest: Reach | undefined;
  /** Sum of the hashes of the orders; not kept for the first generation, which has no late orders. */
  hashes = 0;

  constructor(
    readonly side: TriggerSide,
    /** Index in the generations of its side. */
    public index: number,
    heap: TriggerHeap,
  ) {
    this.waiting = new TriggerHeaps(heap);
  }

  /** Key of the furthest price reached, -Infinity for none. */
  get reachedKey(): number {
    return this.furthest === undefined ? NO_KEY : this.furthest.price * this.side.sign;
  }

  /** Key of the first order, Infinity for none. */
  get firstKey(): number {
    const { waiting } = this;
    return waiting.size === 0 ? Number.POSITIVE_INFINITY : this.side.triggerKey(waiting.first);
  }

  /** The first order with a trigger that `price` reaches, NONE for none. */
  firstWithin(price: number): number {
    return this.waiting.size > 0 && this.firstKey <= price * this.side.sign
      ? this.waiting.first
      : NONE;
  }

  /** Mixes the late orders, which its reaches do not apply to, into a digest. */
  mixInto(digest: number): number {
    const hash = mix(mix(digest, this.index), this.side.isRising ? 1 : 0);
    return mix(hash, this.side.generations[this.index + 1]?.hashes ?? 0);
  }
}

/**
 * The pending orders of one market that trigger on a rise, or on a fall. Keys are trigger prices, negated for a fall. The
 * time of an operation depends neither on the number of pending orders nor on how many of them a price reaches.
 *
 * A later generation has lower keys: all of them are within the furthest reach of the generation before it. Orders
 * beyond the furthest reach of their generation are still pending.
 */
export class TriggerSide {
  /** All have a reach, except perhaps the last; after `clearReaches` none has. */
  readonly generations: Generation[] = [];

  constructor(
    private readonly orders: OrderStore,
    private readonly details: OrderDetails,
    readonly sign: 1 | -1,
  ) {
    this.addGeneration();
  }

  get isRising(): boolean {
    return this.sign === 1;
  }

  triggerKey(slot: number): number {
    return this.details.triggerPrice(slot) * this.sign;
  }

  /** Lowest key at which a trade may reach further orders; Infinity for none. */
  get next(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const generation of this.generations) {
      const { furthest, reachedKey } = generation;
      next = Math.min(next, furthest === undefined ? generation.firstKey : reachedKey + 1);
    }
    return next;
  }

  /** The first order of the first generation with a trigger that `price` reaches, NONE for none. */
  firstWithin(price: number): number {
    return this.generations[0]!.firstWithin(price);
  }

  /**
   * Returns a reach for each generation with orders that `price` is the first to reach; those with the nearest
   * triggers first.
   */
  findReaches(price: number, market: ReachedMarket): Reach[] {
    const reaches: Reach[] = [];
    let limit = Number.POSITIVE_INFINITY;
    for (const generation of this.generations) {
      const { reachedKey } = generation;
      const key = price * this.sign;
      const reached = key < limit ? price : this.sign * Number.POSITIVE_INFINITY;
      if (reached * this.sign > reachedKey && generation.firstKey <= key) {
        reaches.push({ market, generation, price: reached });
      }
      limit = Math.min(limit, reachedKey);
    }
    return reaches.reverse();
  }

  /**
   * Ends the reaches of a generation once all orders within them have left. Its other orders join those of the next
   * generation, whose keys are lower.
   */
  endReaches(generation: Generation): void {
    const { reachedKey, index } = generation;
    generation.furthest = undefined;
    const next = this.generations[index + 1];
    if (next === undefined) return;
    if (next.reachedKey === Number.POSITIVE_INFINITY) next.furthest!.price = reachedKey * this.sign;
    generation.waiting.prepend(next.waiting, reachedKey);
    next.waiting = generation.waiting;
    next.hashes = (next.hashes + generation.hashes) | 0;
    this.generations.splice(index, 1);
    for (let at = index; at < this.generations.length; at++) this.generations[at]!.index = at;
  }

  /** Makes all orders pending again, including those that were reached, because the market no longer trades. */
  clearReaches(): void {
    for (const generation of this.generations) generation.furthest = undefined;
  }

  /** Returns a generation of a state that is being restored. */
  restoreGeneration(index: number): Generation {
    while (this.generations.length <= index) this.addGeneration();
    return this.generations[index]!;
  }

  add(slot: number): void {
    const key = this.triggerKey(slot);
    const generation =
      this.generations.find(({ reachedKey }) => reachedKey < key) ?? this.addGeneration();
    this.addTo(generation, slot);
  }

  remove(slot: number): void {
    this.removeFrom(this.findGeneration(slot), slot);
  }

  /** Moves an order into the next generation, where it was when a snapshot was taken. */
  postpone(slot: number): void {
    const generation = this.findGeneration(slot);
    this.removeFrom(generation, slot);
    this.addTo(this.restoreGeneration(generation.index + 1), slot);
  }

  isInPlace(slot: number): boolean {
    return this.findGeneration(slot).waiting.isInPlace(slot);
  }

  isReached(slot: number): boolean {
    return this.triggerKey(slot) <= this.findGeneration(slot).reachedKey;
  }

  /** Whether there are late orders: within a reach, but placed after it. */
  get hasLate(): boolean {
    const { generations } = this;
    return (
      !this.hasNoReaches && generations.some(({ index, waiting }) => index > 0 && waiting.size > 0)
    );
  }

  /**
   * Returns, for each generation but the first, the sorted slots of its orders and of those of all later generations.
   * So an order of the second generation is listed once, one of the third twice.
   */
  lateOrders(): number[] {
    if (this.hasNoReaches) return [];
    return this.generations.flatMap(({ index }) =>
      index === 0
        ? []
        : this.sorted(this.generations.slice(index).flatMap(({ waiting }) => waiting.slots)),
    );
  }

  /** The order with the nearest trigger, of the first generation that has orders; there must be one. */
  get first(): number {
    const firsts = this.generations.filter(({ waiting }) => waiting.size > 0);
    if (!this.hasNoReaches) return firsts[0]!.waiting.first;
    return firsts
      .map(({ waiting }) => waiting.first)
      .reduce((a, b) => (this.isBefore(a, b) ? a : b));
  }

  get size(): number {
    const { generations } = this;
    if (generations.length === 1) return generations[0]!.waiting.size;
    return generations.reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  /** Returns the slots generation by generation, each by nearest trigger. */
  inOrder(): number[] {
    const { generations } = this;
    if (this.hasNoReaches) return this.sorted(generations.flatMap(({ waiting }) => waiting.slots));
    return generations.flatMap(({ waiting }) => this.sorted(waiting.slots));
  }

  /** Whether the reaches were cleared; generations then make no difference. */
  private get hasNoReaches(): boolean {
    return this.generations[0]!.furthest === undefined;
  }

  private findGeneration(slot: number): Generation {
    const { generations } = this;
    if (generations.length === 1) return generations[0]!;
    return generations.find(({ waiting }) => waiting.has(slot)) ?? generations[0]!;
  }

  private addTo(generation: Generation, slot: number): void {
    generation.waiting.add(slot);
    if (generation.index > 0) generation.hashes = (generation.hashes + this.hash(slot)) | 0;
  }

  private removeFrom(generation: Generation, slot: number): void {
    generation.waiting.remove(slot);
    if (generation.index > 0) generation.hashes = (generation.hashes - this.hash(slot)) | 0;
  }

  private hash(slot: number): number {
    return mixNumber(26, this.details.id(slot));
  }

  private addGeneration(): Generation {
    const heap = new TriggerHeap(this.orders, this.details, this.sign);
    const generation = new Generation(this, this.generations.length, heap);
    this.generations.push(generation);
    return generation;
  }

  private sorted(slots: readonly number[]): number[] {
    return slots.toSorted((a, b) => (this.isBefore(a, b) ? -1 : 1));
  }

  private isBefore(a: number, b: number): boolean {
    const difference = this.triggerKey(a) - this.triggerKey(b);
    return difference === 0 ? this.details.id(a) < this.details.id(b) : difference < 0;
  }
}
