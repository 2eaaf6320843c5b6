import Big from 'big.js';
import { decimal, divide } from '../decimal.ts';
import {
  canAttach,
  type Draft,
  type FormType,
  hasPrice,
  hasTrigger,
  type OrderContext,
  type Side,
} from './draft.ts';
import { levelsWithin, walkBook } from './order-estimate.ts';
import type { ExactOrder } from './records.ts';

/** An order's limit price, and the average price of the part that trades at once, compared with a price of the market. */
export interface MarketDistance {
  /** Side of the order or leg. */
  readonly side: Side;
  /** The price it is compared with: the best opposite one, the last one if that side of the book is empty, or the trigger price. */
  readonly from: 'book' | 'last' | 'trigger';
  readonly best: Big;
  /** Percent by which the limit price is worse for the user than the best price; 0 or less if it does not trade at once. */
  readonly throughPercent: Big;
  /** Average price of the part that trades at once; undefined if nothing does. */
  readonly average: Big | undefined;
  /** Percent by which that average is worse than the best price. */
  readonly slippagePercent: Big;
}

const PLACES = 10;

/** Returns how far each limit price of an order and its legs reaches; empty until the order is complete. */
export function measureDistances(draft: Draft, context: OrderContext): MarketDistance[] {
  return [measureDistance(draft, context), measureStopLeg(draft)].filter(
    (each) => each !== undefined,
  );
}

/**
 * Returns how far an order reaches into the book, or its limit price beyond its trigger price; undefined for orders
 * without a limit price that are pending a trigger, and until the order is complete.
 */
export function measureDistance(draft: Draft, context: OrderContext): MarketDistance | undefined {
  const isMarket = draft.type === 'market';
  if (!isMarket && !hasPrice(draft)) return undefined;
  if (hasTrigger(draft)) return measureTriggered(draft.side, draft.triggerPrice, draft.price);
  const levels = draft.side === 'buy' ? context.asks : context.bids;
  const best = new Big(levels[0]?.[0] ?? context.last);
  const limit = isMarket ? undefined : decimal(draft.price);
  if ((!isMarket && limit === undefined) || best.lte(0)) return undefined;
  const amount = decimal(draft.amount);
  const cost = decimal(draft.cost);
  const step = new Big(context.market.stepSize);
  const wanted =
    isMarket && cost !== undefined && draft.by[draft.side] === 'cost'
      ? { cost, step }
      : amount && { amount };
  const within = limit === undefined ? levels : levelsWithin(draft.side, levels, limit);
  const met = wanted === undefined || draft.postOnly ? undefined : walkBook(within, wanted);
  const average = met?.amount.gt(0)
    ? divide(met.cost, met.amount, PLACES, Big.roundHalfUp)
    : undefined;
  return {
    side: draft.side,
    from: levels.length === 0 ? 'last' : 'book',
    best,
    throughPercent: limit === undefined ? new Big(0) : worseBy(draft.side, limit, best),
    average,
    slippagePercent: average === undefined ? new Big(0) : worseBy(draft.side, average, best),
  };
}

/** Measures the stop-limit leg of an OCO or bracket order. */
function measureStopLeg(draft: Draft): MarketDistance | undefined {
  const { side, type, stopTrigger, stopPrice } = draft;
  if (type === 'oco') return measureTriggered(side, stopTrigger, stopPrice);
  if (!canAttach(draft) || !draft.hasAttached) return undefined;
  return measureTriggered(side === 'buy' ? 'sell' : 'buy', stopTrigger, stopPrice);
}

/** Compares a limit price with the trigger price, since the market is there when the order is activated. */
function measureTriggered(
  side: Side,
  triggerPrice: string,
  price: string,
): MarketDistance | undefined {
  const best = decimal(triggerPrice);
  const limit = decimal(price);
  if (best === undefined || limit === undefined || best.lte(0)) return undefined;
  return {
    side,
    from: 'trigger',
    best,
    throughPercent: worseBy(side, limit, best),
    average: undefined,
    slippagePercent: new Big(0),
  };
}

/** Returns what is left of an open order, with new values, as a draft. @param isTriggered Whether it is in the book, or has been */
export function toDraft(
  base: Draft,
  order: ExactOrder,
  changes: Readonly<Partial<Record<string, string>>>,
  isTriggered: boolean,
): Draft {
  const amount = new Big(changes.amount ?? order.amount).minus(order.filled);
  const hasLimit = order.price !== null && order.type !== 'market';
  return {
    ...base,
    side: order.side,
    type: hasLimit && isTriggered ? 'limit' : (order.type as FormType),
    by: { buy: 'amount', sell: 'amount' },
    amount: amount.gt(0) ? amount.toFixed() : '',
    price: changes.price ?? order.price ?? '',
    triggerPrice: changes.triggerPrice ?? order.triggerPrice ?? '',
    timeInForce: order.timeInForce,
    postOnly: order.postOnly,
  };
}

/** When orders are confirmed before they are sent. */
export type ConfirmPolicy = 'always' | 'far' | 'never';

/** Returns whether an order is to be confirmed. @param percent Distance or slippage from which `far` confirms. */
export function needsConfirmation(
  policy: ConfirmPolicy,
  percent: number,
  distances: readonly MarketDistance[],
): boolean {
  if (policy !== 'far') return policy === 'always';
  return distances.some((distance) => isFar(distance, percent));
}

/** Returns whether a limit price or the average price is at least `percent` worse than the best price. */
export function isFar(
  { throughPercent, slippagePercent }: MarketDistance,
  percent: number,
): boolean {
  return throughPercent.gte(percent) || slippagePercent.gte(percent);
}

/** Returns by how many percent a price is worse than the best one: higher for a buy, lower for a sell. */
export function worseBy(side: Side, price: Big, best: Big): Big {
  const difference = side === 'buy' ? price.minus(best) : best.minus(price);
  return divide(difference.times(100), best, PLACES, Big.roundHalfUp);
}
