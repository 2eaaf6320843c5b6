import type { Exact } from '../numbers/exact.ts';

export interface MarketRules {
  /** Number of decimals of one price unit and of one amount unit in this market. */
  readonly priceDecimals: number;
  readonly amountDecimals: number;
  /** Prices are multiples of `tick` and amounts are multiples of `step`, both in units. */
  readonly tick: number;
  readonly step: number;
  readonly minPrice: number;
  readonly maxPrice: number;
  readonly minAmount: number;
  readonly maxAmount: number;
  /** In minor units of the quote asset. */
  readonly minNotional: Exact;
  /** Parts per million of the amount received. */
  readonly makerFee: number;
  readonly takerFee: number;
  /** In price units; counts as the last price until the first trade. */
  readonly referencePrice: number;
  /**
   * Maximum distance from the last price at which a market order trades, in parts per million of
   * it; 0 for no limit.
   */
  readonly collar: number;
}

/**
 * The rules that may change after the listing. Decimals may not: they define the unit of every
 * stored integer.
 */
export type ChangeableRules = Omit<MarketRules, 'priceDecimals' | 'amountDecimals'>;

/** The fee rates that an account pays once its trading volume reaches `minVolume`. */
export interface FeeTier {
  /** In minor units of the asset in which volume is counted; above zero. */
  readonly minVolume: Exact;
  /** Parts per million of the amount received. */
  readonly makerFee: number;
  readonly takerFee: number;
}
