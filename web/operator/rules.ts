import { ApiRequestError, ApprovalRequiredError } from '../../src/client/errors.ts';
import type { ChangeMarketParameters, OperatorMarket } from '../../src/client/index.ts';
import { FieldError } from '../components/action.ts';
import {
  localNumber,
  parseNumber,
  parsePercent,
  toPercentText,
} from '../components/typed-number.ts';
import { capitalize } from '../format.ts';
import { t } from '../i18n/index.ts';
import type { Change } from './change-review.tsx';
import { RULE_LABELS } from './rule-labels.ts';

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

const FIELDS: Readonly<Record<RuleName, Omit<Rule, 'name' | 'label'>>> = {
  tickSize: { unit: 'quote' },
  stepSize: { unit: 'base' },
  minPrice: { unit: 'quote', optional: true },
  maxPrice: { unit: 'quote' },
  minAmount: { unit: 'base', optional: true },
  maxAmount: { unit: 'base' },
  minNotional: { unit: 'quote' },
  referencePrice: { unit: 'quote' },
  makerFee: { unit: 'percent' },
  takerFee: { unit: 'percent' },
  collar: { unit: 'percent', optional: true },
  staticBand: { unit: 'percent', optional: true },
  dynamicBand: { unit: 'percent', optional: true },
  auctionMs: { unit: 'milliseconds', optional: true },
};

export const RULES: readonly Rule[] = Object.entries(FIELDS).map(([name, rule]) => {
  return { name: name as RuleName, label: RULE_LABELS[name as RuleName], ...rule };
});

export const NO_RULES = Object.fromEntries(RULES.map(({ name }) => [name, ''])) as RuleTexts;

/** Returns a market's rules as editable texts. */
export function ruleTexts(market: OperatorMarket<string>): RuleTexts {
  const texts = RULES.map(({ name, unit }) => {
    const value = String(market[name] ?? '0');
    return [name, unit === 'percent' ? toPercentText(value) : localNumber(value)];
  });
  return Object.fromEntries(texts) as RuleTexts;
}

/** Returns what changes, with units. @param typed The texts of the form */
export function describeChanges(
  changed: Partial<Record<RuleName, string>>,
  typed: RuleTexts,
  market: OperatorMarket<string>,
): readonly Change[] {
  const current = ruleTexts(market);
  const { base, quote } = market;
  const units = { base: ` ${base}`, quote: ` ${quote}`, percent: '%', milliseconds: ' ms' };
  const withUnit = (text: string, unit: Rule['unit']) =>
    text.trim() === '' ? '' : `${text.trim()}${units[unit]}`;
  return RULES.filter(({ name }) => name in changed).map(({ name, label, unit }) => ({
    name: t(label),
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

/** Returns an error of the API about market rules with the labels of the form in place of names of fields. */
export function describeRuleError(message: string): string {
  const text = message.replace(/\b[a-z]+[A-Z]\w*/g, (name) => {
    if (name === 'tickSize') return t('the tick size');
    if (name === 'stepSize') return t('the lot size');
    const rule = RULES.find((each) => each.name === name);
    return rule === undefined ? name : t(rule.label).toLowerCase();
  });
  return capitalize(text);
}

/** Runs a request about market rules. @throws FieldError with the labels of the form, at the same field */
export async function withRuleLabels<Data>(request: () => Promise<Data>): Promise<Data> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiRequestError) || error instanceof ApprovalRequiredError) throw error;
    const { field } = error.details;
    throw new FieldError(typeof field === 'string' ? field : '', describeRuleError(error.message));
  }
}
