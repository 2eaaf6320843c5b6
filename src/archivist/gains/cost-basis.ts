/** Methods by which the cost of sold assets is found. */
export const costMethods = ['fifo', 'average'] as const;
export type CostMethod = (typeof costMethods)[number];

/** A part of a disposed amount, and its cost in minor units of the quote asset. */
export interface DisposedPart {
  readonly amount: bigint;
  readonly cost: bigint;
  /** Milliseconds since 1970; undefined if the part comes from a pool or was never acquired. */
  readonly acquiredAt: number | undefined;
  /** Whether all of the cost is known. */
  readonly isKnown: boolean;
}

/**
 * The cost of the present amount of an asset. Costs are whole minor units: the cost of a part is rounded down, and the
 * rest stays with the remaining amount, so that costs of parts always add up to the cost of the whole.
 */
export interface CostBasis {
  readonly cost: bigint;
  /** Whether all of the cost is known. */
  readonly isKnown: boolean;
  /** Number of objects in memory. */
  readonly size: number;
  /** @param time Milliseconds since 1970. */
  add(amount: bigint, cost: bigint, time: number, isKnown: boolean): void;
  /** Removes a positive amount. An amount that was never added has no cost. */
  remove(amount: bigint): DisposedPart[];
}

interface Lot {
  amount: bigint;
  cost: bigint;
  readonly acquiredAt: number;
  readonly isKnown: boolean;
}

/** Lots that are disposed of in the order in which they were acquired. */
export class FifoBasis implements CostBasis {
  cost = 0n;
  private lots: Lot[] = [];
  /** Index of the oldest lot. */
  private first = 0;

  get isKnown(): boolean {
    for (let at = this.first; at < this.lots.length; at++) {
      if (!this.lots[at]!.isKnown) return false;
    }
    return true;
  }

  get size(): number {
    return this.lots.length - this.first;
  }

  add(amount: bigint, cost: bigint, time: number, isKnown: boolean): void {
    this.lots.push({ amount, cost, acquiredAt: time, isKnown });
    this.cost += cost;
  }

  remove(amount: bigint): DisposedPart[] {
    const parts: DisposedPart[] = [];
    let rest = amount;
    while (rest > 0n && this.first < this.lots.length) {
      const lot = this.lots[this.first]!;
      const taken = rest < lot.amount ? rest : lot.amount;
      const cost = (lot.cost * taken) / lot.amount;
      parts.push({ amount: taken, cost, acquiredAt: lot.acquiredAt, isKnown: lot.isKnown });
      lot.amount -= taken;
      lot.cost -= cost;
      this.cost -= cost;
      rest -= taken;
      if (lot.amount === 0n) this.first++;
    }
    if (rest > 0n) parts.push(neverAcquired(rest));
    this.compact();
    return parts;
  }

  /** Frees the lots that are used up once they are half of all. */
  private compact(): void {
    if (this.first * 2 <= this.lots.length) return;
    this.lots = this.lots.slice(this.first);
    this.first = 0;
  }
}

/** A pool in which every unit has the same cost. */
export class AverageBasis implements CostBasis {
  cost = 0n;
  isKnown = true;
  readonly size = 1;
  private amount = 0n;

  add(amount: bigint, cost: bigint, _time: number, isKnown: boolean): void {
    this.amount += amount;
    this.cost += cost;
    if (!isKnown) this.isKnown = false;
  }

  remove(amount: bigint): DisposedPart[] {
    const { isKnown } = this;
    const taken = amount < this.amount ? amount : this.amount;
    const parts: DisposedPart[] = [];
    if (taken > 0n) {
      const cost = (this.cost * taken) / this.amount;
      this.amount -= taken;
      this.cost -= cost;
      parts.push({ amount: taken, cost, acquiredAt: undefined, isKnown });
      if (this.amount === 0n) this.isKnown = true;
    }
    if (taken < amount) parts.push(neverAcquired(amount - taken));
    return parts;
  }
}

function neverAcquired(amount: bigint): DisposedPart {
  return { amount, cost: 0n, acquiredAt: undefined, isKnown: false };
}

/**
 * Splits a total among parts in proportion to their amounts. Each share is rounded down and the last one gets the rest, so
 * that the shares add up to the total.
 */
export function splitByAmount(
  total: bigint,
  parts: readonly { readonly amount: bigint }[],
): bigint[] {
  const whole = parts.reduce((sum, { amount }) => sum + amount, 0n);
  let rest = total;
  return parts.map(({ amount }, index) => {
    const share = index === parts.length - 1 ? rest : (total * amount) / whole;
    rest -= share;
    return share;
  });
}
