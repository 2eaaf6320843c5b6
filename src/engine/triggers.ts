import type { OrderDetails } from './order-details.ts';
import { waitsForRise } from './order-terms.ts';
import type { OrderStore } from './orders.ts';
import { NONE, type Side } from './terms.ts';

/**
 * One market's orders that wait for a last price: those for a price at or above their trigger, and
 * those for one at or below. In each the trigger nearest to the price comes first, then the order
 * placed first.
 */
export class Triggers {
  private readonly rising: TriggerHeap;
  private readonly falling: TriggerHeap;
  /** The nearest triggers, where no price reaches while none waits. */
  private nextAbove = Number.POSITIVE_INFINITY;
  private nextBelow: number = NONE;

  constructor(
    private readonly orders: OrderStore,
    private readonly details: OrderDetails,
  ) {
    this.rising = new TriggerHeap(orders, details, 1);
    this.falling = new TriggerHeap(orders, details, -1);
  }

  /** Whether a trade at `price` triggers an order. */
  isReachedBy(price: number): boolean {
    return price >= this.nextAbove || price <= this.nextBelow;
  }

  /** The next slot that a trade at `price` triggers, NONE where there is none. */
  nextReachedBy(price: number): number {
    if (price >= this.nextAbove) return this.rising.first;
    return price <= this.nextBelow ? this.falling.first : NONE;
  }

  add(slot: number): void {
    this.heapOf(slot).add(slot);
    this.note();
  }

  /** Takes out an order that is in. */
  remove(slot: number): void {
    this.heapOf(slot).remove(slot);
    this.note();
  }

  /** Whether the order is in, at the place it knows, and not before one that comes first. */
  isInPlace(slot: number): boolean {
    return this.heapOf(slot).isInPlace(slot);
  }

  get size(): number {
    return this.rising.size + this.falling.size;
  }

  /** Those that wait for a rise, then those for a fall, in each the first to be triggered first. */
  forEachOrder(visit: (slot: number) => void): void {
    for (const heap of [this.rising, this.falling]) for (const slot of heap.inOrder()) visit(slot);
  }

  private heapOf(slot: number): TriggerHeap {
    const isRising = waitsForRise(this.details.type(slot), this.orders.side[slot] as Side);
    return isRising ? this.rising : this.falling;
  }

  private note(): void {
    const { details, rising, falling } = this;
    this.nextAbove =
      rising.size === 0 ? Number.POSITIVE_INFINITY : details.triggerPrice(rising.first);
    this.nextBelow = falling.size === 0 ? NONE : details.triggerPrice(falling.first);
  }
}

/** A binary heap of slots, each knowing its place, so that a canceled order leaves at once. */
class TriggerHeap {
  private readonly heap: number[] = [];

  /** @param sign 1 where the lowest trigger comes first, -1 where the highest does. */
  constructor(
    private readonly orders: OrderStore,
    private readonly details: OrderDetails,
    private readonly sign: 1 | -1,
  ) {}

  get size(): number {
    return this.heap.length;
  }

  /** Only where there is one. */
  get first(): number {
    return this.heap[0]!;
  }

  inOrder(): number[] {
    return this.heap.toSorted((a, b) => (this.isBefore(a, b) ? -1 : 1));
  }

  isInPlace(slot: number): boolean {
    const place = this.orders.level(slot);
    if (this.heap[place] !== slot) return false;
    return place === 0 || !this.isBefore(slot, this.heap[(place - 1) >> 1]!);
  }

  add(slot: number): void {
    this.heap.push(slot);
    this.rise(this.heap.length - 1, slot);
  }

  remove(slot: number): void {
    const place = this.orders.level(slot);
    const last = this.heap.pop()!;
    if (last === slot) return;
    this.sink(place, last);
    this.rise(this.orders.level(last), last);
  }

  private rise(start: number, slot: number): void {
    let place = start;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.isBefore(slot, this.heap[parent]!)) break;
      this.set(place, this.heap[parent]!);
      place = parent;
    }
    this.set(place, slot);
  }

  private sink(start: number, slot: number): void {
    let place = start;
    for (;;) {
      let child = place * 2 + 1;
      if (child >= this.heap.length) break;
      if (child + 1 < this.heap.length && this.isBefore(this.heap[child + 1]!, this.heap[child]!)) {
        child++;
      }
      if (!this.isBefore(this.heap[child]!, slot)) break;
      this.set(place, this.heap[child]!);
      place = child;
    }
    this.set(place, slot);
  }

  private set(place: number, slot: number): void {
    this.heap[place] = slot;
    this.orders.setLevel(slot, place);
  }

  private isBefore(a: number, b: number): boolean {
    const { details } = this;
    const difference = (details.triggerPrice(a) - details.triggerPrice(b)) * this.sign;
    return difference === 0 ? details.id(a) < details.id(b) : difference < 0;
  }
}
