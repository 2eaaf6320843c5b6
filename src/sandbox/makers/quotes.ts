import { type MakerBehavior, NORMAL_BEHAVIOR } from './behavior.ts';
import { MAKER_MARKETS, type MakerMarket } from './maker-markets.ts';

/** A quote to place. */
export interface Quote {
  readonly side: 'buy' | 'sell';
  /** Price in ticks. */
  readonly ticks: number;
  readonly amount: number;
}

/**
 * Quotes are placed in cells, one in each: narrow cells near the fair price, wide ones far from it. Position and
 * size of a quote depend only on its cell, so that most quotes stay unchanged while the price moves.
 */
const BANDS = [
  { cells: 6, width: 1, size: 1 },
  { cells: 4, width: 8, size: 4 },
  { cells: 5, width: 64, size: 9 },
] as const;

/** Average size of a quote next to the fair price, as a fraction of a minute's volume. */
const SIZE = 0.15;

/** The parameters of a market's quotes. */
export type QuotedMarket = Pick<
  MakerMarket,
  'priceDecimals' | 'halfSpread' | 'cell' | 'minuteVolume'
>;

/** Returns the quotes for a market at a fair price. @param market Index. */
export function quotesAround(
  market: number,
  fair: number,
  seed: number,
  behavior: QuoteBehavior = NORMAL_BEHAVIOR,
): Quote[] {
  return quotesFor(MAKER_MARKETS[market]!, market, fair, seed, behavior);
}

/** Like `quotesAround`, for any market. @param market Distinguishes the quotes of markets. */
export function quotesFor(
  quoted: QuotedMarket,
  market: number,
  fair: number,
  seed: number,
  behavior: QuoteBehavior = NORMAL_BEHAVIOR,
): Quote[] {
  if (behavior.depth === 0) return [];
  return [
    ...quotesOnSide('buy', quoted, market, fair, seed, behavior),
    ...quotesOnSide('sell', quoted, market, fair, seed, behavior),
  ];
}

type QuoteBehavior = Pick<MakerBehavior, 'spread' | 'depth'>;

function quotesOnSide(
  side: Quote['side'],
  { priceDecimals, halfSpread, cell, minuteVolume }: QuotedMarket,
  market: number,
  fair: number,
  seed: number,
  { spread, depth }: QuoteBehavior,
): Quote[] {
  const sign = side === 'buy' ? -1 : 1;
  // In ticks. Quotes of the band lie beyond this edge, seen from the fair price.
  let edge = fair * (1 + (sign * halfSpread * spread) / 2) * 10 ** priceDecimals;
  const quotes: Quote[] = [];
  for (const [band, { cells, width, size }] of BANDS.entries()) {
    const ticksWide = cell * width;
    const nearest = side === 'buy' ? Math.floor(edge / ticksWide) - 1 : Math.ceil(edge / ticksWide);
    for (let index = 0; index < cells; index++) {
      const position = nearest + sign * index;
      const ticks =
        position * ticksWide + Math.floor(fraction(seed, market, band, position) * ticksWide);
      const share = (0.5 + fraction(seed + 1, market, band, position)) * depth;
      quotes.push({ side, ticks, amount: minuteVolume * SIZE * size * share });
    }
    edge = (nearest + sign * (cells - 1) + (side === 'buy' ? 0 : 1)) * ticksWide;
  }
  return quotes.filter(({ ticks }) => ticks > 0);
}

/** Returns a hash of the numbers in [0, 1). */
function fraction(...numbers: readonly number[]): number {
  let hash = 0x811c9dc5;
  for (const number of numbers) {
    hash = Math.imul(hash ^ number, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash ^= hash >>> 13;
  }
  return (hash >>> 0) / 2 ** 32;
}
