import type { BookLevels, StreamMessage } from './topics.ts';

/** A price and the total amount at it. */
export type Level<N> = readonly [price: N, amount: N];

/**
 * A market's order book, kept current by applying every message of the channel `orderbook`. Its levels equal those of
 * `GET /api/orderbook` at the same sequence.
 */
export class OrderBook<N extends number | string> {
  /** -1 before the first message. */
  sequence = -1;
  /** Whether all levels have arrived: a book of more than 1,000 levels per side comes in parts. */
  isComplete = false;
  /** Best first, like `asks`. */
  readonly bids: Level<N>[] = [];
  readonly asks: Level<N>[] = [];

  /** Applies a message. @throws Error if an update does not follow the last message */
  apply({ op, prevSequence, sequence, data }: StreamMessage<BookLevels<N>>): void {
    if (op === 'snapshot') {
      this.bids.length = 0;
      this.asks.length = 0;
    } else if (prevSequence !== this.sequence) {
      throw new Error(`the update follows ${prevSequence}, but the book is at ${this.sequence}`);
    }
    this.sequence = sequence!;
    this.isComplete = data.complete ?? this.isComplete;
    for (const level of data.bids) put(this.bids, level, -1);
    for (const level of data.asks) put(this.asks, level, 1);
  }
}

/** Inserts, replaces or removes a level. @param sign 1 if the lowest price comes first, else -1 */
function put<N extends number | string>(side: Level<N>[], level: Level<N>, sign: number): void {
  const [price, amount] = level;
  let low = 0;
  let high = side.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sign * comparePrices(side[middle]![0], price) < 0) low = middle + 1;
    else high = middle;
  }
  const isKnown = side[low]?.[0] === price;
  if (amount === 0 || amount === '0') side.splice(low, isKnown ? 1 : 0);
  else side.splice(low, isKnown ? 1 : 0, level);
}

/** Compares prices; texts have no sign, exponent, leading or trailing zeros. */
function comparePrices(a: number | string, b: number | string): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  const [wholeA, fractionA = ''] = a.split('.') as [string, string?];
  const [wholeB, fractionB = ''] = b.split('.') as [string, string?];
  return wholeA.length - wholeB.length || order(wholeA, wholeB) || order(fractionA, fractionB);
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
