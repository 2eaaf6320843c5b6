import { type Best, Book, findPrice } from './book.ts';
import type { BookLevels } from './topics.ts';

/** A price and the total amount at it. */
export type Level<N> = readonly [price: N, amount: N];

/**
 * A market's order book, kept current by applying every message of the channel `orderbook`. Its levels equal those of
 * `GET /api/orderbook` at the same sequence. A book of more than 1,000 levels per side comes in parts.
 */
export class OrderBook<N extends number | string> extends Book<BookLevels<N>> {
  /** Best first, like `asks`. */
  readonly bids: Level<N>[] = [];
  readonly asks: Level<N>[] = [];

  protected clear(): void {
    this.bids.length = 0;
    this.asks.length = 0;
  }

  protected change({ bids, asks }: BookLevels<N>): void {
    for (const level of bids) put(this.bids, level, 'high');
    for (const level of asks) put(this.asks, level, 'low');
  }
}

/** Inserts, replaces or removes a level. */
function put<N extends number | string>(side: Level<N>[], level: Level<N>, best: Best): void {
  const [price, amount] = level;
  const index = findPrice(side, price, best);
  const isKnown = side[index]?.[0] === price;
  if (amount === 0 || amount === '0') side.splice(index, isKnown ? 1 : 0);
  else side.splice(index, isKnown ? 1 : 0, level);
}
