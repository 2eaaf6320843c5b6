import type { OrderDetails } from '../../book/order-details.ts';
import type { OrderStore } from '../../book/order-store.ts';
import { SlotHeap } from '../../book/slot-heap.ts';

/** Pending orders by trigger: the nearest first, at one trigger the order placed first. */
export class TriggerHeap extends SlotHeap {
  /** @param sign 1 if the lowest trigger comes first, -1 if the highest does. */
  constructor(
    private readonly orders: OrderStore,
    private readonly details: OrderDetails,
    private readonly sign: 1 | -1,
  ) {
    super();
  }

  has(slot: number): boolean {
    return this.heap[this.getPlace(slot)] === slot;
  }

  /** Slots in no particular order. */
  get slots(): readonly number[] {
    return this.heap;
  }

  /** Returns the key by which the order is sorted: its trigger price times `sign`. */
  triggerKey(slot: number): number {
    return this.details.triggerPrice(slot) * this.sign;
  }

  isBefore(a: number, b: number): boolean {
    const difference = this.triggerKey(a) - this.triggerKey(b);
    return difference === 0 ? this.details.id(a) < this.details.id(b) : difference < 0;
  }

  /** A pending order is at no price level: the field holds its place in the heap. */
  protected getPlace(slot: number): number {
    return this.orders.level(slot);
  }

  protected setPlace(slot: number, place: number): void {
    this.orders.setLevel(slot, place);
  }
}

/**
 * Pending orders in heaps of ascending, disjoint ranges of keys, so that any number of orders whose keys are
 * below all others can be added at once.
 */
export class TriggerHeaps {
  /** No heap is empty unless it is the only one. */
  private heaps: TriggerHeap[];
  /** Highest key of each heap but the last, which has no limit. */
  private limits: number[] = [];
  private count = 0;

  constructor(heap: TriggerHeap) {
    this.heaps = [heap];
  }

  get size(): number {
    return this.count;
  }

  /** Slot of the order that comes first; valid only if `size` is not 0. */
  get first(): number {
    return this.heaps[0]!.first;
  }

  add(slot: number): void {
    this.findHeap(slot).add(slot);
    this.count++;
  }

  /** Removes an order that is in one of the heaps. */
  remove(slot: number): void {
    const { heaps, limits } = this;
    const position = this.findPosition(heaps[0]!.triggerKey(slot));
    const heap = heaps[position]!;
    heap.remove(slot);
    this.count--;
    if (heap.size > 0 || heaps.length === 1) return;
    heaps.splice(position, 1);
    // The next heap takes over the range, or the one before it if there is none.
    limits.splice(Math.min(position, limits.length - 1), 1);
  }

  /** Adds orders whose keys are at most `limit` and below all others; `first` must not be used afterwards. */
  prepend(first: TriggerHeaps, limit: number): void {
    if (first.count === 0) return;
    const isAlone = this.count === 0;
    this.heaps = isAlone ? first.heaps : [...first.heaps, ...this.heaps];
    this.limits = isAlone ? first.limits : [...first.limits, limit, ...this.limits];
    this.count += first.count;
  }

  has(slot: number): boolean {
    return this.findHeap(slot).has(slot);
  }

  /** Whether the order is in, at the place it knows, and not before one that comes first. */
  isInPlace(slot: number): boolean {
    return this.findHeap(slot).isInPlace(slot);
  }

  /** Slots in no particular order. */
  get slots(): number[] {
    return this.heaps.flatMap(({ slots }) => slots);
  }

  private findHeap(slot: number): TriggerHeap {
    return this.heaps[this.findPosition(this.heaps[0]!.triggerKey(slot))]!;
  }

  /** Returns the index of the heap whose range holds the key. */
  private findPosition(key: number): number {
    const { limits } = this;
    if (limits.length === 0) return 0;
    let low = 0;
    let high = limits.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (limits[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
