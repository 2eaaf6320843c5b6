import type { Trailing } from '../../command.ts';
import { MAX_UNITS } from '../../limits.ts';
import { Side } from '../../terms.ts';

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
export class Trail {
  /** The best last price since the order was placed or activated; 0 before its activation. */
  private best = 0;
  private joined: TrailGroup | null = null;
  /** Position in a heap: orders with lower keys come first. */
  key = 0;
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

  get bestPrice(): number {
    return this.group?.best ?? this.best;
  }

  /** The current trigger price, in price units; 0 before the activation. */
  get triggerPrice(): number {
    const best = this.bestPrice;
    return best === 0 ? 0 : trailingTrigger(this.side, best, this.terms);
  }

  /** The orders with the same best price that it belongs to; null while it does not trail. */
  get group(): TrailGroup | null {
    let group = this.joined;
    while (group !== null && group.mergedInto !== null) group = group.mergedInto;
    this.joined = group;
    return group;
  }

  join(group: TrailGroup): void {
    this.joined = group;
  }

  /** Leaves its group, or ends the wait for its activation; the best price stays `best`. */
  leave(best: number): void {
    this.joined = null;
    this.best = best;
  }
}

/** Trailing stops of one side with the same best price: they share every later one. */
export class TrailGroup {
  /** The nearest orders with a distance in price units, and with one in basis points. */
  byAmount: Trail | null = null;
  byShare: Trail | null = null;
  size = 0;
  /** Sum of the hashes of the members. */
  members = 0;
  /** The group that took over the members. */
  mergedInto: TrailGroup | null = null;
  /** Highest `nearest` of this group and of all before it. */
  ahead = Number.NEGATIVE_INFINITY;

  constructor(public best: number) {}
}
