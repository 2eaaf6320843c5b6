import {
  compare,
  type Decimal,
  decimal,
  exact,
  isZero,
  multiply,
  toGrid,
  toText,
} from '../decimal.ts';
import { grouped, sentenceCase } from '../format.ts';
import {
  canAttach,
  type Draft,
  hasPrice,
  hasTrigger,
  isByCost,
  type OrderContext,
} from './draft.ts';
import { requiredFunds, walkBook } from './order-estimate.ts';
import type { ExactMarket } from './records.ts';

export type Field =
  | 'amount'
  | 'cost'
  | 'price'
  | 'triggerPrice'
  | 'takeProfitPrice'
  | 'stopTrigger'
  | 'stopPrice'
  | 'expiresAt';

/** What is wrong with a draft, and what would do instead. */
export interface Fault {
  /** None where it is about the order as a whole. */
  readonly field: Field | undefined;
  readonly text: string;
  readonly nearest?: string;
}

/**
 * All faults that can be known before the exchange is asked, in its order. It has the last word: what it
 * knows better (fees, the book a moment later) is not guessed here.
 */
export function validateDraft(draft: Draft, context: OrderContext): Fault[] {
  const faults: Fault[] = [];
  const note = (field: Field, found: Omit<Fault, 'field'> | undefined) => {
    if (found !== undefined) faults.push({ field, ...found });
  };
  const { market } = context;
  const quantity = isByCost(draft) ? 'cost' : 'amount';
  if (quantity === 'cost') note('cost', costFault(draft.cost, market));
  else note('amount', amountFault(draft.amount, market));
  for (const field of priceFields(draft)) {
    note(field, priceFault(draft[field], market, field === 'stopPrice'));
  }
  if (draft.timeInForce === 'GTD') note('expiresAt', expiryFault(draft.expiresAt, context.nowMs));
  if (faults.length > 0) return faults;
  faults.push(...sideFaults(draft, context));
  const whole = fundsFault(draft, context) ?? leastFault(draft, context);
  return whole === undefined ? faults : [...faults, { field: quantity, ...whole }];
}

/** Why the market takes no such order at present, as the engine decides it; undefined where it does. */
export function marketClosedReason(
  draft: Draft,
  { status, symbol }: ExactMarket,
): string | undefined {
  if (status === 'online') return undefined;
  if (status === 'post_only') {
    return draft.postOnly ? undefined : `${symbol} takes only post-only orders with a limit now.`;
  }
  if (status === 'limit_only') {
    const hasLimit = hasPrice(draft) || (draft.type === 'oco' && draft.stopPrice !== '');
    return hasLimit ? undefined : `${symbol} takes only orders with a limit now.`;
  }
  const state =
    status === 'cancel_only' ? 'takes no new orders' : `is ${status}: it takes no orders`;
  return `${symbol} ${state} now. Open ones can be canceled.`;
}

function priceFields(draft: Draft): Exclude<Field, 'amount' | 'cost' | 'expiresAt'>[] {
  if (draft.type === 'oco') return ['takeProfitPrice', 'stopTrigger', 'stopPrice'];
  const fields: ReturnType<typeof priceFields> = [];
  if (hasTrigger(draft)) fields.push('triggerPrice');
  if (hasPrice(draft)) fields.push('price');
  if (!canAttach(draft) || !draft.hasAttached) return fields;
  if (draft.takeProfitPrice !== '' || draft.stopTrigger === '') fields.push('takeProfitPrice');
  if (draft.stopTrigger !== '' || draft.stopPrice !== '') fields.push('stopTrigger', 'stopPrice');
  return fields;
}

type Finding = Omit<Fault, 'field'> | undefined;

function amountFault(text: string, market: ExactMarket): Finding {
  const { stepSize, minAmount, maxAmount, base } = market;
  return gridFault('Amount', text, stepSize, minAmount, maxAmount, base);
}

function priceFault(text: string, market: ExactMarket, isOptional: boolean): Finding {
  if (isOptional && text === '') return undefined;
  const { tickSize, minPrice, maxPrice, quote } = market;
  return gridFault('Price', text, tickSize, minPrice, maxPrice, quote);
}

function gridFault(
  name: string,
  text: string,
  step: string,
  least: string,
  most: string,
  unit: string,
): Finding {
  const value = decimal(text);
  if (text === '') return { text: `${name} is needed.` };
  if (value === undefined) return { text: notNumber(text, `${name} must be a number like 0.015.`) };
  if (value.units <= 0n) return { text: `${name} must be more than 0.` };
  if (compare(value, exact(least)) < 0) {
    return { text: `At least ${grouped(least)} ${unit}.`, nearest: least };
  }
  if (compare(value, exact(most)) > 0) {
    return { text: `At most ${grouped(most)} ${unit}.`, nearest: most };
  }
  const fitted = toGrid(value, exact(step), name === 'Amount' ? 'down' : 'half');
  if (compare(value, fitted) === 0) return undefined;
  return { text: `${name} must be a multiple of ${step}.`, nearest: toText(fitted) };
}

/** What is wrong with a text that is no number. */
export function notNumber(text: string, otherwise: string): string {
  return text.includes(',') ? 'Use a point for decimals.' : otherwise;
}

function costFault(text: string, { minNotional, quote }: ExactMarket): Finding {
  const value = decimal(text);
  if (text === '') return { text: 'Give what to spend.' };
  if (value === undefined) return { text: notNumber(text, 'This must be a number like 250.') };
  if (value.units <= 0n) return { text: 'This must be more than 0.' };
  if (compare(value, exact(minNotional)) >= 0) return undefined;
  return { text: `At least ${minNotional} ${quote}.`, nearest: minNotional };
}

function expiryFault(text: string, nowMs: number): Finding {
  const time = Date.parse(text);
  if (Number.isNaN(time)) return { text: 'Say when the order ends.' };
  return time > nowMs ? undefined : { text: 'This must be in the future.' };
}

/** On which side of a price another must lie: what triggers at once is refused. */
function sideFaults(draft: Draft, { last }: OrderContext): Fault[] {
  const { side, type } = draft;
  const faults: Fault[] = [];
  const check = (field: Field, mustBeAbove: boolean, from: Decimal, name: string) => {
    const order = compare(exact(draft[field as 'price']), from);
    if (mustBeAbove ? order > 0 : order < 0) return;
    const place = mustBeAbove ? 'above' : 'below';
    faults.push({ field, text: `Must be ${place} ${name}, ${grouped(toText(from))}.` });
  };
  if (hasTrigger(draft)) {
    const isStop = type === 'stop' || type === 'stop_limit';
    check('triggerPrice', isStop === (side === 'buy'), last, 'the last price');
  } else if (type === 'oco') {
    check('takeProfitPrice', side === 'sell', last, 'the last price');
    check('stopTrigger', side === 'buy', last, 'the last price');
  } else if (draft.hasAttached) {
    const from = type === 'limit' ? exact(draft.price) : last;
    const name = type === 'limit' ? 'the price' : 'the last price';
    if (draft.takeProfitPrice !== '') check('takeProfitPrice', side === 'buy', from, name);
    if (draft.stopTrigger !== '') check('stopTrigger', side === 'sell', from, name);
  }
  return faults;
}

function fundsFault(draft: Draft, context: OrderContext): Finding {
  const { available, market } = context;
  if (available === undefined) return undefined;
  const need = requiredFunds(draft, context);
  const has = draft.side === 'buy' ? available.quote : available.base;
  if (need === undefined || compare(need, has) <= 0) return undefined;
  const asset = draft.side === 'buy' ? market.quote : market.base;
  return {
    text: `Needs ${grouped(toText(need))} ${asset}; available ${grouped(toText(has))}.`,
  };
}

function leastFault(draft: Draft, context: OrderContext): Finding {
  const { market, asks, bids, last } = context;
  const least = exact(market.minNotional);
  if (isByCost(draft)) return undefined;
  const amount = exact(draft.amount);
  let worth: Decimal;
  if (draft.type === 'market') {
    const met = walkBook(draft.side === 'buy' ? asks : bids, { amount });
    if (isZero(met.amount)) {
      return {
        text: `${sentenceCase(draft.side)}ing needs someone on the other side: the book is empty.`,
      };
    }
    worth = multiply(amount, last);
  } else {
    const price = draft.price || draft.triggerPrice || draft.takeProfitPrice;
    worth = multiply(amount, exact(hasPrice(draft) ? draft.price : price));
  }
  if (compare(worth, least) >= 0) return undefined;
  return { text: `Worth less than ${market.minNotional} ${market.quote}, the least of an order.` };
}
