import type { OrderDetails } from '../book/order-details.ts';
import { mix, mixNumber } from '../digest.ts';
import type { Market } from '../markets/markets.ts';
import { NONE } from '../terms.ts';
import type { TriggerSide } from './triggers.ts';

/** A price that reached orders of one side of a market's triggers, which run in the order of their triggers. */
export interface Reach {
  readonly market: Market;
  readonly side: TriggerSide;
  /** Price units; a later trade may move it further while nothing else was triggered in between. */
  price: number;
}

/**
 * Orders whose trigger a trade has reached, in the order in which they are to run: single ones by their
 * slots, and prices that stand for all the orders they reached.
 */
export class TriggeredOrders {
  private readonly entries = new Set<number | Reach>();
  /** The last entry if it is a reach which a further price may extend. */
  private last: Reach | undefined;
  /** How many may still run in the present portion. */
  left = 0;

  get size(): number {
    return this.entries.size;
  }

  /** Slots of single orders. */
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

  /** Notes that a price has reached the orders of a side that no earlier one has. */
  addReach(market: Market, side: TriggerSide, price: number): void {
    if (this.last?.side === side) {
      this.last.price = price;
      return;
    }
    this.last = { market, side, price };
    this.entries.add(this.last);
  }

  /** Slot of the order that runs next, NONE where there is none. Reaches without orders are dropped. */
  next(): number {
    for (const entry of this.entries) {
      if (typeof entry === 'number') return entry;
      const slot = entry.side.firstWithin(entry.price);
      if (slot !== NONE) return slot;
      this.deleteReach(entry);
    }
    return NONE;
  }

  /** Drops the reaches of a market: its orders wait for their triggers again. */
  deleteReachesOf(market: Market): void {
    for (const entry of this.entries) {
      if (typeof entry !== 'number' && entry.market === market) this.deleteReach(entry);
    }
  }

  /** Whether a further price of the same side would extend the last reach. */
  get isExtensible(): boolean {
    return this.last !== undefined;
  }

  /** Fills the list, which must be empty but for orders that `entries` hold too. */
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
    // Of several reaches of a side the furthest is the last.
    if (reach.side.isFurthest(reach.price)) reach.market.triggers.forgetReach(reach.side);
  }
}

function mixReach(digest: number, { market, side, price }: Reach, details: OrderDetails): number {
  let hash = mixNumber(mix(mix(digest, market.index), side.isRising ? 1 : 0), price);
  for (const slot of side.lateOrders()) hash = mixNumber(hash, details.id(slot));
  return hash;
}
