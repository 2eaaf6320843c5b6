import type { Trailing } from '../../command.ts';
import { type ElementHashes, mixNumber } from '../../digest.ts';
import { MAX_UNITS } from '../../limits.ts';
import { Side } from '../../terms.ts';
import { forEachNode, type HeapNode, insert, meld, remove } from './trail-heap.ts';

/**
 * Returns the trigger price of a trailing stop whose best price is `best`. The distance rounds up to a whole price
 * unit, so that the order is triggered by the first last price that is as far from the best price as promised: no
 * price lies in between.
 */
export function trailingTrigger(side: Side, best: number, trailing: Trailing): number {
  const distance = trailing.amount === 0 ? share(best, trailing.basisPoints) : trailing.amount;
  return side === Side.sell ? best - distance : Math.min(best + distance, MAX_UNITS);
}

/** Returns hundredths of a percent of a price, rounded up. */
function share(price: number, basisPoints: number): number {
  // Computed separately for the ten thousands and the rest, so that every step is exact.
  const tenThousands = Math.floor(price / 10_000);
  const rest = price - tenThousands * 10_000;
  return tenThousands * basisPoints + Math.ceil((rest * basisPoints) / 10_000);
}

/** Returns whether a last price starts the trailing of an order with this activation price. */
export function isActivatedBy(side: Side, activationPrice: number, price: number): boolean {
  if (activationPrice === 0) return true;
  return side === Side.sell ? price >= activationPrice : price <= activationPrice;
}

/** An open trailing stop, and its place in a heap of those with the same best price. */
export class Trail implements HeapNode<Trail> {
  /** The best last price since the order was placed or activated; 0 before its activation. */
  private best = 0;
  private joined: TrailGroup | null = null;
  /** Position in a heap: orders with lower keys come first. */
  key = 0;
  tie = 0;
  rank = 1;
  left: Trail | null = null;
  right: Trail | null = null;
  parent: Trail | null = null;

  constructor(
    readonly slot: number,
    readonly id: number,
    readonly side: Side,
    readonly terms: Trailing,
  ) {}

  /** The best price that it has followed up to now, or up to when it was triggered; 0 before its activation. */
  get bestPrice(): number {
    const { group } = this;
    if (group === null) return this.best;
    return group.cohort === null ? 0 : group.cohort.follow(this, group.best);
  }

  /** The best price that its group has; moves that have not been applied yet are left out. */
  get groupBest(): number {
    return this.group?.best ?? this.best;
  }

  /** The current trigger price, in price units; 0 before the activation. */
  get triggerPrice(): number {
    const best = this.bestPrice;
    return best === 0 ? 0 : trailingTrigger(this.side, best, this.terms);
  }

  /** The orders with the same best price, or the same activation price, that it belongs to. */
  get group(): TrailGroup | null {
    let group = this.joined;
    while (group !== null && group.mergedInto !== null) group = group.mergedInto;
    this.joined = group;
    return group;
  }

  join(group: TrailGroup): void {
    this.joined = group;
  }

  /** Leaves its group; the best price stays `best`. */
  leave(best: number): void {
    this.joined = null;
    this.best = best;
  }
}

/** The cohort that a group is in: the orders to which the same moves of the last price apply. */
interface GroupCohort {
  /** Number of moves before its orders joined. */
  readonly number: number;
  /** Returns the best price of an order after all moves, which was `best` before them. */
  follow(trail: Trail, best: number): number;
  remove(trail: Trail, group: TrailGroup, hashes: ElementHashes): void;
  isInPlace(group: TrailGroup): boolean;
}

/**
 * Trailing stops of one side with the same best price: they share every later one. Before their activation, those with
 * the same activation price.
 */
export class TrailGroup implements HeapNode<TrailGroup> {
  /** The nearest orders with a distance in price units, and with one in basis points. */
  byAmount: Trail | null = null;
  byShare: Trail | null = null;
  size = 0;
  /** Sum of the hashes of the members. */
  members = 0;
  /** The group that took over the members. */
  mergedInto: TrailGroup | null = null;
  /** Null before the activation. */
  cohort: GroupCohort | null = null;
  /** Position in a heap of groups. */
  key = 0;
  tie = 0;
  id = 0;
  rank = 1;
  left: TrailGroup | null = null;
  right: TrailGroup | null = null;
  parent: TrailGroup | null = null;

  /** @param best 0 before the activation. */
  constructor(public best: number) {}

  add(trail: Trail): void {
    trail.join(this);
    trail.key = trail.terms.amount || trail.terms.basisPoints;
    if (trail.terms.amount !== 0) this.byAmount = insert(this.byAmount, trail);
    else this.byShare = insert(this.byShare, trail);
    this.size++;
    this.members = (this.members + hashMember(trail)) | 0;
  }

  /** Removes an order, which keeps its best price. */
  take(trail: Trail): void {
    const { bestPrice } = trail;
    if (trail.terms.amount !== 0) this.byAmount = remove(this.byAmount!, trail);
    else this.byShare = remove(this.byShare!, trail);
    this.size--;
    this.members = (this.members - hashMember(trail)) | 0;
    trail.leave(bestPrice);
  }

  /** The order that is triggered first, at one trigger price one with a distance in price units; there must be one. */
  get first(): Trail {
    const { byAmount, byShare } = this;
    if (byAmount === null || byShare === null) return (byAmount ?? byShare)!;
    const sign = byAmount.side === Side.sell ? 1 : -1;
    const difference = (this.triggerPrice(byAmount) - this.triggerPrice(byShare)) * sign;
    return difference >= 0 ? byAmount : byShare;
  }

  /** Returns the trigger price of an order with the best price of the group. */
  triggerPrice({ side, terms }: Trail): number {
    return trailingTrigger(side, this.best, terms);
  }

  forEach(visit: (trail: Trail) => void): void {
    forEachNode(this.byAmount, visit);
    forEachNode(this.byShare, visit);
  }
}

/** Merges the smaller of two groups into the other one, so that no order is far from its group. */
export function mergeGroups(a: TrailGroup, b: TrailGroup): TrailGroup {
  const [kept, other] = a.size < b.size ? [b, a] : [a, b];
  kept.byAmount = meld(kept.byAmount, other.byAmount);
  kept.byShare = meld(kept.byShare, other.byShare);
  kept.size += other.size;
  kept.members = (kept.members + other.members) | 0;
  other.mergedInto = kept;
  return kept;
}

export function hashMember(trail: Trail): number {
  return mixNumber(33, trail.id);
}
