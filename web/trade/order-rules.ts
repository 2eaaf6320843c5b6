import Big from 'big.js';
import { decimal, toGrid } from '../decimal.ts';
import { grouped } from '../format.ts';
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

/** A validation error of the order form. */
export interface Fault {
  /** Undefined if the fault concerns the whole order. */
  readonly field: Field | undefined;
  readonly text: string;
  /** The nearest valid value. */
  readonly nearest?: string;
}

/**
 * Returns the faults that can be found before the order is sent, in the order in which the exchange checks.
 * Everything that depends on fees or on the book at arrival is left to the exchange.
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
  const whole = fundsFault(draft, context) ?? minNotionalFault(draft, context);
  return whole === undefined ? faults : [...faults, { field: quantity, ...whole }];
}

/** Returns why the market's status does not allow the order, by the engine's rules; undefined if it does. */
export function marketClosedReason(
  draft: Draft,
  { status, symbol }: ExactMarket,
): string | undefined {
  if (status === 'online') return undefined;
  if (status === 'post_only') {
    return draft.postOnly
      ? undefined
      : `${symbol} is in post-only mode. Only post-only limit orders are accepted.`;
  }
  if (status === 'limit_only') {
    const hasLimit = hasPrice(draft) || (draft.type === 'oco' && draft.stopPrice !== '');
    return hasLimit
      ? undefined
      : `${symbol} is in limit-only mode. Only orders with a limit price are accepted.`;
  }
  const state = status === 'cancel_only' ? 'in cancel-only mode' : status;
  return `${symbol} is ${state}. New orders are not accepted; open orders can be canceled.`;
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
  min: string,
  max: string,
  unit: string,
): Finding {
  const value = decimal(text);
  if (text === '') return { text: name === 'Amount' ? 'Enter an amount.' : 'Enter a price.' };
  if (value === undefined) return { text: notNumber(text, 'Enter a number, such as 0.015.') };
  if (value.lte(0)) return { text: `${name} must be greater than 0.` };
  if (value.lt(min)) {
    return { text: `Minimum ${name.toLowerCase()} is ${grouped(min)} ${unit}.`, nearest: min };
  }
  if (value.gt(max)) {
    return { text: `Maximum ${name.toLowerCase()} is ${grouped(max)} ${unit}.`, nearest: max };
  }
  const fitted = toGrid(value, new Big(step), name === 'Amount' ? Big.roundDown : Big.roundHalfUp);
  if (value.eq(fitted)) return undefined;
  return { text: `${name} must be a multiple of ${step}.`, nearest: fitted.toFixed() };
}

/** Returns the message for a text that is not a number. */
export function notNumber(text: string, otherwise: string): string {
  return text.includes(',') ? 'Use a decimal point, not a comma.' : otherwise;
}

function costFault(text: string, { minNotional, quote }: ExactMarket): Finding {
  const value = decimal(text);
  if (text === '') return { text: 'Enter an amount.' };
  if (value === undefined) return { text: notNumber(text, 'Enter a number, such as 250.') };
  if (value.lte(0)) return { text: 'Amount must be greater than 0.' };
  if (value.gte(minNotional)) return undefined;
  return { text: `Minimum order value is ${minNotional} ${quote}.`, nearest: minNotional };
}

function expiryFault(text: string, nowMs: number): Finding {
  const time = Date.parse(text);
  if (Number.isNaN(time)) return { text: 'Choose an expiry time.' };
  return time > nowMs ? undefined : { text: 'Expiry time must be in the future.' };
}

/** Checks that no trigger is already reached, since the exchange rejects such orders. */
function sideFaults(draft: Draft, { last }: OrderContext): Fault[] {
  const { side, type } = draft;
  const faults: Fault[] = [];
  const check = (field: Field, mustBeAbove: boolean, from: Big, name: string) => {
    const order = new Big(draft[field as 'price']).cmp(from);
    if (mustBeAbove ? order > 0 : order < 0) return;
    const place = mustBeAbove ? 'above' : 'below';
    faults.push({ field, text: `Must be ${place} ${name} (${grouped(from)}).` });
  };
  if (hasTrigger(draft)) {
    const isStop = type === 'stop' || type === 'stop_limit';
    check('triggerPrice', isStop === (side === 'buy'), last, 'the last price');
  } else if (type === 'oco') {
    check('takeProfitPrice', side === 'sell', last, 'the last price');
    check('stopTrigger', side === 'buy', last, 'the last price');
  } else if (draft.hasAttached) {
    const from = type === 'limit' ? new Big(draft.price) : last;
    const name = type === 'limit' ? 'the limit price' : 'the last price';
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
  if (need === undefined || need.lte(has)) return undefined;
  const asset = draft.side === 'buy' ? market.quote : market.base;
  return {
    text: `Insufficient balance: needs ${grouped(need)} ${asset}, ${grouped(has)} available.`,
  };
}

function minNotionalFault(draft: Draft, context: OrderContext): Finding {
  const { market, asks, bids, last } = context;
  if (isByCost(draft)) return undefined;
  const amount = new Big(draft.amount);
  let value: Big;
  if (draft.type === 'market') {
    const met = walkBook(draft.side === 'buy' ? asks : bids, { amount });
    if (met.amount.eq(0)) {
      return {
        text: `No ${draft.side === 'buy' ? 'sell' : 'buy'} orders in the book. Place a limit order.`,
      };
    }
    value = amount.times(last);
  } else {
    const price = draft.price || draft.triggerPrice || draft.takeProfitPrice;
    value = amount.times(hasPrice(draft) ? draft.price : price);
  }
  if (value.gte(market.minNotional)) return undefined;
  return { text: `Below minimum order value (${market.minNotional} ${market.quote}).` };
}
