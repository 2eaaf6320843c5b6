import type { ChangeMarketParameters, Market } from '../../src/client/index.ts';
import { parseNumber, parsePercent, toPercentText } from '../components/typed-number.ts';

/** What an operator sets of a market. */
export interface Rule {
  readonly name: RuleName;
  readonly label: string;
  readonly unit: 'base' | 'quote' | 'percent';
  /** A listing works without it. */
  readonly optional?: boolean;
}

export type RuleName = Exclude<keyof ChangeMarketParameters, 'symbol' | 'status' | 'preview'>;
export type RuleTexts = Readonly<Record<RuleName, string>>;

export const RULES: readonly Rule[] = [
  { name: 'tickSize', label: 'Tick', unit: 'quote' },
  { name: 'stepSize', label: 'Step', unit: 'base' },
  { name: 'minPrice', label: 'Least price', unit: 'quote', optional: true },
  { name: 'maxPrice', label: 'Largest price', unit: 'quote' },
  { name: 'minAmount', label: 'Least amount', unit: 'base', optional: true },
  { name: 'maxAmount', label: 'Largest amount', unit: 'base' },
  { name: 'minNotional', label: 'Least worth of an order', unit: 'quote' },
  { name: 'referencePrice', label: 'Reference price', unit: 'quote' },
  { name: 'makerFee', label: 'Maker fee', unit: 'percent' },
  { name: 'takerFee', label: 'Taker fee', unit: 'percent' },
  { name: 'collar', label: 'Collar of market orders', unit: 'percent', optional: true },
];

export const NO_RULES = Object.fromEntries(RULES.map(({ name }) => [name, ''])) as RuleTexts;

/** The rules of a market as an operator types them. The reference price is not told: it stays empty. */
export function ruleTexts(market: Market<string>): RuleTexts {
  const texts = RULES.map(({ name, unit }) => {
    const value = name === 'referencePrice' ? '' : (market[name] ?? '0');
    return [name, unit === 'percent' ? toPercentText(value) : value];
  });
  return Object.fromEntries(texts) as RuleTexts;
}

/**
 * Those rules that were typed otherwise than they stand, as the exchange takes them.
 * @throws FieldError where one is no number
 */
export function changedRules(
  typed: RuleTexts,
  present: RuleTexts,
): Partial<Record<RuleName, string>> {
  const changed = RULES.filter(({ name }) => {
    const text = typed[name].trim();
    return text !== '' && text !== present[name];
  });
  return Object.fromEntries(
    changed.map(({ name, unit }) => {
      const read = unit === 'percent' ? parsePercent : parseNumber;
      return [name, read(typed[name], name)];
    }),
  );
}
