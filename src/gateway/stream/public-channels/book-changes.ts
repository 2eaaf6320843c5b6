import type { Market } from '../../../engine/markets/markets.ts';
import { Side } from '../../../engine/terms.ts';
import { levelText } from '../../endpoints/market-data/orderbook.ts';
import { timeOrNull } from '../../endpoints/records.ts';
import type { BookFeed } from './book-feed.ts';
import { ChangeLog } from './change-log.ts';

/**
 * Maximum levels per update. If more have changed, a new snapshot is sent instead, best levels first. So no
 * message is longer than about 160 KB or takes more than a few milliseconds to build.
 */
export const MAX_CHANGED_LEVELS = 4000;

/** A level within a book: the price of a bid, the negated price of an ask. */
type LevelKey = number;

/** The first part of a book, shared by all readers that start at the same sequence. */
export interface BookSnapshot {
  readonly sequence: number;
  readonly body: string;
  /** The lowest bid price in it, 0 if it has all bids. */
  readonly bidsTo: number;
  /** The highest ask price in it, Infinity if it has all asks. */
  readonly asksTo: number;
}

/**
 * The levels of one book that changed since its last update. While readers are behind, it also keeps a log
 * of earlier changes.
 */
export class BookChanges implements BookFeed {
  private readonly touched = new Set<LevelKey>();
  private readonly log: ChangeLog;
  /** The latest snapshot. */
  snapshot: BookSnapshot | undefined;

  /** @param sequence The book's sequence up to which updates have been sent. */
  constructor(
    readonly market: Market,
    public sequence: number,
  ) {
    this.log = new ChangeLog(MAX_CHANGED_LEVELS, sequence);
  }

  touch(side: Side, price: number): void {
    this.touched.add(side === Side.buy ? price : -price);
  }

  get isTooLargeForUpdate(): boolean {
    return this.touched.size > MAX_CHANGED_LEVELS;
  }

  /** Returns the body of the next update, or undefined if the book has not changed. */
  take(): string | undefined {
    const { market, sequence } = this;
    const isChanged = market.bookSequence !== sequence;
    const text = isChanged ? this.text(sequence, this.touched) : undefined;
    if (isChanged) this.skip();
    else this.touched.clear();
    return text;
  }

  /** Advances to the book's sequence without an update. */
  skip(): void {
    this.sequence = this.market.bookSequence;
    this.log.record(this.touched, this.sequence);
    this.touched.clear();
  }

  /**
   * Returns the body of an update with the current amounts of these levels.
   * @param bids Further bids, as JSON; `asks` likewise. @param end Further fields of `data`, as JSON.
   */
  text(prevSequence: number, keys: Iterable<LevelKey>, bids = '', asks = '', end = ''): string {
    const { market } = this;
    const { book } = market;
    const texts: [bids: string[], asks: string[]] = [[], []];
    for (const key of keys) {
      const [side, price] = key > 0 ? ([Side.buy, key] as const) : ([Side.sell, -key] as const);
      texts[key > 0 ? 0 : 1].push(levelText(market, price, book.totalAt(side, price)));
    }
    if (bids !== '') texts[0].push(bids);
    if (asks !== '') texts[1].push(asks);
    return (
      `"prevSequence":${prevSequence},"sequence":${market.bookSequence},` +
      `"data":{"symbol":"${market.symbol}","bids":[${texts[0]}],"asks":[${texts[1]}],` +
      `"updatedAt":${timeOrNull(market.bookChangedAt)}${end}}`
    );
  }

  /** Logs changes from now on, until every reader that holds the log has released it. */
  hold(reader: object): void {
    this.log.hold(reader, this.sequence);
  }

  release(reader: object): void {
    this.log.release(reader);
  }

  /** Returns the levels that changed after a sequence, or undefined if they are too many for an update. */
  since(sequence: number): LevelKey[] | undefined {
    return this.log.since(sequence);
  }
}
