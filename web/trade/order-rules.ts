import Big from 'big.js';
import { localNumber, notNumber } from '../components/typed-number.ts';
import { decimal, toGrid } from '../decimal.ts';
import { grouped } from '../format.ts';
import { msg, t } from '../i18n/t.ts';
import {
  canAttach,
  canHide,
  type Draft,
  expiryMs,
  firstTrigger,
  hasPrice,
  hasTrigger,
  isByCost,
  type OrderContext,
} from './draft.ts';
import { requiredFunds } from './order-estimate.ts';
import type { ExactMarket } from './records.ts';

export type Field =
  | 'amount'
  | 'cost'
  | 'price'
  | 'triggerPrice'
  | 'trailingPercent'
  | 'trailingAmount'
  | 'activationPrice'
  | 'displayAmount'
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
  /** Whether it shows while the user types, before the field is left. */
  readonly isUrgent?: boolean;
  /** Whether the account lacks funds. */
  readonly lacksFunds?: boolean;
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
    const isOptional = field === 'stopPrice' || field === 'activationPrice';
    note(field, priceFault(draft[field], market, isOptional));
  }
  if (draft.type === 'trailing_stop') {
    if (draft.trailBy === 'percent') note('trailingPercent', percentFault(draft.trailingPercent));
    else note('trailingAmount', distanceFault(draft.trailingAmount, market));
  }
  if (!faults.some(({ field }) => field === 'price')) note('price', postOnlyFault(draft, context));
  if (canHide(draft) && draft.displayAmount !== '') {
    note('displayAmount', displayFault(draft, market));
  }
  if (draft.timeInForce === 'GTD') note('expiresAt', expiryFault(draft, context));
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
      : t('{symbol} is in post-only mode. Only post-only limit orders are accepted.', { symbol });
  }
  if (status === 'limit_only') {
    const hasLimit = hasPrice(draft) || (draft.type === 'oco' && draft.stopPrice !== '');
    return hasLimit
      ? undefined
      : t('{symbol} is in limit-only mode. Only orders with a limit price are accepted.', {
          symbol,
        });
  }
  if (status === 'auction') {
    const rests = draft.timeInForce === 'GTC' || draft.timeInForce === 'GTD';
    const isAccepted = draft.type === 'limit' ? rests : draft.type !== 'market';
    return isAccepted
      ? undefined
      : t(
          '{symbol} is in an auction. Market, IOC and FOK orders are accepted again when it ends.',
          { symbol },
        );
  }
  return t(
    '{symbol} is {status, select, cancel_only {in cancel-only mode} halted {halted} delisted {delisted} other {closed}}. New orders are not accepted; open orders can be canceled.',
    { symbol, status },
  );
}

type PriceField = Extract<
  Field,
  'price' | 'triggerPrice' | 'activationPrice' | 'takeProfitPrice' | 'stopTrigger' | 'stopPrice'
>;

function priceFields(draft: Draft): PriceField[] {
  if (draft.type === 'trailing_stop') return ['activationPrice'];
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

/** Returns why an amount is not valid in a market; undefined if it is. */
export function amountFault(text: string, market: ExactMarket): Finding {
  const { stepSize, minAmount, maxAmount, base } = market;
  return gridFault('amount', text, stepSize, minAmount, maxAmount, base);
}

function priceFault(text: string, market: ExactMarket, isOptional: boolean): Finding {
  if (isOptional && text === '') return undefined;
  const { tickSize, minPrice, maxPrice, quote } = market;
  return gridFault('price', text, tickSize, minPrice, maxPrice, quote);
}

/** Maximum distance of a trailing stop and its smallest step, in percent (docs/trading/orders.md). */
const MAX_TRAILING_PERCENT = '50';
const TRAILING_PERCENT_STEP = '0.01';
/** Maximum parts in which the book shows an order (docs/trading/orders.md). */
const MAX_PARTS = 100;

function percentFault(text: string): Finding {
  const value = decimal(text);
  if (text === '') return { text: t('Enter a percentage.') };
  if (value === undefined) return { text: notNumber(text, suchAs('2.5')) };
  if (value.lt(TRAILING_PERCENT_STEP)) {
    return {
      text: t('Minimum distance is {min}%.', { min: TRAILING_PERCENT_STEP }),
      nearest: TRAILING_PERCENT_STEP,
    };
  }
  if (value.gt(MAX_TRAILING_PERCENT)) {
    return {
      text: t('Maximum distance is {max}%.', { max: MAX_TRAILING_PERCENT }),
      nearest: MAX_TRAILING_PERCENT,
    };
  }
  const fitted = toGrid(value, new Big(TRAILING_PERCENT_STEP), Big.roundHalfUp);
  if (value.eq(fitted)) return undefined;
  return { text: t('Distance takes at most two decimals.'), nearest: fitted.toFixed() };
}

function distanceFault(text: string, { tickSize, maxPrice, quote }: ExactMarket): Finding {
  return gridFault('distance', text, tickSize, tickSize, maxPrice, quote);
}

function displayFault({ displayAmount, amount }: Draft, market: ExactMarket): Finding {
  const found = amountFault(displayAmount, market);
  const whole = decimal(amount);
  if (found !== undefined || whole === undefined) return found;
  const shown = new Big(displayAmount);
  if (shown.gt(whole)) return { text: t('Visible amount is above the amount.'), nearest: amount };
  return shown.times(MAX_PARTS).lt(whole)
    ? { text: t('At most {max} parts: raise the visible amount.', { max: MAX_PARTS }) }
    : undefined;
}

function gridFault(
  name: 'amount' | 'price' | 'distance',
  text: string,
  step: string,
  min: string,
  max: string,
  unit: string,
): Finding {
  const value = decimal(text);
  if (text === '') {
    return {
      text: t('Enter {name, select, amount {an amount} price {a price} other {a distance}}.', {
        name,
      }),
    };
  }
  if (value === undefined) return { text: notNumber(text, suchAs('0.015')) };
  if (value.lte(0)) {
    return {
      text: t(
        '{name, select, amount {Amount} price {Price} other {Distance}} must be greater than 0.',
        { name },
      ),
    };
  }
  if (value.lt(min)) {
    const text = t(
      'Minimum {name, select, amount {amount} price {price} other {distance}} is {min} {unit}.',
      { name, unit, min: grouped(min) },
    );
    return { text, nearest: min };
  }
  if (value.gt(max)) {
    const text = t(
      'Maximum {name, select, amount {amount} price {price} other {distance}} is {max} {unit}.',
      { name, unit, max: grouped(max) },
    );
    return { text, nearest: max };
  }
  const fitted = toGrid(value, new Big(step), name === 'amount' ? Big.roundDown : Big.roundHalfUp);
  if (value.eq(fitted)) return undefined;
  return {
    text: t(
      '{name, select, amount {Amount} price {Price} other {Distance}} must be a multiple of {step}.',
      { name, step },
    ),
    nearest: fitted.toFixed(),
  };
}

/** Returns the message for a text that is not a number. @param example A number with a decimal point */
function suchAs(example: string): string {
  return t('Enter a number, such as {example}.', { example: localNumber(example) });
}

function costFault(text: string, { minNotional, quote }: ExactMarket): Finding {
  const value = decimal(text);
  if (text === '') return { text: t('Enter a total.') };
  if (value === undefined) return { text: notNumber(text, suchAs('250')) };
  if (value.lte(0)) return { text: t('Total must be greater than 0.') };
  if (value.gte(minNotional)) return undefined;
  return {
    text: t('Minimum order value is {minNotional} {quote}.', { minNotional, quote }),
    nearest: minNotional,
  };
}

function expiryFault({ expiresAt }: Draft, { nowMs, clock }: OrderContext): Finding {
  const time = expiryMs(expiresAt, clock);
  if (Number.isNaN(time)) return { text: t('Choose an expiry time.') };
  return time > nowMs ? undefined : { text: t('Expiry time must be in the future.') };
}

/** Checks that no trigger is already reached, since the exchange rejects such orders. */
function sideFaults(draft: Draft, { last }: OrderContext): Fault[] {
  const { side, type } = draft;
  const faults: Fault[] = [];
  const check = (field: Field, mustBeAbove: boolean, from: Big, name: 'last' | 'limit') => {
    const order = new Big(draft[field as 'price']).cmp(from);
    if (mustBeAbove ? order > 0 : order < 0) return;
    const text = t(
      'Must be {place, select, above {above} other {below}} the {name, select, last {last price} other {limit price}} ({from}).',
      { place: mustBeAbove ? 'above' : 'below', name, from: grouped(from) },
    );
    faults.push({ field, text });
  };
  if (hasTrigger(draft)) {
    const isStop = type === 'stop' || type === 'stop_limit';
    check('triggerPrice', isStop === (side === 'buy'), last, 'last');
  } else if (type === 'oco') {
    check('takeProfitPrice', side === 'sell', last, 'last');
    check('stopTrigger', side === 'buy', last, 'last');
  } else if (canAttach(draft) && draft.hasAttached) {
    const from = type === 'limit' ? new Big(draft.price) : last;
    const name = type === 'limit' ? 'limit' : 'last';
    if (draft.takeProfitPrice !== '') check('takeProfitPrice', side === 'buy', from, name);
    if (draft.stopTrigger !== '') check('stopTrigger', side === 'sell', from, name);
  }
  return faults;
}

/** Checks that a post-only order would not match now: the exchange rejects those that do. In an auction every order rests first. */
function postOnlyFault(
  { type, side, price: text, postOnly }: Draft,
  { market, asks, bids }: OrderContext,
): Finding {
  const best = decimal((side === 'buy' ? asks : bids)[0]?.[0] ?? '');
  const price = decimal(text);
  if (!postOnly || type !== 'limit' || market.status === 'auction') return undefined;
  if (best === undefined || price === undefined) return undefined;
  if (side === 'buy' ? price.lt(best) : price.gt(best)) return undefined;
  const nearest = side === 'buy' ? best.minus(market.tickSize) : best.plus(market.tickSize);
  return {
    text: t(WOULD_MATCH),
    isUrgent: true,
    ...(nearest.gt(0) && { nearest: nearest.toFixed() }),
  };
}

export const WOULD_MATCH = msg(
  'Post-only order would match immediately; change the price or turn off post-only.',
);

function fundsFault(draft: Draft, context: OrderContext): Finding {
  const { available, market } = context;
  if (available === undefined) return undefined;
  const need = requiredFunds(draft, context);
  const has = draft.side === 'buy' ? available.quote : available.base;
  if (need === undefined || need.lte(has)) return undefined;
  const asset = draft.side === 'buy' ? market.quote : market.base;
  const text = t('Insufficient balance: needs {need} {asset}, {has} available.', {
    asset,
    need: grouped(need),
    has: grouped(has),
  });
  return { text, lacksFunds: true };
}

function minNotionalFault(draft: Draft, context: OrderContext): Finding {
  const { market, asks, bids, last } = context;
  const best = (draft.side === 'buy' ? asks : bids)[0]?.[0];
  if (draft.type === 'market' && best === undefined) {
    return {
      text: t(
        'No {side, select, buy {sell} other {buy}} orders in the book. Place a limit order.',
        { side: draft.side },
      ),
    };
  }
  if (isByCost(draft)) return undefined;
  const amount = new Big(draft.amount);
  let value: Big;
  if (draft.type === 'market') {
    value = amount.times(best!);
  } else if (draft.type === 'trailing_stop') {
    value = amount.times(firstTrigger(draft, last) ?? last);
  } else {
    const trigger = hasTrigger(draft) ? draft.triggerPrice : draft.takeProfitPrice;
    value = amount.times(hasPrice(draft) ? draft.price : trigger || draft.stopTrigger);
  }
  if (value.gte(market.minNotional)) return undefined;
  const { minNotional, quote } = market;
  return { text: t('Below minimum order value ({minNotional} {quote}).', { minNotional, quote }) };
}
