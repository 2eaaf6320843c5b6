import type { OrderDetails } from '../../book/order-details.ts';
import { mix, mixNumber } from '../../digest.ts';
import type { Market } from '../../markets/markets.ts';
import { NONE } from '../../terms.ts';
import type { Reach } from './trigger-side.ts';

/**
 * Triggered orders, in the order in which they will run: single orders by slot, and reaches that
 * represent all the orders they triggered.
 */
export class TriggeredOrders {
  private readonly entries = new Set<number | Reach>();
  /** The last entry if it is a reach that a further price may extend. */
  private last: Reach | undefined;
  /** Number of orders that may still run in the current portion. */
  left = 0;

  get size(): number {
    return this.entries.size;
  }

  /** Slots of the single orders. */
  get slots(): number[] {
    return [...this.entries].filter((entry) => typeof entry === 'number');
  }

  has(slot: number): boolean {
    return this.entries.has(slot);
  }

  add(slot: number): void {
    this.entries.add(slot);
    this.last = undefined;
  }

  delete(slot: number): void {
    this.entries.delete(slot);
  }

  /** Adds orders that a price reached, or extends the last reach if it is of the same generation. */
  addReach(reach: Reach): void {
    const { generation, price } = reach;
    if (this.last?.generation === generation) {
      this.last.price = price;
      return;
    }
    this.last = reach;
    generation.furthest = reach;
    this.entries.add(reach);
  }

  /**
   * Returns the slot of the order that runs next, or NONE. Drops reaches that have no orders left.
   */
  next(): number {
    for (const entry of this.entries) {
      if (typeof entry === 'number') return entry;
      const slot = entry.generation.firstWithin(entry.price);
      if (slot !== NONE) return slot;
      this.deleteReach(entry);
    }
    return NONE;
  }

  /** Drops the reaches of a market, whose orders become pending again. */
  deleteReaches(market: Market): void {
    for (const entry of this.entries) {
      if (typeof entry !== 'number' && entry.market === market) this.entries.delete(entry);
    }
    if (this.last?.market === market) this.last = undefined;
    market.triggers.clearReaches();
  }

  /** Whether a further price on the same side would extend the last reach. */
  get isExtensible(): boolean {
    return this.last !== undefined;
  }

  /**
   * Replaces the list when a snapshot is restored; it may only contain orders that `entries`
   * contains too.
   */
  restore(entries: readonly (number | Reach)[], isExtensible: boolean): void {
    this.entries.clear();
    for (const entry of entries) {
      this.entries.add(entry);
      if (typeof entry !== 'number') entry.generation.furthest = entry;
    }
    this.last = isExtensible ? (entries.at(-1) as Reach) : undefined;
  }

  forEach(visit: (entry: number | Reach) => void): void {
    for (const entry of this.entries) visit(entry);
  }

  mixInto(digest: number, details: OrderDetails): number {
    let hash = digest;
    for (const entry of this.entries) {
      if (typeof entry !== 'number') hash = mixReach(hash, entry);
      else {
        hash = mixNumber(hash, details.id(entry));
        if (details.isTrailing(entry)) hash = mixNumber(hash, details.trail(entry).bestPrice);
      }
    }
    return this.last === undefined ? hash : mix(hash, 1);
  }

  private deleteReach(reach: Reach): void {
    this.entries.delete(reach);
    if (this.last === reach) this.last = undefined;
    const { generation, market } = reach;
    // Of several reaches of a generation the furthest is the last.
    if (generation.furthest === reach) market.triggers.endReaches(generation);
  }
}

function mixReach(digest: number, { market, generation, price }: Reach): number {
  return mixNumber(generation.mixInto(mix(digest, market.index)), price);
}
