import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../config/durations.ts';
import type { BalanceChange } from './balance-changes.ts';
import { type CostMethod, costMethods } from './cost-basis.ts';
import { type Disposal, MethodGains, type MethodTotals } from './method-gains.ts';

/** Returns the value of an amount in minor units of the quote asset, rounded down; undefined if there is no price. */
export type Valuation = (asset: number, amount: bigint) => bigint | undefined;

/** The balances and gains of an account after the last change of a second, or of a longer interval. */
export interface GainsPoint {
  /** When the last change was, milliseconds since 1970. */
  time: number;
  /** Totals by asset index, minor units. */
  amounts: bigint[];
  /** Deposits less withdrawals at their value. All values are in minor units of the quote asset. */
  netFlows: bigint;
  /** Return since the beginning, chained up to the last flow: 1 is `INDEX_UNIT`. */
  index: bigint;
  /** Value of the account after the last flow. */
  indexBase: bigint;
  methods: Record<CostMethod, MethodTotals>;
}

/** A deposit, withdrawal or transfer. */
export interface Flow {
  readonly time: number;
  readonly asset: number;
  /** Minor units; negative if it left the account. */
  readonly amount: bigint;
  /** Undefined if there was no price. */
  readonly value: bigint | undefined;
  /** Index in the list `entryTypes`. */
  readonly type: number;
}

export const INDEX_UNIT = 10n ** 18n;

/** Maximum number of points. If there are more, the older half is reduced to one point per interval of these widths (UTC). */
const MAX_POINTS = 10_000;
const REDUCED_MS = [MINUTE_MS, 15 * MINUTE_MS, 4 * HOUR_MS, DAY_MS] as const;
/** Flows that are kept; of more the newest. */
const MAX_FLOWS = 1000;

/**
 * The gains of one account in one quote asset by all methods, from its ledger in order of ids. After every change, and for
 * each method: cost = netFlows + realized + withdrawnGain, exactly. With unrealized = value - cost it follows that
 * realized + unrealized + withdrawnGain = value - netFlows.
 */
export class AccountGains {
  readonly amounts: bigint[] = [];
  readonly points: GainsPoint[] = [];
  readonly flows: Flow[] = [];
  readonly methods: Record<CostMethod, MethodGains>;
  netFlows = 0n;
  deposits = 0n;
  withdrawals = 0n;
  /** Fees of trades and withdrawals less rebates. */
  fees = 0n;
  private index = INDEX_UNIT;
  private indexBase = 0n;

  /**
   * @param quote Index of the quote asset.
   * @param onDisposal Called with each disposal.
   */
  constructor(
    private readonly quote: number,
    onDisposal: (method: CostMethod, disposal: Disposal) => void = () => {},
    private readonly maxPoints = MAX_POINTS,
  ) {
    const create = (method: CostMethod) =>
      new MethodGains(method, quote, (disposal) => onDisposal(method, disposal));
    this.methods = { fifo: create('fifo'), average: create('average') };
  }

  /** Returns the assets whose values at the time of a change are needed to apply it. */
  pricedAssets({ kind, amounts, fees }: BalanceChange): number[] {
    const assets = new Set([...amounts.keys(), ...fees.keys()]);
    if (kind === 'flow') {
      for (const [asset, amount] of this.amounts.entries()) {
        if (amount !== undefined && amount !== 0n) assets.add(asset);
      }
    } else if (isExchange(kind) && assets.has(this.quote)) return [];
    assets.delete(this.quote);
    return [...assets];
  }

  /** @param price Values `pricedAssets` at the time of the change. */
  apply(change: BalanceChange, price: Valuation): void {
    const value: Valuation = (asset, amount) =>
      asset === this.quote ? amount : price(asset, amount);
    if (change.kind === 'flow') {
      for (const [asset, amount] of change.amounts) this.addFlow(change, asset, amount, value);
    } else if (isExchange(change.kind)) this.exchange(change, value);
    else this.payOrEarn(change, value);
    this.notePoint(change.time);
  }

  /** Returns the value of everything that the account owns. */
  total(value: Valuation): bigint {
    return totalValue(this.amounts, this.quote, value);
  }

  /** Number of objects in memory. */
  get size(): number {
    const { points, amounts, methods } = this;
    const lots = costMethods.reduce((sum, method) => sum + methods[method].size, 0);
    return lots + points.length * (amounts.length + 8);
  }

  private addFlow(change: BalanceChange, asset: number, amount: bigint, value: Valuation): void {
    if (amount === 0n) return;
    const { time, type } = change;
    const worth = value(asset, amount < 0n ? -amount : amount);
    const size = worth ?? 0n;
    this.index = chain({ index: this.index, indexBase: this.indexBase }, this.total(value));
    if (amount > 0n) {
      this.deposits += size;
      this.each((gains) => gains.add(asset, amount, size, time, worth !== undefined));
    } else {
      this.withdrawals += size;
      this.each((gains) => gains.withdraw(asset, -amount, size));
    }
    this.netFlows = this.deposits - this.withdrawals;
    this.change(asset, amount);
    this.indexBase = this.total(value);
    const signed = amount < 0n ? -size : size;
    this.flows.push({ time, asset, amount, value: worth === undefined ? worth : signed, type });
    if (this.flows.length > 2 * MAX_FLOWS) this.flows.splice(0, MAX_FLOWS);
  }

  /** Applies a trade or its bust: all that is given is disposed of for the value of what is received. */
  private exchange(change: BalanceChange, value: Valuation): void {
    const { amounts, time } = change;
    const given = [...amounts].filter(([, amount]) => amount < 0n);
    const received = [...amounts].filter(([, amount]) => amount > 0n);
    const worth = this.tradeValue([...received, ...given], value);
    const isKnown = worth !== undefined;
    const size = worth ?? 0n;
    const fee = this.addFees(change, size, value);
    // A trade has one asset on each side, unless fees or rounding left nothing of one.
    const proceeds = received.length > 0 ? size : 0n;
    for (const [asset, amount] of given) {
      const disposal = { change, asset, amount: -amount, proceeds, fee };
      this.each((gains) => gains.dispose(disposal, isKnown));
    }
    const cost = given.length > 0 ? size : 0n;
    for (const [asset, amount] of received) {
      this.each((gains) => gains.add(asset, amount, cost, time, isKnown));
    }
    for (const [asset, amount] of amounts) this.change(asset, amount);
  }

  /** Returns the value at which a trade was made: what it moved of the quote asset, or the market value of one side. */
  private tradeValue(sides: [asset: number, amount: bigint][], value: Valuation) {
    const inQuote = sides.find(([asset]) => asset === this.quote);
    for (const [asset, amount] of inQuote ? [inQuote] : sides) {
      const worth = value(asset, amount < 0n ? -amount : amount);
      if (worth !== undefined) return worth;
    }
    return undefined;
  }

  /** Applies a fee without a trade, which is a loss of its cost, or income, which is a gain of its value. */
  private payOrEarn(change: BalanceChange, value: Valuation): void {
    for (const [asset, amount] of change.amounts) {
      if (amount === 0n) continue;
      const worth = value(asset, amount < 0n ? -amount : amount);
      const size = worth ?? 0n;
      if (change.kind === 'cost') this.fees += amount < 0n ? size : -size;
      if (amount < 0n) {
        const disposal = { change, asset, amount: -amount, proceeds: 0n, fee: size };
        this.each((gains) => gains.dispose(disposal, true));
      } else {
        this.each((gains) => gains.earn(change, asset, amount, size, worth !== undefined));
      }
      this.change(asset, amount);
    }
  }

  /** Adds up the fees of a trade. @returns Their value: negative for rebates. */
  private addFees({ fees, amounts }: BalanceChange, traded: bigint, value: Valuation): bigint {
    let sum = 0n;
    for (const [asset, fee] of fees) {
      const size = fee < 0n ? -fee : fee;
      const moved = amounts.get(asset) ?? 0n;
      const gross = (moved < 0n ? -moved : moved) + size;
      // A trade for the quote asset has a price of its own.
      const worth = amounts.has(this.quote) ? (traded * size) / gross : value(asset, size);
      const known = asset === this.quote ? size : (worth ?? 0n);
      sum += fee < 0n ? -known : known;
    }
    this.fees += sum;
    return sum;
  }

  private each(work: (gains: MethodGains) => void): void {
    for (const method of costMethods) work(this.methods[method]);
  }

  private change(asset: number, amount: bigint): void {
    for (let each = this.amounts.length; each <= asset; each++) this.amounts.push(0n);
    this.amounts[asset]! += amount;
  }

  private notePoint(time: number): void {
    const { amounts, netFlows, index, indexBase, methods, points } = this;
    const point = {
      time,
      amounts: [...amounts],
      netFlows,
      index,
      indexBase,
      methods: { fifo: methods.fifo.totals(), average: methods.average.totals() },
    };
    const last = points.at(-1);
    if (last !== undefined && sameInterval(last.time, time, SECOND_MS)) points.pop();
    points.push(point);
    if (points.length > this.maxPoints) this.reducePoints();
  }

  private reducePoints(): void {
    const { points, maxPoints } = this;
    for (const width of REDUCED_MS) {
      const half = points.length / 2;
      const kept = points.filter(
        ({ time }, at) => at >= half || !sameInterval(time, points[at + 1]!.time, width),
      );
      points.splice(0, points.length, ...kept);
      if (points.length <= 0.75 * maxPoints) return;
    }
  }
}

/** Returns the return index when an account is worth `total`. A period that begins or ends without value counts as a return of 0. */
export function chain(
  { index, indexBase }: { readonly index: bigint; readonly indexBase: bigint },
  total: bigint,
): bigint {
  return indexBase > 0n && total > 0n ? (index * total) / indexBase : index;
}

export function totalValue(amounts: readonly bigint[], quote: number, value: Valuation): bigint {
  return amounts.reduce((sum, amount, asset) => {
    if (amount === 0n) return sum;
    return sum + (asset === quote ? amount : (value(asset, amount) ?? 0n));
  }, 0n);
}

function isExchange(kind: BalanceChange['kind']): boolean {
  return kind === 'trade' || kind === 'bust';
}

function sameInterval(a: number, b: number, width: number): boolean {
  return Math.floor(a / width) === Math.floor(b / width);
}
