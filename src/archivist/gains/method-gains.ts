import type { BalanceChange, ChangeKind } from './balance-changes.ts';
import {
  AverageBasis,
  type CostBasis,
  type CostMethod,
  FifoBasis,
  splitByAmount,
} from './cost-basis.ts';

/** An amount that was given, before its cost is known. Values are in minor units of the quote asset. */
interface Given {
  readonly change: BalanceChange;
  readonly asset: number;
  /** Minor units, positive. */
  readonly amount: bigint;
  /** After fees. */
  readonly proceeds: bigint;
  readonly fee: bigint;
}

/** An amount that was disposed of, or income. Values are in minor units of the quote asset. */
export interface Disposal {
  readonly kind: Exclude<ChangeKind, 'flow'>;
  readonly time: number;
  readonly reference: number;
  readonly asset: number;
  /** Minor units, positive. */
  readonly amount: bigint;
  readonly proceeds: bigint;
  readonly cost: bigint;
  /** Fees that the proceeds do not include. */
  readonly fee: bigint;
  readonly acquiredAt: number | undefined;
  readonly isKnown: boolean;
}

/** Sums of the disposals of a year. Values are in minor units of the quote asset. */
export interface YearTotals {
  readonly year: number;
  disposals: number;
  proceeds: bigint;
  cost: bigint;
  /** Sums of the positive gains, and of the negative ones. */
  gains: bigint;
  losses: bigint;
  /** The part of the gains that was earned without giving anything. */
  income: bigint;
  hasUnknownCost: boolean;
}

/** Gains by one method, in minor units of the quote asset. */
export interface MethodTotals {
  cost: bigint;
  realized: bigint;
  withdrawnGain: bigint;
}

/** Gains in one asset. Values are in minor units of the quote asset. */
interface AssetGains {
  readonly basis: CostBasis;
  realized: bigint;
  withdrawnGain: bigint;
}

/** Costs and gains of an account by one method. */
export class MethodGains {
  readonly assets = new Map<number, AssetGains>();
  readonly years: YearTotals[] = [];
  private cost = 0n;
  private realized = 0n;
  private withdrawnGain = 0n;

  constructor(
    private readonly method: CostMethod,
    private readonly quote: number,
    private readonly onDisposal: (disposal: Disposal) => void,
  ) {}

  add(asset: number, amount: bigint, cost: bigint, time: number, isKnown: boolean): void {
    this.cost += cost;
    this.asset(asset).basis.add(amount, cost, time, isKnown);
  }

  /** Removes an amount that leaves the account: its gain is neither realized nor unrealized any more. */
  withdraw(asset: number, amount: bigint, value: bigint): void {
    const gains = this.asset(asset);
    const cost = gains.basis.remove(amount).reduce((sum, part) => sum + part.cost, 0n);
    this.cost -= cost;
    gains.withdrawnGain += value - cost;
    this.withdrawnGain += value - cost;
  }

  /** Realizes a gain or loss. @param isKnown Whether the proceeds are known. */
  dispose({ change, asset, amount, proceeds, fee }: Given, isKnown: boolean): void {
    const gains = this.asset(asset);
    const parts = gains.basis.remove(amount);
    const shares = splitByAmount(proceeds, parts);
    const fees = splitByAmount(fee, parts);
    for (const [at, part] of parts.entries()) {
      const gain = shares[at]! - part.cost;
      this.cost -= part.cost;
      gains.realized += gain;
      this.realized += gain;
      // Quote assets cost what they are worth, so giving them for something is not listed.
      if (asset === this.quote && gain === 0n) continue;
      this.note({
        kind: change.kind as Disposal['kind'],
        time: change.time,
        reference: change.reference,
        asset,
        amount: part.amount,
        proceeds: shares[at]!,
        cost: part.cost,
        fee: fees[at]!,
        acquiredAt: part.acquiredAt,
        isKnown: isKnown && part.isKnown,
      });
    }
  }

  /** Adds an amount that was earned: its value is a gain, and its cost from now on. */
  earn(
    change: BalanceChange,
    asset: number,
    amount: bigint,
    value: bigint,
    isKnown: boolean,
  ): void {
    this.add(asset, amount, value, change.time, isKnown);
    const gains = this.asset(asset);
    gains.realized += value;
    this.realized += value;
    const { time, reference } = change;
    const none = { cost: 0n, fee: 0n, acquiredAt: undefined };
    this.note({
      kind: 'income',
      time,
      reference,
      asset,
      amount,
      proceeds: value,
      ...none,
      isKnown,
    });
  }

  totals(): MethodTotals {
    const { cost, realized, withdrawnGain } = this;
    return { cost, realized, withdrawnGain };
  }

  get size(): number {
    let size = 0;
    for (const { basis } of this.assets.values()) size += basis.size;
    return size;
  }

  private asset(asset: number): AssetGains {
    let gains = this.assets.get(asset);
    if (gains === undefined) {
      gains = { basis: this.createBasis(asset), realized: 0n, withdrawnGain: 0n };
      this.assets.set(asset, gains);
    }
    return gains;
  }

  /** Units of the quote asset all cost the same. */
  private createBasis(asset: number): CostBasis {
    return this.method === 'fifo' && asset !== this.quote ? new FifoBasis() : new AverageBasis();
  }

  private note(disposal: Disposal): void {
    const { kind, time, proceeds, cost, isKnown } = disposal;
    const totals = this.year(new Date(time).getUTCFullYear());
    const gain = proceeds - cost;
    totals.disposals++;
    totals.proceeds += proceeds;
    totals.cost += cost;
    if (gain > 0n) totals.gains += gain;
    else totals.losses += gain;
    if (kind === 'income') totals.income += gain;
    if (!isKnown) totals.hasUnknownCost = true;
    this.onDisposal(disposal);
  }

  private year(year: number): YearTotals {
    const last = this.years.at(-1);
    if (last?.year === year) return last;
    const totals = {
      year,
      disposals: 0,
      proceeds: 0n,
      cost: 0n,
      gains: 0n,
      losses: 0n,
      income: 0n,
      hasUnknownCost: false,
    };
    this.years.push(totals);
    return totals;
  }
}
