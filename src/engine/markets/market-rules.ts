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

/**
 * The unit of a rule's integer: a number of decimals, minor units of the quote asset, price or
 * amount units of the market, or millionths.
 */
type UnitOf<Rule extends keyof MarketRules> = Rule extends keyof ChangeableRules
  ? Exact extends MarketRules[Rule]
    ? 'quote'
    : 'price' | 'amount' | 'rate'
  : 'decimals';

/**
 * Every rule of a market with its unit. The digest, snapshots, the log and the API derive their
 * lists of rules from this one. Its order is part of the bytes of snapshots and logs: a new rule
 * needs a new layout of both.
 */
export const MARKET_RULES = {
  priceDecimals: 'decimals',
  amountDecimals: 'decimals',
  tick: 'price',
  step: 'amount',
  minPrice: 'price',
  maxPrice: 'price',
  minAmount: 'amount',
  maxAmount: 'amount',
  minNotional: 'quote',
  makerFee: 'rate',
  takerFee: 'rate',
  referencePrice: 'price',
  collar: 'rate',
} as const satisfies { readonly [Rule in keyof MarketRules]: UnitOf<Rule> };

export type RuleUnit = (typeof MARKET_RULES)[keyof ChangeableRules];
/** A rule that is a safe integer; money may be larger. */
export type NumericRule = Exclude<keyof MarketRules, 'minNotional'>;

const rules = Object.keys(MARKET_RULES) as (keyof MarketRules)[];

export const numericRules = rules.filter((rule): rule is NumericRule => {
  return MARKET_RULES[rule] !== 'quote';
});

export const changeableRules = rules.filter((rule): rule is keyof ChangeableRules => {
  return MARKET_RULES[rule] !== 'decimals';
});
