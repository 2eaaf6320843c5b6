import type { Market } from '../../engine/markets/markets.ts';
import { Side } from '../../engine/terms.ts';
import { levelText } from '../endpoints/orderbook.ts';

/**
 * More levels than this go in no update: a new snapshot comes instead, the best levels first. So no
 * message is longer than some 160 KB, nor takes more than a few milliseconds to make.
 */
export const MAX_CHANGED_LEVELS = 4000;

/** A level within a book: the price of a bid, the negated price of an ask. */
type LevelKey = number;

export interface BookBeginning {
  readonly sequence: number;
  readonly body: string;
  /** The worst prices in it; 0 and Infinity where it has all of a side. */
  readonly bidsTo: number;
  readonly asksTo: number;
}

/**
 * The levels of one market's book that changed since its last update was sent, and, while a reader
 * is behind, those that changed before, with the sequence of the update that told of them.
 */
export class BookChanges {
  private readonly touched = new Set<LevelKey>();
  /** The latest change last. */
  private readonly logger = new Map<LevelKey, number>();
  /** The journal has every change after this sequence. */
  private loggerFrom: number;
  private readonly readers = new Set<object>();
  /** How the latest snapshot began: whoever begins at the same sequence gets the same. */
  beginning: BookBeginning | undefined;

  /** @param sequence The book's sequence up to which updates were sent. */
  constructor(
    readonly market: Market,
    public sequence: number,
  ) {
    this.loggerFrom = sequence;
  }

  touch(side: Side, price: number): void {
    this.touched.add(side === Side.buy ? price : -price);
  }

  get isTooMuch(): boolean {
    return this.touched.size > MAX_CHANGED_LEVELS;
  }

  /** `"prevSequence":…` and the changed levels as they are now; undefined where nothing changed. */
  take(): string | undefined {
    const { market, sequence } = this;
    const isChanged = market.bookSequence !== sequence;
    const text = isChanged ? this.text(sequence, this.touched) : undefined;
    if (isChanged) this.skip();
    else this.touched.clear();
    return text;
  }

  /** What changed is told in no update. */
  skip(): void {
    this.sequence = this.market.bookSequence;
    if (this.readers.size > 0) this.record();
    this.touched.clear();
  }

  /** `"prevSequence":…` and these levels as they are now. */
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
      `"data":{"symbol":"${market.symbol}","bids":[${texts[0]}],"asks":[${texts[1]}]${end}}`
    );
  }

  /** Keeps what changes from now on until every reader who needs it was let go. */
  hold(reader: object): void {
    if (this.readers.size === 0) {
      this.logger.clear();
      this.loggerFrom = this.sequence;
    }
    this.readers.add(reader);
  }

  release(reader: object): void {
    this.readers.delete(reader);
    if (this.readers.size === 0) this.logger.clear();
  }

  /** The levels that changed after a sequence; undefined where they are too many for an update. */
  since(sequence: number): LevelKey[] | undefined {
    if (sequence < this.loggerFrom) return undefined;
    const keys: LevelKey[] = [];
    for (const [key, changedAt] of this.logger) if (changedAt > sequence) keys.push(key);
    return keys;
  }

  private record(): void {
    const { logger } = this;
    for (const key of this.touched) {
      logger.delete(key);
      logger.set(key, this.sequence);
    }
    for (const [key, sequence] of logger) {
      if (logger.size <= MAX_CHANGED_LEVELS) break;
      logger.delete(key);
      this.loggerFrom = sequence;
    }
  }
}
