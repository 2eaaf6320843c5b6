import type { ChangeableRules, MarketRules } from '../../engine/command.ts';
import { changeableRules, type RuleUnit } from '../../engine/markets/market-rules.ts';
import type { Asset } from '../../engine/markets/markets.ts';
import type { JsonNumber } from '../http/json.ts';
import { decimal } from './body-schema.ts';
import { type JsonSchema, nullable, number } from './json-schema.ts';

type Rule = keyof ChangeableRules;

interface RuleField {
  /** Name in requests, responses and the audit. */
  readonly field: string;
  /** Its schema in responses; the reference price is not returned. */
  readonly schema?: JsonSchema;
  /** Whether a listing may omit it. */
  readonly isOptional?: true;
  /** Whether null stands for 0. */
  readonly isNullable?: true;
}

/** The rules of a market in the order of responses. Requests, responses and the audit derive their fields from this table. */
export const RULE_FIELDS = {
  tick: {
    field: 'tickSize',
    schema: number('Tick size: prices must be a multiple of it.', 0.01),
  },
  step: {
    field: 'stepSize',
    schema: number('Lot size: amounts must be a multiple of it.', 0.00000001),
  },
  minAmount: {
    field: 'minAmount',
    schema: number('Minimum amount of an order.', 0.00000001),
    isOptional: true,
  },
  maxAmount: { field: 'maxAmount', schema: number('Maximum amount of an order.', 9000) },
  minPrice: {
    field: 'minPrice',
    schema: number('Minimum price of a limit order.', 0.01),
    isOptional: true,
  },
  maxPrice: { field: 'maxPrice', schema: number('Maximum price of a limit order.', 100000000) },
  minNotional: {
    field: 'minNotional',
    schema: number('Minimum value of an order, in the quote asset.', 0.01),
  },
  makerFee: {
    field: 'makerFee',
    schema: number(
      'Maker fee rate, charged on the received asset: 0.001 is 0.1 %. A negative rate is a rebate on what the taker receives.',
      0.0008,
    ),
  },
  takerFee: {
    field: 'takerFee',
    schema: number('Taker fee rate, charged on the received asset.', 0.001),
  },
  referencePrice: { field: 'referencePrice' },
  collar: {
    field: 'collar',
    schema: nullable(
      number(
        'Maximum distance of a market order from the last price, as a fraction of it; null if unlimited.',
        0.1,
      ),
    ),
    isOptional: true,
    isNullable: true,
  },
  staticBand: {
    field: 'staticBand',
    schema: nullable(
      number(
        'Maximum distance of a trade from the static reference price, as a fraction of it; null without a static band.',
        0.1,
      ),
    ),
    isOptional: true,
    isNullable: true,
  },
  dynamicBand: {
    field: 'dynamicBand',
    schema: nullable(
      number(
        'Maximum distance of a trade from the last price, as a fraction of it; null without a dynamic band.',
        0.05,
      ),
    ),
    isOptional: true,
    isNullable: true,
  },
  auctionMs: {
    field: 'auctionMs',
    schema: nullable(
      number(
        'Length of the call phase of an auction in milliseconds; null if only an operator ends it.',
        120_000,
      ),
    ),
    isOptional: true,
    isNullable: true,
  },
} as const satisfies Readonly<Record<Rule, RuleField>>;

type RuleFields = typeof RULE_FIELDS;

const inResponseOrder = Object.keys(RULE_FIELDS) as Rule[];

/** The rules that responses return, with their schemas. */
export const returnedRules = inResponseOrder.flatMap((rule) => {
  const { field, schema, isNullable }: RuleField = RULE_FIELDS[rule];
  return schema === undefined ? [] : [{ rule, field, schema, isNullable: isNullable === true }];
});

const optionalDecimal = decimal.nullish();

/** The fields of a request that lists a market. */
export const listedRuleFields = Object.fromEntries(
  inResponseOrder.map((rule) => {
    const { field, isOptional }: RuleField = RULE_FIELDS[rule];
    return [field, isOptional ? optionalDecimal : decimal];
  }),
) as {
  [R in Rule as RuleFields[R]['field']]: RuleFields[R] extends { isOptional: true }
    ? typeof optionalDecimal
    : typeof decimal;
};

/** The fields of a request that changes the rules of a market. */
export const changedRuleFields = Object.fromEntries(
  changeableRules.map((rule) => [RULE_FIELDS[rule].field, optionalDecimal]),
) as { [R in Rule as RuleFields[R]['field']]: typeof optionalDecimal };

/** A body with rules, all of them optional. */
export type RuleBody = {
  readonly [R in Rule as RuleFields[R]['field']]?: JsonNumber | null | undefined;
};

/** Decimals of a rate, such as a fee: rates are in parts per million. */
export const RATE_DECIMALS = 6;

export type FixedRules = Pick<MarketRules, 'priceDecimals' | 'amountDecimals'>;
export type RuleDecimals = Readonly<Record<RuleUnit, number>>;

/** Returns the decimals of a market's rules by their unit. */
export function ruleDecimals(rules: FixedRules, quote: Pick<Asset, 'decimals'>): RuleDecimals {
  const { priceDecimals, amountDecimals } = rules;
  return {
    price: priceDecimals,
    amount: amountDecimals,
    quote: quote.decimals,
    rate: RATE_DECIMALS,
    milliseconds: 0,
  };
}
