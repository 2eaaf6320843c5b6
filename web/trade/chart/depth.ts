import type { Level } from '../../../src/client/index.ts';
import { compact, grouped } from '../../format.ts';

/** Cumulative depth up to a price. Doubles are exact enough for drawing. */
export interface DepthPoint {
  readonly side: 'bid' | 'ask';
  readonly price: number;
  readonly total: number;
}

export interface Depths {
  /** From the mid price outwards. */
  readonly bids: readonly DepthPoint[];
  readonly asks: readonly DepthPoint[];
  readonly low: number;
  readonly high: number;
}

type Levels = readonly Level<string>[];

/**
 * Returns the depth within `share` of the mid price (0.01 is 1%). If one side is empty, the best price of the
 * other counts as the mid price.
 */
export function depthWithin(bids: Levels, asks: Levels, share: number): Depths {
  const bid = bids[0] === undefined ? undefined : Number(bids[0][0]);
  const ask = asks[0] === undefined ? undefined : Number(asks[0][0]);
  const middle = ((bid ?? ask ?? 0) + (ask ?? bid ?? 0)) / 2;
  const [low, high] = [middle * (1 - share), middle * (1 + share)];
  return {
    bids: accumulate(bids, 'bid', low, high),
    asks: accumulate(asks, 'ask', low, high),
    low,
    high,
  };
}

function accumulate(levels: Levels, side: 'bid' | 'ask', low: number, high: number): DepthPoint[] {
  const points: DepthPoint[] = [];
  let total = 0;
  for (const [priceText, amount] of levels) {
    const price = Number(priceText);
    if (price < low || price > high) break;
    total += Number(amount);
    points.push({ side, price, total });
  }
  return points;
}

/** Returns the label of the price axis at a share of its width; empty without a mid price. */
export function priceLabel(
  { low, high }: Pick<Depths, 'low' | 'high'>,
  share: number,
  decimals: number,
): string {
  return high > low ? grouped((low + (high - low) * share).toFixed(decimals)) : '';
}

/** Returns the label of a depth with three digits: `2090000` → `2.09M`. */
export function depthLabel(total: number): string {
  // Plain digits, because numbers of `toPrecision` may have an exponent.
  const digits = Math.max(0, 2 - Math.floor(Math.log10(total)));
  return total >= 1000 ? compact(total.toFixed(0)) : total.toFixed(Math.min(digits, 8));
}
