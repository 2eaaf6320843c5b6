import type { OrderDetails } from '../book/order-details.ts';
import { mix, mixNumber } from '../digest.ts';
import type { Market } from '../markets/markets.ts';
import { NONE } from '../terms.ts';
import type { TriggerSide } from './triggers.ts';

/**
 * A price that triggered orders on one side of the triggers of a market; they run in the order of
 * their triggers.
 */
export interface Reach {
  readonly market: Market;
  readonly side: TriggerSide;
  /**
   * In price units; a later trade may extend it as long as nothing else was triggered in between.
   */
  price: number;
}

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

  /** Records that a price reached orders of a side that no earlier price had reached. */
  addReach(market: Market, side: TriggerSide, price: number): void {
    if (this.last?.side === side) {
      this.last.price = price;
      return;
    }
    this.last = { market, side, price };
    this.entries.add(this.last);
  }

  /**
   * Returns the slot of the order that runs next, or NONE. Drops reaches that have no orders left.
   */
  next(): number {
    for (const entry of this.entries) {
      if (typeof entry === 'number') return entry;
      const slot = entry.side.firstWithin(entry.price);
      if (slot !== NONE) return slot;
      this.deleteReach(entry);
    }
    return NONE;
  }

  /** Drops the reaches of a market, whose orders become pending again. */
  deleteReachesOf(market: Market): void {
    for (const entry of this.entries) {
      if (typeof entry !== 'number' && entry.market === market) this.deleteReach(entry);
    }
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
    for (const entry of entries) this.entries.add(entry);
    this.last = isExtensible ? (entries.at(-1) as Reach) : undefined;
  }

  forEach(visit: (entry: number | Reach) => void): void {
    for (const entry of this.entries) visit(entry);
  }

  mixInto(digest: number, details: OrderDetails): number {
    let hash = digest;
    for (const entry of this.entries) {
      if (typeof entry === 'number') hash = mixNumber(hash, details.id(entry));
      else hash = mixReach(hash, entry, details);
    }
    return this.last === undefined ? hash : mix(hash, 1);
  }

  private deleteReach(reach: Reach): void {
    this.entries.delete(reach);
    if (this.last === reach) this.last = undefined;
    // If a side has several reaches, the last one is the furthest.
    if (reach.side.isFurthest(reach.price)) reach.market.triggers.forgetReach(reach.side);
  }
}

function mixReach(digest: number, { market, side, price }: Reach, details: OrderDetails): number {
  let hash = mixNumber(mix(mix(digest, market.index), side.isRising ? 1 : 0), price);
  for (const slot of side.lateOrders()) hash = mixNumber(hash, details.id(slot));
  return hash;
}
