import { mix, mixNumber } from '../digest.ts';

/** What an order of a pair knows of the other. */
export interface OcoLink {
  /** Slot of the other order. */
  readonly other: number;
  /** Whether the pair's one hold, the larger of what either needs, is this order's. */
  readonly holds: boolean;
}

/** Pairs of open orders of which one cancels the other; by slot. */
export class OcoLinks {
  private readonly links = new Map<number, OcoLink>();

  /** Orders in pairs, two each. */
  get size(): number {
    return this.links.size;
  }

  of(slot: number): OcoLink | undefined {
    return this.links.get(slot);
  }

  link(holder: number, other: number): void {
    this.links.set(holder, { other, holds: true });
    this.links.set(other, { other: holder, holds: false });
  }

  unlink(slot: number): void {
    this.links.delete(this.links.get(slot)!.other);
    this.links.delete(slot);
  }

  /** Every pair once: the slot that holds, then the other. In no order. */
  forEachOco(visit: (holder: number, other: number) => void): void {
    for (const [slot, { other, holds }] of this.links) if (holds) visit(slot, other);
  }
}

export function hashOco(holderId: number, otherId: number): number {
  return mixNumber(mixNumber(mix(15, 1), holderId), otherId);
}
