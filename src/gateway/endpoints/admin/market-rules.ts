import type { ChangeableRules, MarketRules } from '../../../engine/command.ts';
import {
  changeableRules,
  MARKET_RULES,
  NO_AUCTIONS,
} from '../../../engine/markets/market-rules.ts';
import type { Asset } from '../../../engine/markets/markets.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import { parseUnits } from '../../../engine/numbers/units.ts';
import type { JsonNumber } from '../../http/json.ts';
import { invalid } from '../../http/request/query.ts';
import {
  RULE_FIELDS,
  type RuleBody,
  type RuleDecimals,
  ruleDecimals,
} from '../../openapi/market-rules.ts';

/** Price band of market orders in parts per million, unless given: it keeps a mistake from sweeping a thin book. */
const DEFAULT_COLLAR = 100_000;

/** A body that lists a market; other fields have the types of `RuleBody`. */
type Listing = RuleBody & { readonly tickSize: JsonNumber; readonly stepSize: JsonNumber };

/**
 * Returns the rules in a listing. Tick and step size set the market's decimals; other values must fit them.
 * @throws ApiError INVALID_REQUEST
 */
export function readListing(body: Listing, quote: Asset): MarketRules {
  const fixed = {
    priceDecimals: countDecimals(body.tickSize, 'tickSize'),
    amountDecimals: countDecimals(body.stepSize, 'stepSize'),
  };
  // The request's schema requires all but those that have a default.
  const given = readRules(body, ruleDecimals(fixed, quote)) as ChangeableRules;
  const defaults = { minPrice: given.tick, minAmount: given.step, collar: DEFAULT_COLLAR };
  return { ...fixed, ...NO_AUCTIONS, ...defaults, ...given };
}

/** Returns the rules in a body, in units. @throws ApiError INVALID_REQUEST */
export function readRules(body: RuleBody, decimals: RuleDecimals): Partial<ChangeableRules> {
  const rules: Record<string, Exact> = {};
  for (const rule of changeableRules) {
    const { field } = RULE_FIELDS[rule];
    const given = body[field];
    if (given === null && 'isNullable' in RULE_FIELDS[rule]) rules[rule] = 0;
    if (given == null) continue;
    const unit = MARKET_RULES[rule];
    rules[rule] =
      unit === 'quote' ? money(given, decimals.quote, field) : units(given, decimals[unit], field);
  }
  return rules;
}

/** Returns an amount of any size in minor units. @throws ApiError INVALID_REQUEST */
function money(number: JsonNumber, decimals: number, field: string): Exact {
  const value = parseUnits(number.text, decimals);
  if (typeof value !== 'string') return value;
  throw invalid(field, 'decimals', `${field} must have at most ${decimals} decimals.`);
}

/** @throws ApiError INVALID_REQUEST */
export function units(number: JsonNumber, decimals: number, field: string): number {
  const value = parseUnits(number.text, decimals);
  if (typeof value === 'number') return value;
  throw invalid(field, 'grid', `${field} must have at most ${decimals} decimals.`);
}

/** Returns the fewest decimals that represent the number. @throws ApiError INVALID_REQUEST */
function countDecimals(number: JsonNumber, field: string): number {
  for (let decimals = 0; decimals <= 15; decimals++) {
    if (typeof parseUnits(number.text, decimals) === 'number') return decimals;
  }
  throw invalid(field, 'decimals', `${field} must have at most 15 decimals.`);
}
