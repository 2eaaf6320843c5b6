import Big from 'big.js';
import type { TestedOrder } from '../../src/client/index.ts';
import { decimal, divide, toGrid, ZERO } from '../decimal.ts';
import {
  collarFactor,
  type Draft,
  firstTrigger,
  hasPrice,
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
  /** Whether a part of it is the fee of a maker. */
  readonly isMixed?: boolean;
}

export interface Estimate {
  /** Value of the order in the quote asset. */
  readonly total: Big;
  readonly amount: Big;
  /** The part that fills on arrival. */
  readonly immediate: Pick<SimulatedFill, 'amount' | 'cost'>;
  readonly fee: Fee;
  /** Fee if the stop leg of an OCO order fills; `fee` is that of its take-profit leg. */
  readonly stopFee: Fee | undefined;
  /** Price of the stop leg of an OCO order: its limit price, else about its trigger price. */
  readonly stopPrice: Big | undefined;
  /** Quote amount on hold of a pending order, if it differs from the total. */
  readonly held: Big | undefined;
  /** Proceeds less the fee; without a rebate, which is in another asset. */
  readonly received: Big;
  /** The cause of an incomplete fill; undefined if it is complete, or the remainder rests in the book. */
  readonly shortage: SimulatedFill['shortage'];
}

export interface FeeRates {
  readonly makerFee: string;
  readonly takerFee: string;
}

/** The fields of a test of the order by the exchange that replace the simulation. */
export type TestedPart = Pick<
  TestedOrder<string>,
  'status' | 'filled' | 'remaining' | 'cost' | 'fees'
>;

/**
 * Estimates total, fee and proceeds of a full fill; undefined while required fields are empty.
 * @param tested What the exchange returned to a test of the order; the book is simulated without it.
 */
export function estimate(
  draft: Draft,
  context: OrderContext,
  rates: FeeRates,
  decimals: { readonly base: number; readonly quote: number },
  tested?: TestedPart,
): Estimate | undefined {
  const simulated = simulateFill(draft, context);
  if (simulated === undefined) return undefined;
  const parts = tested === undefined ? simulated : toParts(draft, tested, simulated);
  const { taken, rest } = parts;
  const { market } = context;
  const isBuy = draft.side === 'buy';
  const gross = ({ amount, cost }: Part) => (isBuy ? amount : cost);
  const estimateFee = (part: Part, isTaker: boolean): Fee => {
    const rate = new Big(isTaker ? rates.takerFee : rates.makerFee);
    // A rebate is a share of what the taker receives, which is what this order gives (decision 107).
    const isRebate = rate.lt(0);
    const inBase = isBuy !== isRebate;
    const exact = (inBase ? part.amount : part.cost).times(rate);
    const places = inBase ? decimals.base : decimals.quote;
    const rounded = exact.round(places, isRebate ? Big.roundDown : Big.roundUp);
    return { asset: inBase ? market.base : market.quote, cost: rounded, isTaker };
  };
  const restFee = estimateFee(rest, crossesLater(draft));
  const exactFee = tested && sumFees(tested, isBuy ? market.base : market.quote);
  const takenFee = { ...estimateFee(taken, true), ...(exactFee && { cost: exactFee }) };
  const fee = taken.amount.eq(0) ? restFee : mergeFees(takenFee, restFee, rest.amount.gt(0));
  const stop = draft.type === 'oco' ? simulateStop(draft) : undefined;
  const total = taken.cost.plus(rest.cost);
  const isPending = draft.type !== 'market' && draft.type !== 'limit';
  const held = isBuy && isPending ? requiredFunds(draft, context) : undefined;
  const received = gross(taken).plus(gross(rest));
  return {
    total,
    amount: taken.amount.plus(rest.amount),
    immediate: taken,
    fee,
    stopFee: stop === undefined ? undefined : estimateFee(stop, stop.isTaker),
    stopPrice: stop?.price,
    held: held === undefined || held.eq(total) ? undefined : held,
    received: fee.cost.lt(0) ? received : received.minus(fee.cost),
    shortage: taken.shortage,
  };
}

type Part = Pick<SimulatedFill, 'amount' | 'cost'>;
/** The part of an order that matches on arrival, and the part that rests in the book or is pending a trigger. */
interface Parts {
  readonly taken: SimulatedFill;
  readonly rest: Part;
}
const NOTHING: Part = { amount: ZERO, cost: ZERO };

/** Returns the parts of a tested order; the cause of an incomplete fill is that of the simulation, since the exchange has one reason for all. */
function toParts(draft: Draft, tested: TestedPart, { taken }: Parts): Parts {
  const filled = { amount: new Big(tested.filled), cost: new Big(tested.cost) };
  const remaining = tested.status === 'open' ? decimal(tested.remaining) : undefined;
  const price = decimal(draft.price);
  if (remaining === undefined || price === undefined) {
    const shortage =
      tested.status === 'filled' ? undefined : (taken.shortage ?? ('liquidity' as const));
    return { taken: { ...filled, shortage }, rest: NOTHING };
  }
  const rest = { amount: remaining, cost: remaining.times(price) };
  return { taken: { ...filled, shortage: undefined }, rest };
}

function sumFees({ fees }: TestedPart, asset: string): Big {
  const own = fees.filter((fee) => fee.asset === asset);
  return own.reduce((sum, { cost }) => sum.plus(cost), ZERO);
}

/** Adds the fee of the part that rests, unless it is a rebate, which is in another asset. */
function mergeFees(taken: Fee, rest: Fee, isMixed: boolean): Fee {
  if (!isMixed || rest.asset !== taken.asset) return taken;
  return { ...taken, cost: taken.cost.plus(rest.cost), isMixed };
}

/** Estimates the stop leg of an OCO order at its limit price, else at its trigger price. */
function simulateStop({ side, amount: text, stopTrigger, stopPrice }: Draft) {
  const amount = decimal(text);
  const trigger = decimal(stopTrigger);
  const price = stopPrice === '' ? trigger : decimal(stopPrice);
  if (amount === undefined || trigger === undefined || price === undefined) return undefined;
  const isTaker = stopPrice === '' || crosses(side, price, trigger);
  return { amount, price, cost: amount.times(price), isTaker };
}

function simulateFill(draft: Draft, context: OrderContext): Parts | undefined {
  const { asks, bids, last, market } = context;
  if (isByCost(draft)) {
    const taken = simulateByCost(draft, context);
    return taken && { taken, rest: NOTHING };
  }
  const amount = decimal(draft.amount);
  if (amount === undefined) return undefined;
  const levels = draft.side === 'buy' ? asks : bids;
  if (draft.type === 'market') return { taken: walkBook(levels, { amount }), rest: NOTHING };
  const price = restingPrice(draft, last);
  if (price === undefined) return undefined;
  // In an auction every order rests first.
  const mayTake = draft.type === 'limit' && !draft.postOnly && market.status !== 'auction';
  const within = mayTake ? levelsWithin(draft.side, levels, price) : [];
  const met = walkBook(within, { amount });
  const remaining = amount.minus(met.amount);
  const isKilled = draft.timeInForce === 'FOK' && remaining.gt(0);
  if (isKilled && draft.type === 'limit') {
    return { taken: { ...NOTHING, shortage: 'liquidity' }, rest: NOTHING };
  }
  if (draft.timeInForce === 'IOC' && draft.type === 'limit') return { taken: met, rest: NOTHING };
  return {
    taken: { ...met, shortage: undefined },
    rest: { amount: remaining, cost: remaining.times(price) },
  };
}

/** Returns the price at which an order is valued that does not trade at once. */
function restingPrice(draft: Draft, last: Big): Big | undefined {
  if (draft.type === 'trailing_stop') return firstTrigger(draft, last);
  if (draft.type === 'oco') return decimal(draft.takeProfitPrice);
  return decimal(hasPrice(draft) ? draft.price : draft.triggerPrice);
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

/** Whether the part of an order that does not trade at once pays the taker fee later: when its trigger is reached. */
function crossesLater(draft: Draft): boolean {
  if (draft.type === 'oco' || draft.type === 'limit') return false;
  if (!hasPrice(draft)) return true;
  // When the order triggers, the book is near its trigger price.
  const met = decimal(draft.triggerPrice);
  const price = decimal(draft.price);
  if (met === undefined || price === undefined || draft.postOnly) return false;
  return crosses(draft.side, price, met);
}

function crosses(side: Side, price: Big, met: Big): boolean {
  return side === 'buy' ? price.gte(met) : price.lte(met);
}

/** Returns the percent of the available balance that the order needs, at most 100; undefined while that is not known. */
export function usedPercent(draft: Draft, context: OrderContext): number | undefined {
  const { available } = context;
  const need = requiredFunds(draft, context);
  if (available === undefined || need === undefined) return undefined;
  const has = draft.side === 'buy' ? available.quote : available.base;
  if (has.lte(0)) return need.gt(0) ? 100 : 0;
  return Math.min(100, Math.max(0, divide(need.times(100), has, 0, Big.roundHalfUp).toNumber()));
}
