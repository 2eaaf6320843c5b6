import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  exact,
  multiply,
  rounded,
  smaller,
  subtract,
  toGrid,
  ZERO,
} from '../decimal.ts';
import {
  collarFactor,
  type Draft,
  type Ground,
  hasPrice,
  hasTrigger,
  isByCost,
  type Side,
} from './draft.ts';

type Levels = readonly (readonly [string, string])[];

/** What a market order would meet in the book. */
export interface Met {
  readonly amount: Decimal;
  readonly cost: Decimal;
  /** Whether the book has as much. */
  readonly isWhole: boolean;
}

/** Goes through levels, best first, until an amount has traded or a cost is spent. */
export function walk(levels: Levels, wanted: { amount: Decimal } | { cost: Decimal }): Met {
  let amount = ZERO;
  let cost = ZERO;
  for (const [priceText, amountText] of levels) {
    const price = exact(priceText);
    let taken = exact(amountText);
    if ('amount' in wanted) taken = smaller(taken, subtract(wanted.amount, amount));
    else taken = smaller(taken, affordable(subtract(wanted.cost, cost), price));
    amount = add(amount, taken);
    cost = add(cost, multiply(taken, price));
    const isWhole =
      'amount' in wanted
        ? compare(amount, wanted.amount) >= 0
        : compare(taken, exact(amountText)) < 0;
    if (isWhole) return { amount, cost, isWhole };
  }
  return { amount, cost, isWhole: false };
}

/** Finer than any market's step: what is too much of it is cut off later. */
const FINE = 12;

function affordable(cost: Decimal, price: Decimal): Decimal {
  return divide(cost, price, FINE, 'down');
}

/** What the order would hold: of the quote for a buy, of the base for a sell (docs/trading/orders.md). */
export function needed(draft: Draft, ground: Ground): Decimal | undefined {
  if (isByCost(draft)) return decimal(draft.cost);
  const amount = decimal(draft.amount);
  if (amount === undefined) return undefined;
  if (draft.side === 'sell') return amount;
  if (draft.type === 'market') return walk(ground.asks, { amount }).cost;
  const price = heldPrice(draft, ground);
  return price === undefined ? undefined : multiply(price, amount);
}

/** What a buy holds for one of the base. */
function heldPrice(draft: Draft, { market }: Ground): Decimal | undefined {
  const { type } = draft;
  if (hasPrice(draft)) return decimal(draft.price);
  const collared = (text: string) => {
    const trigger = decimal(text);
    return trigger === undefined ? undefined : multiply(trigger, collarFactor(market));
  };
  if (type !== 'oco') return collared(draft.triggerPrice);
  const profit = decimal(draft.takeProfitPrice);
  const stop = draft.stopPrice === '' ? collared(draft.stopTrigger) : decimal(draft.stopPrice);
  if (profit === undefined || stop === undefined) return undefined;
  return compare(profit, stop) > 0 ? profit : stop;
}

/** The amount, or of a market buy by cost the cost, that takes a part of what is available. */
export function partOfBalance(
  draft: Draft,
  ground: Ground,
  percent: number,
  quoteDecimals: number,
): Decimal | undefined {
  const { available, market, asks } = ground;
  if (available === undefined) return undefined;
  const of = (whole: Decimal) => multiply(whole, { units: BigInt(percent), scale: 2 });
  const step = exact(market.stepSize);
  if (draft.side === 'sell') return toGrid(of(available.base), step, 'down');
  const budget = of(available.quote);
  if (isByCost(draft)) return rounded(budget, quoteDecimals, 'down');
  if (draft.type === 'market') return toGrid(walk(asks, { cost: budget }).amount, step, 'down');
  const price = heldPrice(draft, ground);
  if (price === undefined || price.units <= 0n) return undefined;
  return toGrid(affordable(budget, price), step, 'down');
}

export interface Fee {
  readonly asset: string;
  readonly cost: Decimal;
  readonly isTaker: boolean;
}

export interface Estimate {
  /** In the quote: what is paid or what the amount is worth. */
  readonly total: Decimal;
  readonly amount: Decimal;
  readonly fee: Fee;
  /** Of a pair, if the stop is what trades: `fee` is the take profit's then. */
  readonly stopFee: Fee | undefined;
  /** Of the quote, where that is not the total. */
  readonly held: Decimal | undefined;
  /** What comes in, less the fee. */
  readonly received: Decimal;
  /** False where a market order finds less than it wants. */
  readonly isWhole: boolean;
}

export interface FeeRates {
  readonly makerFee: string;
  readonly takerFee: string;
}

/** What the order would come to, were it filled as it stands. Undefined until there are numbers enough. */
export function estimate(
  draft: Draft,
  ground: Ground,
  rates: FeeRates,
  decimals: { readonly base: number; readonly quote: number },
): Estimate | undefined {
  const met = metOf(draft, ground);
  if (met === undefined) return undefined;
  const { market } = ground;
  const isBuy = draft.side === 'buy';
  const grossOf = ({ amount, cost }: Met) => (isBuy ? amount : cost);
  const feeOf = (from: Met, isTaker: boolean): Fee => {
    const rate = exact(isTaker ? rates.takerFee : rates.makerFee);
    const places = isBuy ? decimals.base : decimals.quote;
    const cost = rounded(multiply(grossOf(from), rate), places, 'up');
    return { asset: isBuy ? market.base : market.quote, cost, isTaker };
  };
  const fee = feeOf(met, takes(draft, ground));
  const stop = draft.type === 'oco' ? stopOf(draft) : undefined;
  const held = isBuy && draft.type !== 'market' ? needed(draft, ground) : undefined;
  return {
    total: met.cost,
    amount: met.amount,
    fee,
    stopFee: stop === undefined ? undefined : feeOf(stop, stop.isTaker),
    held: held === undefined || compare(held, met.cost) === 0 ? undefined : held,
    received: subtract(grossOf(met), fee.cost),
    isWhole: met.isWhole,
  };
}

/** What the stop of a pair would come to: at its limit, else at its trigger. */
function stopOf({ side, amount: text, stopTrigger, stopPrice }: Draft) {
  const amount = decimal(text);
  const trigger = decimal(stopTrigger);
  const price = stopPrice === '' ? trigger : decimal(stopPrice);
  if (amount === undefined || trigger === undefined || price === undefined) return undefined;
  const isTaker = stopPrice === '' || crosses(side, price, trigger);
  return { amount, cost: multiply(amount, price), isWhole: true, isTaker };
}

function metOf(draft: Draft, { market, asks, bids }: Ground): Met | undefined {
  if (isByCost(draft)) {
    const cost = decimal(draft.cost);
    if (cost === undefined) return undefined;
    // The last step that the cost pays for: what is left of it is not spent.
    const { amount, isWhole } = walk(asks, { cost });
    const whole = toGrid(amount, exact(market.stepSize), 'down');
    return { ...walk(asks, { amount: whole }), isWhole };
  }
  const amount = decimal(draft.amount);
  if (amount === undefined) return undefined;
  if (draft.type === 'market') return walk(draft.side === 'buy' ? asks : bids, { amount });
  const text = draft.type === 'oco' ? draft.takeProfitPrice : draft.price || draft.triggerPrice;
  const price = decimal(hasPrice(draft) || draft.type === 'oco' ? text : draft.triggerPrice);
  if (price === undefined) return undefined;
  return { amount, cost: multiply(amount, price), isWhole: true };
}

/** Whether it would trade as it comes: a taker pays another fee. */
function takes(draft: Draft, { asks, bids }: Ground): boolean {
  if (draft.type === 'oco') return false;
  if (!hasPrice(draft)) return true;
  // Once it is triggered, the book is about where its trigger is.
  const best = hasTrigger(draft)
    ? draft.triggerPrice
    : (draft.side === 'buy' ? asks : bids)[0]?.[0];
  const met = decimal(best ?? '');
  const price = decimal(draft.price);
  if (met === undefined || price === undefined || draft.postOnly) return false;
  return crosses(draft.side, price, met);
}

function crosses(side: Side, price: Decimal, met: Decimal): boolean {
  return side === 'buy' ? compare(price, met) >= 0 : compare(price, met) <= 0;
}
