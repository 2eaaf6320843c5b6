import type { OrderDetails } from './order-details.ts';
import { waitsForRise } from './order-terms.ts';
import type { OrderStore } from './orders.ts';
import { SlotHeap } from './slot-heap.ts';
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

/** The nearest trigger first. */
class TriggerHeap extends SlotHeap {
  /** @param sign 1 where the lowest trigger comes first, -1 where the highest does. */
  constructor(
    private readonly orders: OrderStore,
    private readonly details: OrderDetails,
    private readonly sign: 1 | -1,
  ) {
    super();
  }

  inOrder(): number[] {
    return this.heap.toSorted((a, b) => (this.isBefore(a, b) ? -1 : 1));
  }

  /** An order that waits is at no level: its place stands there. */
  protected placeOf(slot: number): number {
    return this.orders.level(slot);
  }

  protected setPlace(slot: number, place: number): void {
    this.orders.setLevel(slot, place);
  }

  protected isBefore(a: number, b: number): boolean {
    const { details } = this;
    const difference = (details.triggerPrice(a) - details.triggerPrice(b)) * this.sign;
    return difference === 0 ? details.id(a) < details.id(b) : difference < 0;
  }
}
