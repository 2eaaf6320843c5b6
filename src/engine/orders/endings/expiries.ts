import type { OrderDetails } from '../../book/order-details.ts';
import { SlotHeap } from '../../book/slot-heap.ts';

/** Open orders with an expiry, the earliest first; of equal times the older order first. */
export class Expiries extends SlotHeap {
  constructor(private readonly details: OrderDetails) {
    super();
  }

  /** Time of the earliest expiry, in milliseconds since 1970; Infinity if there is none. */
  get nextTime(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.details.expiresAt(this.first);
  }

  protected getPlace(slot: number): number {
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
