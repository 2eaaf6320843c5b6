import type { Market } from '../../engine/markets/markets.ts';
import { NONE, Side } from '../../engine/terms.ts';

const BASIS_POINTS = 10_000;

/** The best prices of a market, and the amounts near them, in units of the market. */
export interface BookQuality {
  readonly bid: number;
  readonly ask: number;
  readonly spreadBasisPoints: number;
  readonly bidDepth: bigint;
  readonly askDepth: bigint;
}

/**
 * Measures the amounts that a book shows within a distance of the middle of bid and ask; undefined if a side is empty.
 * @param distance Hundredths of a percent
 */
export function measureBook(
  { book }: Pick<Market, 'book'>,
  distance: number,
): BookQuality | undefined {
  const bid = book.bestPrice(Side.buy);
  const ask = book.bestPrice(Side.sell);
  if (bid === undefined || ask === undefined) return undefined;
  const middle = (bid + ask) / 2;
  const share = distance / BASIS_POINTS;
  return {
    bid,
    ask,
    spreadBasisPoints: ((ask - bid) / middle) * BASIS_POINTS,
    bidDepth: sumLevels(book, Side.buy, (price) => price >= middle * (1 - share)),
    askDepth: sumLevels(book, Side.sell, (price) => price <= middle * (1 + share)),
  };
}

function sumLevels(book: Market['book'], side: Side, isNear: (price: number) => boolean): bigint {
  let total = 0n;
  for (let level = book.bestLevel(side); level !== NONE; level = book.nextLevel(level)) {
    if (!isNear(book.levelPrice(level))) break;
    total += BigInt(book.levelTotal(level));
  }
  return total;
}
