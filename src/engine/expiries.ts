import type { OrderDetails } from './order-details.ts';

/**
 * The open orders that end at a time of their own, soonest first; of those due together the one
 * placed first. A binary heap of slots, each knowing its place, so that a canceled order leaves at
 * once and nothing piles up.
 */
export class Expiries {
  private readonly heap: number[] = [];

  constructor(private readonly details: OrderDetails) {}

  /** When the next order ends, Infinity where none does. */
  get nextTime(): number {
    return this.heap.length === 0
      ? Number.POSITIVE_INFINITY
      : this.details.expiresAt(this.heap[0]!);
  }

  /** Slot of the order that ends next; only where there is one. */
  get first(): number {
    return this.heap[0]!;
  }

  get size(): number {
    return this.heap.length;
  }

  /** Whether the order is in, at the place it knows, and not due before the one above it. */
  isInPlace(slot: number): boolean {
    const place = this.details.expiryPlace(slot);
    if (this.heap[place] !== slot) return false;
    return place === 0 || !this.isBefore(slot, this.heap[(place - 1) >> 1]!);
  }

  add(slot: number): void {
    this.heap.push(slot);
    this.rise(this.heap.length - 1, slot);
  }

  /** Takes out an order that is in. */
  remove(slot: number): void {
    const place = this.details.expiryPlace(slot);
    const last = this.heap.pop()!;
    if (last === slot) return;
    this.sink(place, last);
    this.rise(this.details.expiryPlace(last), last);
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
    this.details.setExpiryPlace(slot, place);
  }

  private isBefore(a: number, b: number): boolean {
    const { details } = this;
    const difference = details.expiresAt(a) - details.expiresAt(b);
    return difference === 0 ? details.id(a) < details.id(b) : difference < 0;
  }
}
