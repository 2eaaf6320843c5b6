import { MAKER_MARKETS } from './maker-markets.ts';

/** An order that is to rest. */
export interface Quote {
  readonly side: 'buy' | 'sell';
  /** Price in ticks. */
  readonly ticks: number;
  readonly amount: number;
}

/**
 * Quotes lie in cells, one in each: narrow cells near the fair price, wide ones far from it. Where in
 * its cell a quote lies, and how large it is, follows from the cell, so that most quotes stay as they
 * are while the price moves, and only at the edges some come and go.
 */
const BANDS = [
  { cells: 6, width: 1, size: 1 },
  { cells: 4, width: 8, size: 4 },
  { cells: 5, width: 64, size: 9 },
] as const;

/** Part of a minute's volume that a quote next to the fair price is for, on average. */
const SIZE = 0.15;

/** What the house is to quote in a market that is worth `fair` in its quote. @param market Index. */
export function quotesAround(market: number, fair: number, seed: number): Quote[] {
  return [...quotesOf('buy', market, fair, seed), ...quotesOf('sell', market, fair, seed)];
}

function quotesOf(side: Quote['side'], market: number, fair: number, seed: number): Quote[] {
  const { priceDecimals, halfSpread, cell, minuteVolume } = MAKER_MARKETS[market]!;
  const sign = side === 'buy' ? -1 : 1;
  // Prices beyond this edge, seen from the fair price.
  let edge = fair * (1 + (sign * halfSpread) / 2) * 10 ** priceDecimals;
  const quotes: Quote[] = [];
  for (const [band, { cells, width, size }] of BANDS.entries()) {
    const ticksWide = cell * width;
    const nearest = side === 'buy' ? Math.floor(edge / ticksWide) - 1 : Math.ceil(edge / ticksWide);
    for (let index = 0; index < cells; index++) {
      const place = nearest + sign * index;
      const ticks = place * ticksWide + Math.floor(fraction(seed, market, band, place) * ticksWide);
      const spread = 0.5 + fraction(seed + 1, market, band, place);
      quotes.push({ side, ticks, amount: minuteVolume * SIZE * size * spread });
    }
    edge = (nearest + sign * (cells - 1) + (side === 'buy' ? 0 : 1)) * ticksWide;
  }
  return quotes.filter(({ ticks }) => ticks > 0);
}

/** A number in [0, 1) that is always the same for the same ones. */
function fraction(...numbers: readonly number[]): number {
  let hash = 0x811c9dc5;
  for (const number of numbers) {
    hash = Math.imul(hash ^ number, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash ^= hash >>> 13;
  }
  return (hash >>> 0) / 2 ** 32;
}
