import Big from 'big.js';
import { localNumber, plainNumber } from '../components/typed-number.ts';
import { decimal } from '../decimal.ts';
import type { ExactMarket } from './records.ts';

export type Side = 'buy' | 'sell';
export type FormType =
  | 'limit'
  | 'market'
  | 'stop'
  | 'stop_limit'
  | 'take_profit'
  | 'take_profit_limit'
  | 'trailing_stop'
  | 'oco';
export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'GTD';

/** The order form's contents, as typed. */
export interface Draft {
  readonly side: Side;
  readonly type: FormType;
  /** Whether market orders of each side are sized by `amount` or by `cost`. */
  readonly by: Readonly<Record<Side, 'amount' | 'cost'>>;
  readonly amount: string;
  readonly cost: string;
  readonly price: string;
  readonly triggerPrice: string;
  /** Whether a trailing stop is placed at a distance in percent or in the quote asset. */
  readonly trailBy: 'percent' | 'amount';
  readonly trailingPercent: string;
  readonly trailingAmount: string;
  readonly activationPrice: string;
  /** Amount of a limit order that the book shows; empty for all of it. */
  readonly displayAmount: string;
  /** Whether the prices below are sent as attached orders; an OCO order always has them. */
  readonly hasAttached: boolean;
  readonly takeProfitPrice: string;
  readonly stopTrigger: string;
  readonly stopPrice: string;
  readonly timeInForce: TimeInForce;
  /** The time in force the user chose, by order type. */
  readonly chosen: Readonly<Partial<Record<FormType, TimeInForce>>>;
  /** A time of the user's clock, in the format of `<input type="datetime-local">`. */
  readonly expiresAt: string;
  readonly postOnly: boolean;
}

/** The order form before anything is typed. */
export const EMPTY_DRAFT: Draft = {
  side: 'buy',
  type: 'limit',
  by: { buy: 'cost', sell: 'amount' },
  amount: '',
  cost: '',
  price: '',
  triggerPrice: '',
  trailBy: 'percent',
  trailingPercent: '',
  trailingAmount: '',
  activationPrice: '',
  displayAmount: '',
  hasAttached: false,
  takeProfitPrice: '',
  stopTrigger: '',
  stopPrice: '',
  timeInForce: 'GTC',
  chosen: {},
  expiresAt: '',
  postOnly: false,
};

/** Market data and balances that a draft is validated against. */
export interface OrderContext {
  readonly market: ExactMarket;
  readonly last: Big;
  /** Best first. */
  readonly asks: readonly (readonly [string, string])[];
  readonly bids: readonly (readonly [string, string])[];
  /** Undefined when signed out. */
  readonly available: { readonly base: Big; readonly quote: Big } | undefined;
  readonly nowMs: number;
  /** The clock that `expiresAt` is a time of; local by default. */
  readonly clock?: Clock;
}

/** The clock that the user chose. */
export type Clock = 'local' | 'utc';

/** Returns the time of a date and time that was typed, in milliseconds since 1970; NaN for any other text. */
export function expiryMs(expiresAt: string, clock: Clock = 'local'): number {
  return Date.parse(clock === 'utc' ? `${expiresAt}Z` : expiresAt);
}

/** Fields of a draft that hold numbers. */
const NUMBERS = [
  'amount',
  'cost',
  'price',
  'triggerPrice',
  'trailingPercent',
  'trailingAmount',
  'activationPrice',
  'displayAmount',
  'takeProfitPrice',
  'stopTrigger',
  'stopPrice',
] as const;

/** Returns the draft with plain numbers, without the separators that users type. */
export function plainNumbers(draft: Draft): Draft {
  const entries = NUMBERS.map((name) => [name, plainNumber(draft[name])]);
  return { ...draft, ...Object.fromEntries(entries) };
}

/** Returns an edit of plain numbers as the user would type it. */
export function typedNumbers(change: Partial<Draft>): Partial<Draft> {
  const entries = NUMBERS.flatMap((name) => {
    const value = change[name];
    return value === undefined ? [] : [[name, localNumber(value)]];
  });
  return { ...change, ...Object.fromEntries(entries) };
}

export function hasPrice({ type }: Draft): boolean {
  return type === 'limit' || type === 'stop_limit' || type === 'take_profit_limit';
}

export function hasTrigger({ type }: Draft): boolean {
  return type !== 'limit' && type !== 'market' && type !== 'oco' && type !== 'trailing_stop';
}

/** Whether the book may show only a part of the order. */
export function canHide({ type, timeInForce }: Draft): boolean {
  return type === 'limit' && (timeInForce === 'GTC' || timeInForce === 'GTD');
}

/** Returns the activation price of a trailing stop; undefined if the last price has reached it, or there is none. */
export function pendingActivation({ side, activationPrice }: Draft, last: Big): Big | undefined {
  const activation = decimal(activationPrice);
  if (activation === undefined) return undefined;
  return (side === 'sell' ? last.lt(activation) : last.gt(activation)) ? activation : undefined;
}

/** Returns the trigger price of a trailing stop at the present last price, or at its activation price. */
export function firstTrigger(draft: Draft, last: Big): Big | undefined {
  const { side, trailBy, trailingPercent, trailingAmount } = draft;
  const best = pendingActivation(draft, last) ?? last;
  const typed = decimal(trailBy === 'percent' ? trailingPercent : trailingAmount);
  if (typed === undefined) return undefined;
  const distance = trailBy === 'percent' ? best.times(typed).times('0.01') : typed;
  return side === 'sell' ? best.minus(distance) : best.plus(distance);
}

export function canAttach({ type }: Draft): boolean {
  return type === 'limit' || type === 'market';
}

export function isByCost({ type, side, by }: Draft): boolean {
  return type === 'market' && by[side] === 'cost';
}

/** Returns the values that the order type accepts (docs/trading/orders.md); the first is the default. */
export function timesInForce({ type }: Draft): readonly TimeInForce[] {
  if (type === 'market') return ['IOC', 'FOK'];
  const isMarketOnceTriggered = ['stop', 'take_profit', 'trailing_stop'].includes(type);
  if (isMarketOnceTriggered || type === 'oco') return ['GTC', 'GTD'];
  return ['GTC', 'IOC', 'FOK', 'GTD'];
}

/** Returns the draft after an edit. Each order type keeps the time in force chosen for it. */
export function applyEdit(now: Draft, change: Partial<Draft>): Draft {
  const next = { ...now, ...change };
  const chosen =
    change.timeInForce === undefined
      ? now.chosen
      : { ...now.chosen, [next.type]: change.timeInForce };
  const timeInForce = chosen[next.type] ?? timesInForce(next)[0]!;
  const updated = { ...next, chosen, timeInForce };
  return { ...updated, postOnly: updated.postOnly && canBePostOnly(updated) };
}

/** Returns the edit that puts a price picked in the book into the field that fits the order type. */
export function priceEdit(now: Draft, price: string): Partial<Draft> {
  if (now.type === 'market') return { type: 'limit', price };
  if (hasPrice(now)) return { price };
  if (now.type === 'trailing_stop') return { activationPrice: price };
  return hasTrigger(now) ? { triggerPrice: price } : { takeProfitPrice: price };
}

export function canBePostOnly(draft: Draft): boolean {
  const { timeInForce } = draft;
  return hasPrice(draft) && (timeInForce === 'GTC' || timeInForce === 'GTD');
}

/** Returns 1 + the market's collar; 10% if it has none, as holds for stop orders assume. */
export function collarFactor({ collar }: ExactMarket): Big {
  return new Big(1).plus(collar ?? '0.1');
}
