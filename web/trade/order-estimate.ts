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
  /** The cause of an incomplete fill; undefined if it is complete. */
  readonly shortage: 'balance' | 'liquidity' | 'maximum' | undefined;
}

/**
 * Walks the levels, best first, until the amount is filled, or no whole step of the cost is left. A sell by cost that
 * has taken a level may still sell a step at a lower price, as in the engine.
 */
export function walkBook(
  levels: Levels,
  wanted: { amount: Big } | { cost: Big; step: Big },
): SimulatedFill {
  let amount = ZERO;
  let cost = ZERO;
  let isWhole = false;
  for (const [priceText, amountText] of levels) {
    const price = new Big(priceText);
    const offered = new Big(amountText);
    const limit =
      'amount' in wanted
        ? wanted.amount.minus(amount)
        : affordable(wanted.cost.minus(cost), price, wanted.step);
    const taken = offered.lt(limit) ? offered : limit;
    amount = amount.plus(taken);
    cost = cost.plus(taken.times(price));
    isWhole = taken.eq(limit);
    if (taken.lt(offered)) break;
  }
  return { amount, cost, shortage: isWhole ? undefined : 'liquidity' };
}

/** Returns the levels that an order with a limit price may trade at. */
export function levelsWithin(side: Side, levels: Levels, limit: Big): Levels {
  return levels.filter(([price]) => crosses(side, limit, new Big(price)));
}

/** Returns the amount in whole steps that `cost` pays for. */
function affordable(cost: Big, price: Big, step: Big): Big {
  return divide(cost, price.times(step), 0, Big.roundDown).times(step);
}

/** Returns the funds an order needs: quote for a buy, base for a sell (docs/trading/orders.md). */
export function requiredFunds(draft: Draft, context: OrderContext): Big | undefined {
  if (isByCost(draft)) {
    const cost = decimal(draft.cost);
    return draft.side === 'buy' || cost === undefined ? cost : minimumToSell(cost, context);
  }
  const amount = decimal(draft.amount);
  if (amount === undefined) return undefined;
  if (draft.side === 'sell') return amount;
  if (draft.type === 'market') return walkBook(context.asks, { amount }).cost;
  const price = holdPrice(draft, context);
  return price === undefined ? undefined : price.times(amount);
}

/** Returns the amount that a sell by cost sells at the best bid; at lower prices it sells more. */
function minimumToSell(cost: Big, { bids, market }: OrderContext): Big {
  const [best] = bids;
  if (best === undefined) return ZERO;
  return affordable(cost, new Big(best[0]), new Big(market.stepSize));
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

/** Returns the amount (the cost of a market order by cost) that uses `percent` of the available balance. */
export function amountForPercent(
  draft: Draft,
  context: OrderContext,
  percent: number,
  quoteDecimals: number,
): Big | undefined {
  const { available, market, asks, bids } = context;
  if (available === undefined) return undefined;
  const of = (whole: Big) => whole.times(percent).times('0.01');
  const toCost = (value: Big) => value.round(quoteDecimals, Big.roundDown);
  const step = new Big(market.stepSize);
  if (draft.side === 'sell') {
    const amount = toGrid(of(available.base), step, Big.roundDown);
    return isByCost(draft) ? toCost(walkBook(bids, { amount }).cost) : amount;
  }
  const budget = of(available.quote);
  if (isByCost(draft)) return toCost(budget);
  if (draft.type === 'market') return walkBook(asks, { cost: budget, step }).amount;
  const price = holdPrice(draft, context);
  if (price === undefined || price.lte(0)) return undefined;
  return affordable(budget, price, step);
}

export interface Fee {
  readonly asset: string;
  /** Negative for a rebate, which is in the asset given. */
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
  /** Proceeds less the fee; without a rebate, which is in another asset. */
  readonly received: Big;
  /** The cause of an incomplete fill of a market order; undefined if it is complete. */
  readonly shortage: SimulatedFill['shortage'];
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
  const estimateFee = ({ amount, cost }: SimulatedFill, isTaker: boolean): Fee => {
    const rate = new Big(isTaker ? rates.takerFee : rates.makerFee);
    // A rebate is a share of what the taker receives, which is what this order gives (decision 107).
    const isRebate = rate.lt(0);
    const inBase = isBuy !== isRebate;
    const exact = (inBase ? amount : cost).times(rate);
    const places = inBase ? decimals.base : decimals.quote;
    const rounded = exact.round(places, isRebate ? Big.roundDown : Big.roundUp);
    return { asset: inBase ? market.base : market.quote, cost: rounded, isTaker };
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
    received: fee.cost.lt(0) ? grossAmount(met) : grossAmount(met).minus(fee.cost),
    shortage: met.shortage,
  };
}

/** Estimates the stop leg of an OCO order at its limit price, else at its trigger price. */
function simulateStop({ side, amount: text, stopTrigger, stopPrice }: Draft) {
  const amount = decimal(text);
  const trigger = decimal(stopTrigger);
  const price = stopPrice === '' ? trigger : decimal(stopPrice);
  if (amount === undefined || trigger === undefined || price === undefined) return undefined;
  const isTaker = stopPrice === '' || crosses(side, price, trigger);
  return { amount, cost: amount.times(price), shortage: undefined, isTaker };
}

function simulateFill(draft: Draft, context: OrderContext): SimulatedFill | undefined {
  const { asks, bids, last } = context;
  if (isByCost(draft)) return simulateByCost(draft, context);
  const amount = decimal(draft.amount);
  if (amount === undefined) return undefined;
  if (draft.type === 'market') return walkBook(draft.side === 'buy' ? asks : bids, { amount });
  if (draft.type === 'trailing_stop') {
    const trigger = firstTrigger(draft, last);
    return trigger && { amount, cost: amount.times(trigger), shortage: undefined };
  }
  const text = draft.type === 'oco' ? draft.takeProfitPrice : draft.price || draft.triggerPrice;
  const price = decimal(hasPrice(draft) || draft.type === 'oco' ? text : draft.triggerPrice);
  if (price === undefined) return undefined;
  return { amount, cost: amount.times(price), shortage: undefined };
}

/** Simulates an order by cost, which trades whole steps only; a sell ends where the balance ends (decision 87). */
function simulateByCost(
  { side, cost: text }: Draft,
  { market, asks, bids, available }: OrderContext,
): SimulatedFill | undefined {
  const cost = decimal(text);
  if (cost === undefined) return undefined;
  const levels = side === 'buy' ? asks : bids;
  const step = new Big(market.stepSize);
  const found = walkBook(levels, { cost, step });
  const max = new Big(market.maxAmount);
  const base = side === 'sell' ? toGrid(available?.base ?? max, step, Big.roundDown) : max;
  const isShort = base.lt(max);
  const capacity = isShort ? base : max;
  if (found.amount.lte(capacity)) return found;
  return { ...walkBook(levels, { amount: capacity }), shortage: isShort ? 'balance' : 'maximum' };
}

/** Whether the order would match on arrival and so pay the taker fee. */
function crossesBook(draft: Draft, { asks, bids, market }: OrderContext): boolean {
  // In an auction every order rests first.
  if (draft.type === 'oco' || market.status === 'auction') return false;
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
