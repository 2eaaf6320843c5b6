import type { OrderDetails } from '../book/order-details.ts';
import { SlotHeap } from '../book/slot-heap.ts';

/** The open orders that end at a time of their own, soonest first; of those due together the one placed first. */
export class Expiries extends SlotHeap {
  constructor(private readonly details: OrderDetails) {
    super();
  }

  /** When the next order ends, Infinity where none does. */
  get nextTime(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.details.expiresAt(this.first);
  }

  protected placeOf(slot: number): number {
    return this.details.expiryPlace(slot);
  }

  protected setPlace(slot: number, place: number): void {
    this.details.setExpiryPlace(slot, place);
  }

  protected isBefore(a: number, b: number): boolean {
    const { details } = this;
    const difference = details.expiresAt(a) - details.expiresAt(b);
    return difference === 0 ? details.id(a) < details.id(b) : difference < 0;
  }
}
