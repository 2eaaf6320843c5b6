import Big from 'big.js';
import { decimal, divide, toGrid, ZERO } from '../decimal.ts';
import {
  collarFactor,
  type Draft,
  firstTrigger,
  hasPrice,
  hasTrigger,
  isByCost,
  type OrderContext,
  type Side,
} from './draft.ts';

type Levels = readonly (readonly [string, string])[];

/** Simulated fill of a market order against the book. */
export interface SimulatedFill {
  readonly amount: Big;
  readonly cost: Big;
  /** Whether the book has enough liquidity. */
  readonly isWhole: boolean;
}

/** Walks the levels, best first, until the amount is filled or the cost is spent. */
export function walkBook(levels: Levels, wanted: { amount: Big } | { cost: Big }): SimulatedFill {
  let amount = ZERO;
  let cost = ZERO;
  for (const [priceText, amountText] of levels) {
    const price = new Big(priceText);
    const offered = new Big(amountText);
    const limit =
      'amount' in wanted ? wanted.amount.minus(amount) : affordable(wanted.cost.minus(cost), price);
    const taken = offered.lt(limit) ? offered : limit;
    amount = amount.plus(taken);
    cost = cost.plus(taken.times(price));
    const isWhole = 'amount' in wanted ? amount.gte(wanted.amount) : taken.lt(offered);
    if (isWhole) return { amount, cost, isWhole };
  }
  return { amount, cost, isWhole: false };
}

/** Decimals finer than any market's step size; callers round down to the step. */
const AMOUNT_SCALE = 12;

function affordable(cost: Big, price: Big): Big {
  return divide(cost, price, AMOUNT_SCALE, Big.roundDown);
}

/** Returns the funds an order would hold: quote for a buy, base for a sell (docs/trading/orders.md). */
export function requiredFunds(draft: Draft, context: OrderContext): Big | undefined {
  if (isByCost(draft)) return decimal(draft.cost);
  const amount = decimal(draft.amount);
  if (amount === undefined) return undefined;
  if (draft.side === 'sell') return amount;
  if (draft.type === 'market') return walkBook(context.asks, { amount }).cost;
  const price = holdPrice(draft, context);
  return price === undefined ? undefined : price.times(amount);
}

/** Returns the quote amount that a buy holds per unit of base. */
function holdPrice(draft: Draft, { market, last }: OrderContext): Big | undefined {
  const { type } = draft;
  if (hasPrice(draft)) return decimal(draft.price);
  if (type === 'trailing_stop') return firstTrigger(draft, last)?.times(collarFactor(market));
  const collared = (text: string) => {
    const trigger = decimal(text);
    return trigger === undefined ? undefined : trigger.times(collarFactor(market));
  };
  if (type !== 'oco') return collared(draft.triggerPrice);
  const profit = decimal(draft.takeProfitPrice);
  const stop = draft.stopPrice === '' ? collared(draft.stopTrigger) : decimal(draft.stopPrice);
  if (profit === undefined || stop === undefined) return undefined;
  return profit.gt(stop) ? profit : stop;
}

/** Returns the amount (the cost for a market buy by cost) that uses `percent` of the available balance. */
export function amountForPercent(
  draft: Draft,
  context: OrderContext,
  percent: number,
  quoteDecimals: number,
): Big | undefined {
  const { available, market, asks } = context;
  if (available === undefined) return undefined;
  const of = (whole: Big) => whole.times(percent).times('0.01');
  const step = new Big(market.stepSize);
  if (draft.side === 'sell') return toGrid(of(available.base), step, Big.roundDown);
  const budget = of(available.quote);
  if (isByCost(draft)) return budget.round(quoteDecimals, Big.roundDown);
  if (draft.type === 'market')
    return toGrid(walkBook(asks, { cost: budget }).amount, step, Big.roundDown);
  const price = holdPrice(draft, context);
  if (price === undefined || price.lte(0)) return undefined;
  return toGrid(affordable(budget, price), step, Big.roundDown);
}

export interface Fee {
  readonly asset: string;
  readonly cost: Big;
  readonly isTaker: boolean;
}

export interface Estimate {
  /** Value of the order in the quote asset. */
  readonly total: Big;
  readonly amount: Big;
  readonly fee: Fee;
  /** Fee if the stop leg of an OCO order fills; `fee` is that of its take-profit leg. */
  readonly stopFee: Fee | undefined;
  /** Quote amount on hold, if it differs from the total. */
  readonly held: Big | undefined;
  /** Proceeds less the fee. */
  readonly received: Big;
  /** Whether the book has enough liquidity for a market order. */
  readonly isWhole: boolean;
}

export interface FeeRates {
  readonly makerFee: string;
  readonly takerFee: string;
}

/** Estimates total, fee and proceeds of a full fill; undefined while required fields are empty. */
export function estimate(
  draft: Draft,
  context: OrderContext,
  rates: FeeRates,
  decimals: { readonly base: number; readonly quote: number },
): Estimate | undefined {
  const met = simulateFill(draft, context);
  if (met === undefined) return undefined;
  const { market } = context;
  const isBuy = draft.side === 'buy';
  const grossAmount = ({ amount, cost }: SimulatedFill) => (isBuy ? amount : cost);
  const estimateFee = (from: SimulatedFill, isTaker: boolean): Fee => {
    const rate = isTaker ? rates.takerFee : rates.makerFee;
    const places = isBuy ? decimals.base : decimals.quote;
    const cost = grossAmount(from).times(rate).round(places, Big.roundUp);
    return { asset: isBuy ? market.base : market.quote, cost, isTaker };
  };
  const fee = estimateFee(met, crossesBook(draft, context));
  const stop = draft.type === 'oco' ? simulateStop(draft) : undefined;
  const held = isBuy && draft.type !== 'market' ? requiredFunds(draft, context) : undefined;
  return {
    total: met.cost,
    amount: met.amount,
    fee,
    stopFee: stop === undefined ? undefined : estimateFee(stop, stop.isTaker),
    held: held === undefined || held.eq(met.cost) ? undefined : held,
    received: grossAmount(met).minus(fee.cost),
    isWhole: met.isWhole,
  };
}

/** Estimates the stop leg of an OCO order at its limit price, else at its trigger price. */
function simulateStop({ side, amount: text, stopTrigger, stopPrice }: Draft) {
  const amount = decimal(text);
  const trigger = decimal(stopTrigger);
  const price = stopPrice === '' ? trigger : decimal(stopPrice);
  if (amount === undefined || trigger === undefined || price === undefined) return undefined;
  const isTaker = stopPrice === '' || crosses(side, price, trigger);
  return { amount, cost: amount.times(price), isWhole: true, isTaker };
}

function simulateFill(
  draft: Draft,
  { market, asks, bids, last }: OrderContext,
): SimulatedFill | undefined {
  if (isByCost(draft)) {
    const cost = decimal(draft.cost);
    if (cost === undefined) return undefined;
    // Only whole steps are bought; the remainder of the cost is not spent.
    const { amount, isWhole } = walkBook(asks, { cost });
    const whole = toGrid(amount, new Big(market.stepSize), Big.roundDown);
    return { ...walkBook(asks, { amount: whole }), isWhole };
  }
  const amount = decimal(draft.amount);
  if (amount === undefined) return undefined;
  if (draft.type === 'market') return walkBook(draft.side === 'buy' ? asks : bids, { amount });
  if (draft.type === 'trailing_stop') {
    const trigger = firstTrigger(draft, last);
    return trigger && { amount, cost: amount.times(trigger), isWhole: true };
  }
  const text = draft.type === 'oco' ? draft.takeProfitPrice : draft.price || draft.triggerPrice;
  const price = decimal(hasPrice(draft) || draft.type === 'oco' ? text : draft.triggerPrice);
  if (price === undefined) return undefined;
  return { amount, cost: amount.times(price), isWhole: true };
}

/** Whether the order would match on arrival and so pay the taker fee. */
function crossesBook(draft: Draft, { asks, bids }: OrderContext): boolean {
  if (draft.type === 'oco') return false;
  if (!hasPrice(draft)) return true;
  // When the order triggers, the book is near its trigger price.
  const best = hasTrigger(draft)
    ? draft.triggerPrice
    : (draft.side === 'buy' ? asks : bids)[0]?.[0];
  const met = decimal(best ?? '');
  const price = decimal(draft.price);
  if (met === undefined || price === undefined || draft.postOnly) return false;
  return crosses(draft.side, price, met);
}

function crosses(side: Side, price: Big, met: Big): boolean {
  return side === 'buy' ? price.gte(met) : price.lte(met);
}
