import Big from 'big.js';
import { decimal, divide } from '../decimal.ts';
import { type Draft, hasPrice, hasTrigger, type OrderContext } from './draft.ts';
import { walkBook } from './order-estimate.ts';

/** The part of an order that would trade at once, compared with the best price of the other side of the book. */
export interface MarketDistance {
  /** Best opposite price; the last price if that side of the book is empty. */
  readonly best: Big;
  /** Percent by which the limit price is worse for the user than the best price; 0 or less if it does not trade at once. */
  readonly throughPercent: Big;
  /** Average price of the part that trades at once; undefined if nothing does. */
  readonly average: Big | undefined;
  /** Percent by which that average is worse than the best price. */
  readonly slippagePercent: Big;
}

const PLACES = 10;

/** Returns how far an order reaches into the book; undefined for orders with a pending trigger, and until it is complete. */
export function measureDistance(draft: Draft, context: OrderContext): MarketDistance | undefined {
  const isMarket = draft.type === 'market';
  if (!isMarket && (!hasPrice(draft) || hasTrigger(draft))) return undefined;
  const levels = draft.side === 'buy' ? context.asks : context.bids;
  const best = new Big(levels[0]?.[0] ?? context.last);
  const limit = isMarket ? undefined : decimal(draft.price);
  if ((!isMarket && limit === undefined) || best.lte(0)) return undefined;
  const within = levels.filter(([price]) => limit === undefined || isWithin(draft, price, limit));
  const amount = decimal(draft.amount);
  const cost = decimal(draft.cost);
  const step = new Big(context.market.stepSize);
  const wanted =
    isMarket && cost !== undefined && draft.by[draft.side] === 'cost'
      ? { cost, step }
      : amount && { amount };
  const met = wanted === undefined || draft.postOnly ? undefined : walkBook(within, wanted);
  const average = met?.amount.gt(0)
    ? divide(met.cost, met.amount, PLACES, Big.roundHalfUp)
    : undefined;
  return {
    best,
    throughPercent: limit === undefined ? new Big(0) : worseBy(draft, limit, best),
    average,
    slippagePercent: average === undefined ? new Big(0) : worseBy(draft, average, best),
  };
}

/** When orders are confirmed before they are sent. */
export type ConfirmPolicy = 'always' | 'far' | 'never';

/** Returns whether an order is to be confirmed. @param percent Distance or slippage from which `far` confirms. */
export function needsConfirmation(
  policy: ConfirmPolicy,
  percent: number,
  distance: MarketDistance | undefined,
): boolean {
  if (policy !== 'far') return policy === 'always';
  return distance !== undefined && isFar(distance, percent);
}

/** Returns whether a limit price or the average price is at least `percent` worse than the best price. */
export function isFar(
  { throughPercent, slippagePercent }: MarketDistance,
  percent: number,
): boolean {
  return throughPercent.gte(percent) || slippagePercent.gte(percent);
}

function isWithin({ side }: Draft, price: string, limit: Big): boolean {
  return side === 'buy' ? limit.gte(price) : limit.lte(price);
}

/** Returns by how many percent a price is worse than the best one: higher for a buy, lower for a sell. */
function worseBy({ side }: Draft, price: Big, best: Big): Big {
  const difference = side === 'buy' ? price.minus(best) : best.minus(price);
  return divide(difference.times(100), best, PLACES, Big.roundHalfUp);
}
