import { NONE, Side } from '../../../engine/terms.ts';
import { levelText } from '../../endpoints/market-data/orderbook.ts';
import { timeOrNull } from '../../endpoints/records.ts';
import type { BookChanges, BookSnapshot } from './book-changes.ts';
import type { BookMessage, FeedReader } from './book-feed.ts';

/** Maximum levels of a side in a snapshot, and in each later part. */
export const PART_LEVELS = 1000;

/**
 * Brings one reader to the current state of a book, in messages of bounded size. Each is built when the
 * previous one has been sent. A long book comes in parts, best levels first. The book may change between
 * two parts, so each part also updates the levels of earlier parts: after every message the reader has
 * the best levels exactly as they are at the message's sequence, as deep as it has received them.
 */
export class BookReader implements FeedReader {
  private prevSequence: number | undefined;
  /** The worst price of each side down to which the reader has the book. */
  private bidsTo = Infinity;
  private asksTo = 0;

  /** @param isCaughtUp Whether the reader has received every update so far; otherwise it needs a snapshot. */
  constructor(
    private readonly book: BookChanges,
    isCaughtUp: boolean,
  ) {
    if (isCaughtUp) {
      this.prevSequence = book.sequence;
      this.bidsTo = 0;
      this.asksTo = Infinity;
    }
    book.hold(this);
  }

  /** Whether the reader has the whole book up to the last update, so that it can receive the live updates. */
  get isCaughtUp(): boolean {
    return this.isComplete && this.prevSequence === this.book.sequence;
  }

  close(): void {
    this.book.release(this);
  }

  /** Returns the next message, undefined if caught up. Call `take` or `skip` of the book first. */
  next(): BookMessage | undefined {
    if (this.isCaughtUp) return undefined;
    const { prevSequence } = this;
    const changed = prevSequence === undefined ? undefined : this.book.since(prevSequence);
    this.prevSequence = this.book.sequence;
    if (prevSequence === undefined || changed === undefined) return this.snapshot();
    if (this.isComplete) return { kind: 'update', body: this.book.text(prevSequence, changed) };
    const known = changed.filter((key) => (key > 0 ? key >= this.bidsTo : -key <= this.asksTo));
    const [bids, asks] = [this.nextPart(Side.buy), this.nextPart(Side.sell)];
    const end = `,"complete":${this.isComplete}`;
    return { kind: 'update', body: this.book.text(prevSequence, known, bids, asks, end) };
  }

  private snapshot(): BookMessage {
    const { book } = this;
    if (book.snapshot?.sequence !== book.sequence) book.snapshot = this.newSnapshot();
    const { body, bidsTo, asksTo } = book.snapshot;
    this.bidsTo = bidsTo;
    this.asksTo = asksTo;
    return { kind: 'snapshot', body };
  }

  private newSnapshot(): BookSnapshot {
    const { sequence, market } = this.book;
    this.bidsTo = Infinity;
    this.asksTo = 0;
    const [bids, asks] = [this.nextPart(Side.buy), this.nextPart(Side.sell)];
    const levels = `"bids":[${bids}],"asks":[${asks}]`;
    const body =
      `"sequence":${sequence},"data":{"symbol":"${market.symbol}",${levels},` +
      `"updatedAt":${timeOrNull(market.bookChangedAt)},"complete":${this.isComplete}}`;
    return { sequence, body, bidsTo: this.bidsTo, asksTo: this.asksTo };
  }

  private get isComplete(): boolean {
    return this.bidsTo === 0 && this.asksTo === Infinity;
  }

  /** Returns the next levels of a side that the reader does not have yet, and moves past them. */
  private nextPart(side: Side): string {
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
