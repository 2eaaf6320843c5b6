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
  /**
   * Parts per million of the amount received; a negative rate is a rebate, parts per million of what the taker receives
   * (engine version 2).
   */
  readonly makerFee: number;
  /** Parts per million of the amount received. */
  readonly takerFee: number;
  /** In price units; counts as the last price until the first trade. */
  readonly referencePrice: number;
  /**
   * Maximum distance from the last price at which a market order trades, in parts per million of
   * it; 0 for no limit.
   */
  readonly collar: number;
  /**
   * Maximum distance of a trade from the static reference price, in parts per million of it; 0 for no band (engine
   * version 2). See `auction/bands.ts`.
   */
  readonly staticBand: number;
  /** Maximum distance of a trade from the last price, in parts per million of it; 0 for no band (engine version 2). */
  readonly dynamicBand: number;
  /** Length of the call phase of an auction in milliseconds; 0 if only an operator ends it (engine version 2). */
  readonly auctionMs: number;
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
  /** Parts per million, as in `MarketRules`. */
  readonly makerFee: number;
  readonly takerFee: number;
}

/**
 * The unit of a rule's integer: a number of decimals, minor units of the quote asset, price or
 * amount units of the market, millionths, or milliseconds.
 */
type UnitOf<Rule extends keyof MarketRules> = Rule extends keyof ChangeableRules
  ? Exact extends MarketRules[Rule]
    ? 'quote'
    : 'price' | 'amount' | 'rate' | 'milliseconds'
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
  staticBand: 'rate',
  dynamicBand: 'rate',
  auctionMs: 'milliseconds',
} as const satisfies { readonly [Rule in keyof MarketRules]: UnitOf<Rule> };

export type RuleUnit = (typeof MARKET_RULES)[keyof ChangeableRules];
/** The rules of auctions, which the state part of auctions hashes and stores (`auction/auctions.ts`). */
export const auctionRules = ['staticBand', 'dynamicBand', 'auctionMs'] as const;
export type AuctionRule = (typeof auctionRules)[number];
/** The rules with which a market is listed; those of auctions may be absent, as in older logs. */
export type ListedRules = Omit<MarketRules, AuctionRule> & Partial<Pick<MarketRules, AuctionRule>>;
/** The rules of auctions of a market without them. */
export const NO_AUCTIONS: Pick<MarketRules, AuctionRule> = {
  staticBand: 0,
  dynamicBand: 0,
  auctionMs: 0,
};
/** A rule of every market that is a safe integer; money may be larger. */
export type NumericRule = Exclude<keyof MarketRules, 'minNotional' | AuctionRule>;

const rules = Object.keys(MARKET_RULES) as (keyof MarketRules)[];

export const numericRules = rules.filter((rule): rule is NumericRule => {
  return rule !== 'minNotional' && !auctionRules.some((each) => each === rule);
});

export const changeableRules = rules.filter((rule): rule is keyof ChangeableRules => {
  return MARKET_RULES[rule] !== 'decimals';
});
