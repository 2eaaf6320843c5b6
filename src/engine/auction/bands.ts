import { type Market, priceAtDistance } from '../markets/markets.ts';
import { oppositeSide, Side } from '../terms.ts';

/** The prices at which a market may trade, in price units, both included. */
export interface PriceRange {
  readonly lowest: number;
  readonly highest: number;
}

/** A market without bands trades at any price. */
const ANY_PRICE: PriceRange = { lowest: 0, highest: Number.POSITIVE_INFINITY };

/** Returns whether a market has a price band. */
export function hasBands({ rules }: Pick<Market, 'rules'>): boolean {
  return rules.staticBand !== 0 || rules.dynamicBand !== 0;
}

/**
 * Returns the range within both bands: the static one around the price of the last auction, or that before the first
 * trade of the UTC day, and the dynamic one around the last price. The widths and reference prices follow the volatility
 * interruptions of Xetra (see docs/trading/auctions.md).
 * @param staticReference In price units. @param factor How many times as wide as the bands the range is.
 */
export function priceRange(
  { rules: { staticBand, dynamicBand }, price }: Pick<Market, 'rules' | 'price'>,
  staticReference: number,
  factor = 1,
): PriceRange {
  const outer = bandAround(staticReference, staticBand * factor);
  const inner = bandAround(price, dynamicBand * factor);
  return {
    lowest: Math.max(outer.lowest, inner.lowest),
    highest: Math.min(outer.highest, inner.highest),
  };
}

function bandAround(price: number, band: number): PriceRange {
  if (band === 0) return ANY_PRICE;
  return {
    lowest: priceAtDistance(Side.sell, price, band),
    highest: priceAtDistance(Side.buy, price, band),
  };
}

export function isWithin(price: number, { lowest, highest }: PriceRange): boolean {
  return price >= lowest && price <= highest;
}

/** The part of the auctions that bands need. */
interface Ranges {
  range(market: Market): PriceRange;
}

/**
 * Returns the worst price at which a taker may trade that may trade up to `limit` by its own terms. The range is that
 * before its first trade. If even the best price is on the other side of the range, no price is possible.
 */
export function limitWithinBands(
  ranges: Ranges,
  market: Market,
  side: Side,
  limit: number,
): number {
  if (!hasBands(market)) return limit;
  const { lowest, highest } = ranges.range(market);
  const best = market.book.bestPrice(oppositeSide(side));
  if (side === Side.buy) return best !== undefined && best < lowest ? 0 : Math.min(limit, highest);
  return best !== undefined && best > highest ? Number.POSITIVE_INFINITY : Math.max(limit, lowest);
}
