import type { ChangeMarketParameters, Market } from '../../src/client/index.ts';
import {
  localNumber,
  parseNumber,
  parsePercent,
  toPercentText,
} from '../components/typed-number.ts';
import type { Change } from './change-review.tsx';

/** A market rule that operators can set. */
export interface Rule {
  readonly name: RuleName;
  readonly label: string;
  readonly unit: 'base' | 'quote' | 'percent' | 'milliseconds';
  /** Whether a listing may omit it. */
  readonly optional?: boolean;
}

export type RuleName = Exclude<
  keyof ChangeMarketParameters,
  'symbol' | 'status' | 'reason' | 'preview'
>;
export type RuleTexts = Readonly<Record<RuleName, string>>;

const FIELDS: Readonly<Record<RuleName, Omit<Rule, 'name'>>> = {
  tickSize: { label: 'Tick size', unit: 'quote' },
  stepSize: { label: 'Lot size', unit: 'base' },
  minPrice: { label: 'Min price', unit: 'quote', optional: true },
  maxPrice: { label: 'Max price', unit: 'quote' },
  minAmount: { label: 'Min amount', unit: 'base', optional: true },
  maxAmount: { label: 'Max amount', unit: 'base' },
  minNotional: { label: 'Minimum notional', unit: 'quote' },
  referencePrice: { label: 'Reference price', unit: 'quote' },
  makerFee: { label: 'Maker fee', unit: 'percent' },
  takerFee: { label: 'Taker fee', unit: 'percent' },
  collar: { label: 'Market-order price band', unit: 'percent', optional: true },
  staticBand: { label: 'Static price band', unit: 'percent', optional: true },
  dynamicBand: { label: 'Dynamic price band', unit: 'percent', optional: true },
  auctionMs: { label: 'Auction length', unit: 'milliseconds', optional: true },
};

export const RULES: readonly Rule[] = Object.entries(FIELDS).map(([name, rule]) => {
  return { name: name as RuleName, ...rule };
});

export const NO_RULES = Object.fromEntries(RULES.map(({ name }) => [name, ''])) as RuleTexts;

/** Returns a market's rules as editable texts. The API does not report the reference price, so it is empty. */
export function ruleTexts(market: Market<string>): RuleTexts {
  const texts = RULES.map(({ name, unit }) => {
    const value = name === 'referencePrice' ? '' : String(market[name] ?? '0');
    return [name, unit === 'percent' ? toPercentText(value) : localNumber(value)];
  });
  return Object.fromEntries(texts) as RuleTexts;
}

/** Returns what changes, with units. @param typed The texts of the form */
export function describeChanges(
  changed: Partial<Record<RuleName, string>>,
  typed: RuleTexts,
  market: Market<string>,
): readonly Change[] {
  const current = ruleTexts(market);
  const units = { base: market.base, quote: market.quote, percent: '%', milliseconds: 'ms' };
  const withUnit = (text: string, unit: Rule['unit']) =>
    text.trim() === '' ? '' : `${text.trim()} ${units[unit]}`;
  return RULES.filter(({ name }) => name in changed).map(({ name, label, unit }) => ({
    name: label,
    from: withUnit(current[name], unit),
    to: withUnit(typed[name], unit),
  }));
}

/**
 * Returns the rules that differ from the current ones, in API format.
 * @throws FieldError if one is not a number
 */
export function changedRules(
  typed: RuleTexts,
  current: RuleTexts,
): Partial<Record<RuleName, string>> {
  const changed = RULES.filter(({ name }) => {
    const text = typed[name].trim();
    return text !== '' && text !== current[name];
  });
  return Object.fromEntries(
    changed.map(({ name, unit }) => {
      const read = unit === 'percent' ? parsePercent : parseNumber;
      return [name, read(typed[name], name)];
    }),
  );
}
