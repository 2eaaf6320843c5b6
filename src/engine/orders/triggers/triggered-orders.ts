import type { OrderDetails } from '../../book/order-details.ts';
import { type ElementHashes, mix, mixNumber } from '../../digest.ts';
import type { Market } from '../../markets/markets.ts';
import { MarketStatus, NONE } from '../../terms.ts';
import type { TrailMove } from './trailing-side.ts';
import type { Reach } from './trigger-side.ts';

/** A single order by slot, or a price that represents all the stops or trailing stops that it triggered. */
export type TriggeredEntry = number | Reach | TrailMove;

/** The parts of the state that triggered orders need. */
interface TriggeredState extends ElementHashes {
  readonly details: OrderDetails;
  readonly markets: readonly Market[];
}

/** Triggered orders, in the order in which they will run. */
export class TriggeredOrders {
  private readonly entries = new Set<TriggeredEntry>();
  /** The last entry if it is a price that a further one may extend. */
  private last: Reach | TrailMove | undefined;
  /** Number of orders that may still run in the current portion. */
  left = 0;

  constructor(private readonly state: TriggeredState) {}

  get size(): number {
    return this.entries.size;
  }

  /** Whether an order may run; those of a market in an auction wait for its end. */
  get isDue(): boolean {
    for (const entry of this.entries) {
      if (this.market(entry).status !== MarketStatus.auction) return true;
    }
    return false;
  }

  private market(entry: TriggeredEntry): { readonly status: number } {
    if (typeof entry !== 'number') return entry.market;
    const { markets, details } = this.state;
    return markets[details.market(entry)]!;
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
    const { last } = this;
    if (last !== undefined && 'generation' in last && last.generation === generation) {
      last.price = price;
      return;
    }
    this.last = reach;
    generation.furthest = reach;
    this.entries.add(reach);
  }

  /** Adds a price that may have triggered trailing stops. */
  addMove(move: TrailMove): void {
    this.last = move;
    this.entries.add(move);
  }

  /**
   * Returns the slot of the order that runs next, or NONE. Drops prices that have no orders left. Orders of delisted
   * markets do not run, and those of a market in an auction wait for its end.
   */
  next(): number {
    for (const entry of this.entries) {
      if (this.market(entry).status === MarketStatus.auction) continue;
      const slot = this.first(entry);
      if (slot === NONE) continue;
      if (typeof entry === 'number' || entry.market.status !== MarketStatus.delisted) return slot;
    }
    return NONE;
  }

  /** Returns the slot of the triggered trailing stop of a market that would run next, or NONE. */
  nextTrailing(market: number): number {
    for (const entry of this.entries) {
      const isTrailing = typeof entry !== 'number' && 'side' in entry;
      const slot = isTrailing && entry.market.index === market ? this.first(entry) : NONE;
      if (slot !== NONE) return slot;
    }
    return NONE;
  }

  /** Drops the reaches of a market, whose orders become pending again. */
  deleteReaches(market: Market): void {
    for (const entry of this.entries) {
      if (isReach(entry) && entry.market === market) this.entries.delete(entry);
    }
    if (this.last?.market === market) this.last = undefined;
    market.triggers.clearReaches();
  }

  /** The last entry if a further price on the same side would extend it. */
  get extensible(): Reach | TrailMove | undefined {
    return this.last;
  }

  /**
   * Replaces the list when a snapshot is restored; it may only contain orders that `entries`
   * contains too.
   */
  restore(entries: readonly TriggeredEntry[], isExtensible: boolean): void {
    this.entries.clear();
    for (const entry of entries) {
      this.entries.add(entry);
      if (isReach(entry)) entry.generation.furthest = entry;
    }
    this.last = isExtensible ? (entries.at(-1) as Reach | TrailMove) : undefined;
  }

  forEach(visit: (entry: TriggeredEntry) => void): void {
    for (const entry of this.entries) visit(entry);
  }

  mixInto(digest: number, details: OrderDetails): number {
    let hash = digest;
    for (const entry of this.entries) {
      if (typeof entry === 'number') hash = mixNumber(hash, details.id(entry));
      else hash = isReach(entry) ? mixReach(hash, entry) : entry.side.mixInto(hash, entry);
    }
    return this.last === undefined ? hash : mix(hash, 1);
  }

  /** Returns the slot of the first order of an entry; NONE for a price without orders, which it drops. */
  private first(entry: TriggeredEntry): number {
    if (typeof entry === 'number') return entry;
    if (isReach(entry)) {
      const slot = entry.generation.firstWithin(entry.price);
      if (slot === NONE) this.deleteReach(entry);
      return slot;
    }
    const { side } = entry;
    // A later move of a delisted market, whose first one still has orders.
    if (side.moves[0] !== entry) return NONE;
    const trail = side.firstTriggered;
    if (trail !== null) return trail.slot;
    this.deleteEntry(entry);
    side.endMove(this.state);
    return NONE;
  }

  private deleteReach(reach: Reach): void {
    this.deleteEntry(reach);
    const { generation, market } = reach;
    // Of several reaches of a generation the furthest is the last.
    if (generation.furthest === reach) market.triggers.endReaches(generation);
  }

  private deleteEntry(entry: Reach | TrailMove): void {
    this.entries.delete(entry);
    if (this.last === entry) this.last = undefined;
  }
}

function isReach(entry: TriggeredEntry): entry is Reach {
  return typeof entry !== 'number' && 'generation' in entry;
}

function mixReach(digest: number, { market, generation, price }: Reach): number {
  return mixNumber(generation.mixInto(mix(digest, market.index)), price);
}
