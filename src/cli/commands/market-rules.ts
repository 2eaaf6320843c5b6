import { type ExactNumber, numberText } from '../../client/exact-number.ts';
import type { ChangeMarketParameters, Market } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Option } from '../command.ts';
import { FORMS, type Form } from '../forms.ts';
import type { Cell } from '../text.ts';

type RuleField = Exclude<keyof ChangeMarketParameters, 'symbol' | 'status' | 'reason' | 'preview'>;

interface RuleOption {
  readonly name: string;
  /** Help of `market change`. */
  readonly help: string;
  /** By default a number above zero. */
  readonly form?: Form;
  /** Whether `market create` needs it; without this `market create` does not have it. */
  readonly create?: { readonly isRequired: boolean; readonly help?: string };
}

const REQUIRED = { isRequired: true };

/** The options that set market rules, by the field of the request. */
const RULES: Readonly<Record<RuleField, RuleOption>> = {
  tickSize: {
    name: 'tick',
    help: 'tick size: prices of new orders must be multiples of it',
    create: { isRequired: true, help: 'tick size: prices must be multiples of it' },
  },
  stepSize: {
    name: 'step',
    help: 'lot size: amounts of new orders must be multiples of it',
    create: { isRequired: true, help: 'lot size: amounts must be multiples of it' },
  },
  minPrice: { name: 'min-price', help: 'minimum price' },
  maxPrice: { name: 'max-price', help: 'maximum price', create: REQUIRED },
  minAmount: { name: 'min-amount', help: 'minimum order amount' },
  maxAmount: { name: 'max-amount', help: 'maximum order amount', create: REQUIRED },
  minNotional: {
    name: 'min-notional',
    help: 'minimum notional',
    form: FORMS.notNegative,
    create: REQUIRED,
  },
  makerFee: {
    name: 'maker-fee',
    help: 'maker rate, such as 0.0008; negative for a rebate',
    form: FORMS.makerFee,
    create: REQUIRED,
  },
  takerFee: {
    name: 'taker-fee',
    help: 'taker rate, such as 0.001',
    form: FORMS.fee,
    create: REQUIRED,
  },
  collar: {
    name: 'collar',
    form: FORMS.collar,
    help: 'market-order price band as a share of the last price, such as 0.1; 0 for none',
    create: {
      isRequired: false,
      help: 'market-order price band as a share of the last price (default 0.1); 0 for none',
    },
  },
  staticBand: {
    name: 'static-band',
    form: FORMS.collar,
    help: 'price band around the price of the last auction, as a share of it; 0 for none',
    create: { isRequired: false },
  },
  dynamicBand: {
    name: 'dynamic-band',
    form: FORMS.collar,
    help: 'price band around the last price, as a share of it; 0 for none',
    create: { isRequired: false },
  },
  auctionMs: {
    name: 'auction-ms',
    form: FORMS.auctionMs,
    help: 'length of auctions in milliseconds; 0 if an operator ends them',
    create: { isRequired: false },
  },
  referencePrice: {
    name: 'reference-price',
    help: 'price shown before the first trade',
    create: REQUIRED,
  },
};

/** Options of `market change`. */
export const changeOptions: readonly Option[] = Object.values(RULES).map(
  ({ name, help, form = FORMS.positive }) => ({ name, value: 'X', help, form }),
);

/** Options of `market create`, the required ones first. */
export const createOptions: readonly Option[] = Object.values(RULES)
  .flatMap(({ name, help, form = FORMS.positive, create }) =>
    create === undefined ? [] : [{ name, value: 'X', help, form, ...create }],
  )
  .sort((a, b) => Number(b.isRequired) - Number(a.isRequired));

/** Returns the rules that were given, by the field of the request. */
export function readRules(args: Arguments): { readonly [Field in RuleField]?: string } {
  const given = Object.entries(RULES).filter(([, { name }]) => args.has(name));
  return Object.fromEntries(given.map(([field, { name }]) => [field, args.required(name)]));
}

/** Returns the labels and values of a market's rules. */
export function ruleLines(market: Market<ExactNumber>): (readonly [string, Cell])[] {
  return [
    ['Tick', market.tickSize],
    ['Step', market.stepSize],
    ['Price', `${numberText(market.minPrice)} to ${numberText(market.maxPrice)}`],
    ['Amount', `${numberText(market.minAmount)} to ${numberText(market.maxAmount)}`],
    ['Minimum notional', market.minNotional],
    ['Maker fee', market.makerFee],
    ['Taker fee', market.takerFee],
    ['Static band', market.staticBand],
    ['Dynamic band', market.dynamicBand],
    ['Auctions', market.auctionMs === null ? null : `${numberText(market.auctionMs)} ms`],
  ];
}
