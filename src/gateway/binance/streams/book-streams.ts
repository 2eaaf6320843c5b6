import type { OrderRecord, TradeEvent } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { oppositeSide, Side } from '../../../engine/terms.ts';
import type { Services } from '../../services.ts';
import { isInBook } from '../../stream/public-channels/book-cursor.ts';
import { depthText, levelText } from '../market-data/depth.ts';
import { bestTexts } from '../market-data/units.ts';
import { toSymbol } from '../symbols.ts';
import { REAL_TIME, Stream } from './stream.ts';

/**
 * Maximum levels of an event. If more have changed there is none, and the next one begins after a gap: clients then take a
 * new snapshot ("How to manage a local order book correctly").
 */
export const MAX_EVENT_LEVELS = 20_000;
const SECOND_MS = 1000;
const NO_MESSAGES: readonly string[] = [];

/**
 * `<symbol>@depth`: the levels that have changed, with the numbers of the book's first and last change among them. The
 * numbers are those of `lastUpdateId`.
 */
export class DepthStream extends Stream {
  /** The price of a bid, the negated price of an ask. */
  private readonly touched = new Set<number>();
  /** The number of the last change that was sent. */
  private sequence: number;

  constructor(
    name: string,
    override readonly market: Market,
    periodMs: number,
    private readonly services: Services,
  ) {
    super(name, market, periodMs);
    this.sequence = market.bookSequence;
  }

  override note(event: OrderRecord | TradeEvent): void {
    if (event.kind === 'trade') this.noteFreed(oppositeSide(event.takerSide), event.price);
    else if (isInBook(event, this.services.replica.exchange.state)) {
      this.noteFreed(event.side, event.price);
    }
  }

  override noteFreed(side: Side, price: number): void {
    this.touched.add(side === Side.buy ? price : -price);
  }

  take(): readonly string[] {
    const { market, sequence, touched } = this;
    if (market.bookSequence === sequence) return NO_MESSAGES;
    this.sequence = market.bookSequence;
    const messages = touched.size > MAX_EVENT_LEVELS ? NO_MESSAGES : [this.event(sequence)];
    touched.clear();
    return messages;
  }

  /** @param previous The number of the last change before the event. */
  private event(previous: number): string {
    const { market } = this;
    const { book } = market;
    const [bids, asks]: [string[], string[]] = [[], []];
    for (const key of this.touched) {
      const [side, price] = key > 0 ? ([Side.buy, key] as const) : ([Side.sell, -key] as const);
      (key > 0 ? bids : asks).push(levelText(market, price, book.totalAt(side, price)));
    }
    return (
      `{"e":"depthUpdate","E":${this.services.now()},"s":"${toSymbol(market)}",` +
      `"U":${previous + 1},"u":${market.bookSequence},"b":[${bids}],"a":[${asks}]}`
    );
  }
}

/** `<symbol>@depth<levels>`: the best levels, once a second even if they have not changed. */
export class PartialDepthStream extends Stream {
  private sequence = -1;
  private text = '';
  /** Turns until the text is sent again although it is the same. */
  private turns = 0;

  constructor(
    name: string,
    override readonly market: Market,
    periodMs: number,
    private readonly levels: number,
  ) {
    super(name, market, periodMs);
  }

  take(): readonly string[] {
    const isChanged = this.sequence !== this.market.bookSequence;
    if (!isChanged && --this.turns > 0) return NO_MESSAGES;
    this.turns = SECOND_MS / this.periodMs;
    return [this.current()];
  }

  override current(): string {
    const { market } = this;
    if (this.sequence !== market.bookSequence) this.text = depthText(market, this.levels);
    this.sequence = market.bookSequence;
    return this.text;
  }
}

/** `<symbol>@bookTicker`: the best bid and ask, whenever one of them changes. */
export class BookTickerStream extends Stream {
  private sequence = -1;
  private sent = '';

  constructor(
    name: string,
    override readonly market: Market,
  ) {
    super(name, market, REAL_TIME);
    this.take();
  }

  take(): readonly string[] {
    const { market } = this;
    if (market.bookSequence === this.sequence) return NO_MESSAGES;
    this.sequence = market.bookSequence;
    const best = this.best();
    if (best === this.sent) return NO_MESSAGES;
    this.sent = best;
    return [this.current()];
  }

  override current(): string {
    const { market } = this;
    return `{"u":${market.bookSequence},"s":"${toSymbol(market)}",${this.best()}}`;
  }

  private best(): string {
    const [bid, ask] = [bestTexts(this.market, Side.buy), bestTexts(this.market, Side.sell)];
    return `"b":"${bid.price}","B":"${bid.amount}","a":"${ask.price}","A":"${ask.amount}"`;
  }
}
