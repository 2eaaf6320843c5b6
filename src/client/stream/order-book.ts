import type { BookLevels, StreamMessage } from './topics.ts';

/** A price and what is for it in all. */
export type Level<N> = readonly [price: N, amount: N];

/**
 * A market's book as of `sequence`, kept by giving it every message of the channel `orderbook`: then it is
 * exactly what `GET /api/orderbook` answers at that sequence, as far down as it has been told.
 */
export class OrderBook<N extends number | string> {
  /** -1 before the first message. */
  sequence = -1;
  /** Whether it goes all the way down: a book of more than 1,000 levels a side comes in parts. */
  isComplete = false;
  /** Best first, as the asks are. */
  readonly bids: Level<N>[] = [];
  readonly asks: Level<N>[] = [];

  /** @throws Error where an update does not follow what was applied last. */
  apply({ op, prevSequence, sequence, data }: StreamMessage<BookLevels<N>>): void {
    if (op === 'snapshot') {
      this.bids.length = 0;
      this.asks.length = 0;
    } else if (prevSequence !== this.sequence) {
      throw new Error(`the update follows ${prevSequence}, the book is at ${this.sequence}`);
    }
    this.sequence = sequence!;
    this.isComplete = data.complete ?? this.isComplete;
    for (const level of data.bids) put(this.bids, level, -1);
    for (const level of data.asks) put(this.asks, level, 1);
  }
}

/** @param sign 1 where the lowest price comes first. */
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

/** Of texts as the exchange writes prices: without sign, exponent, leading or trailing zeros. */
function comparePrices(a: number | string, b: number | string): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  const [wholeA, fractionA = ''] = a.split('.') as [string, string?];
  const [wholeB, fractionB = ''] = b.split('.') as [string, string?];
  return wholeA.length - wholeB.length || order(wholeA, wholeB) || order(fractionA, fractionB);
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
