import type { ChangeableRules, MarketRules } from '../command.ts';
import type { Exact } from '../numbers/exact.ts';

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
