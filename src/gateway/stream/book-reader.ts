import { NONE, Side } from '../../engine/terms.ts';
import { levelText } from '../endpoints/orderbook.ts';
import type { BookBeginning, BookChanges } from './book-changes.ts';

/** Levels of a side that a snapshot or the part after it brings at most. */
export const PART_LEVELS = 1000;

export interface BookMessage {
  readonly kind: 'snapshot' | 'update';
  readonly body: string;
}

/**
 * One reader's way to the present of a book, in messages of bounded size, each made when the one
 * before has left. A long book comes in parts, the best levels first, like Kraken's books of a depth,
 * but the depth grows until it is the whole book. Between two parts the book may change: each one
 * also tells what changed meanwhile in the levels told before. So at every message the reader has
 * the best of the book exactly as it is at the message's sequence, as far down as it was told.
 */
export class BookReader {
  private prevSequence: number | undefined;
  /** The worst price of each side down to which the reader has the book. */
  private bidsTo = Infinity;
  private asksTo = 0;

  /** @param hasPresent The reader has all that was sent so far, else it begins with a snapshot. */
  constructor(
    private readonly book: BookChanges,
    hasPresent: boolean,
  ) {
    if (hasPresent) {
      this.prevSequence = book.sequence;
      this.bidsTo = 0;
      this.asksTo = Infinity;
    }
    book.hold(this);
  }

  /** The reader has the whole book as everyone else, and may hear with them. */
  get isPresent(): boolean {
    return this.isWhole && this.prevSequence === this.book.sequence;
  }

  /** It needs no more. */
  end(): void {
    this.book.release(this);
  }

  /** The next message; undefined at the present. All changes must have been taken from the book. */
  next(): BookMessage | undefined {
    if (this.isPresent) return undefined;
    const { prevSequence } = this;
    const changed = prevSequence === undefined ? undefined : this.book.since(prevSequence);
    this.prevSequence = this.book.sequence;
    if (prevSequence === undefined || changed === undefined) return this.snapshot();
    if (this.isWhole) return { kind: 'update', body: this.book.text(prevSequence, changed) };
    const known = changed.filter((key) => (key > 0 ? key >= this.bidsTo : -key <= this.asksTo));
    const [bids, asks] = [this.part(Side.buy), this.part(Side.sell)];
    const end = `,"complete":${this.isWhole}`;
    return { kind: 'update', body: this.book.text(prevSequence, known, bids, asks, end) };
  }

  private snapshot(): BookMessage {
    const { book } = this;
    if (book.beginning?.sequence !== book.sequence) book.beginning = this.begin();
    const { body, bidsTo, asksTo } = book.beginning;
    this.bidsTo = bidsTo;
    this.asksTo = asksTo;
    return { kind: 'snapshot', body };
  }

  private begin(): BookBeginning {
    const { sequence, market } = this.book;
    this.bidsTo = Infinity;
    this.asksTo = 0;
    const [bids, asks] = [this.part(Side.buy), this.part(Side.sell)];
    const levels = `"bids":[${bids}],"asks":[${asks}],"complete":${this.isWhole}`;
    const body = `"sequence":${sequence},"data":{"symbol":"${market.symbol}",${levels}}`;
    return { sequence, body, bidsTo: this.bidsTo, asksTo: this.asksTo };
  }

  private get isWhole(): boolean {
    return this.bidsTo === 0 && this.asksTo === Infinity;
  }

  /** The levels of a side that follow on those told so far. */
  private part(side: Side): string {
    const { market } = this.book;
    const { book } = market;
    const texts: string[] = [];
    let price = side === Side.buy ? this.bidsTo : this.asksTo;
    let level = book.levelBeyond(side, price);
    for (; level !== NONE && texts.length < PART_LEVELS; level = book.nextLevel(level)) {
      price = book.levelPrice(level);
      texts.push(levelText(market, price, book.levelTotal(level)));
    }
    if (side === Side.buy) this.bidsTo = level === NONE ? 0 : price;
    else this.asksTo = level === NONE ? Infinity : price;
    return texts.join(',');
  }
}
