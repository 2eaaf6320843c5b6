import { HistoryUnavailableError } from '../../../archivist/archivist.ts';
import { INTERVALS_MS, type Interval, intervalStart } from '../../../config/intervals.ts';
import type { OrderRecord, TradeEvent } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import type { BustedTrade } from '../../../engine/protection/trade-busts.ts';
import { oppositeSide, type Side, sides } from '../../../engine/terms.ts';
import type { Candle } from '../../../history/history.ts';
import { retry } from '../../../monitoring/retry.ts';
import { candleText } from '../../endpoints/market-data/candles.ts';
import { tradeText } from '../../endpoints/market-data/trades.ts';
import { priceText, timeText } from '../../endpoints/records.ts';
import type { Services } from '../../services.ts';
import type { ResumingSubscription } from '../replay/backfill.ts';
import type { ReplayBuffer } from '../replay/replay-buffer.ts';
import type { MarketChannel } from '../request.ts';
import { BookChanges } from './book-changes.ts';
import { isInBook } from './book-cursor.ts';
import type { BookFeed, FeedReader } from './book-feed.ts';
import { BookReader } from './book-reader.ts';
import { OrderChanges } from './order-changes.ts';
import { OrderReader } from './order-reader.ts';
import type { Outbox } from './outbox.ts';
import { Pace, type PaceMs } from './pace.ts';
import { RecentSeconds } from './recent-seconds.ts';

/** Delay before candles are queried again after history was unavailable. */
const RETRY_MS = 1000;

/** The channel and market of a topic. */
export interface TopicTerms {
  readonly channel: MarketChannel;
  readonly market: Market;
  /** Only of candles. */
  readonly interval: Interval | undefined;
  /** Interval whose changes are merged into one message; undefined if each batch is sent at once. */
  readonly everyMs: PaceMs | undefined;
}

/** Callbacks of a topic. */
export interface TopicEvents {
  /** Called if an update fails in a way that retrying would not fix. */
  onFailure(error: unknown): void;
  /** Called for a book with too many changes for an update. */
  resendBook(): void;
}

/** Waits for a subscription's turn to query history. */
export type WaitForTurn = () => Promise<void>;

/**
 * One channel of one market. Each message is built once for all subscribers.
 * @typeParam Socket Used only as a key. A type parameter avoids an import cycle: sockets refer to their topics.
 */
export class Topic<Socket = unknown> {
  readonly sockets = new Set<Socket>();
  /** Live messages for sockets that are waiting for their snapshot or backfill. */
  readonly replayBuffers = new Map<Socket, ReplayBuffer>();
  /** Subscriptions that are waiting for history, by socket. */
  readonly resuming = new Map<Socket, ResumingSubscription>();
  readonly book: BookChanges;
  /** Undefined unless the channel is `level3`. */
  readonly orders: OrderChanges | undefined;
  readonly channel: MarketChannel;
  readonly market: Market;
  readonly interval: Interval | undefined;
  /** Undefined unless the changes of an interval are merged. */
  private readonly pace: Pace | undefined;
  /** The fields that identify the topic in every message, as JSON. */
  readonly head: string;
  /** Undefined unless the topic has candles of one second. */
  private readonly seconds: RecentSeconds | undefined;
  private trades: string[] = [];
  /** Trades that were busted since the last message. */
  private busts: string[] = [];
  private lastTradeId: number;
  /** The id of the last trade that was sent. */
  sentTradeId: number;
  private isStale = false;
  private isSendingLatest = false;
  private isClosed = false;
  /** Index of the current period: a candle's interval, or a minute for the 24 h figures. */
  private period: number;
  /** Start of the last candle that was sent. */
  private sentStart: number | undefined;

  constructor(
    readonly name: string,
    { channel, market, interval, everyMs }: TopicTerms,
    private readonly services: Services,
    readonly outbox: Outbox,
    private readonly events: TopicEvents,
  ) {
    const { state } = services.replica.exchange;
    this.channel = channel;
    this.market = market;
    this.interval = interval;
    if (everyMs !== undefined) this.pace = new Pace(Number(everyMs), () => this.updateNow());
    this.book = new BookChanges(market, market.bookSequence);
    this.orders =
      channel === 'level3' ? new OrderChanges(state, market, services.publicOrderIds) : undefined;
    this.period = this.currentPeriod();
    this.seconds =
      interval === '1s' ? new RecentSeconds(this.latestTime + 1, market.lastPrice) : undefined;
    this.lastTradeId = state.nextTradeId - 1;
    this.sentTradeId = this.lastTradeId;
    const intervalField = interval === undefined ? '' : `,"interval":"${interval}"`;
    const paceField = everyMs === undefined ? '' : `,"everyMs":${everyMs}`;
    this.head = `"channel":"${channel}","symbol":"${market.symbol}"${intervalField}${paceField}`;
  }

  /** Whether the channel is a book, which a socket gets in parts. */
  get isBook(): boolean {
    return this.channel === 'orderbook' || this.channel === 'level3';
  }

  /** Whether the changes of an interval are merged. */
  get isPaced(): boolean {
    return this.pace !== undefined;
  }

  /** Returns a reader that brings a socket to the current state of the book. */
  newReader(isCaughtUp: boolean): FeedReader {
    return this.orders === undefined
      ? new BookReader(this.book, isCaughtUp)
      : new OrderReader(this.orders, isCaughtUp);
  }

  /** Collects an event of this market for the next `update`. */
  note(event: OrderRecord | TradeEvent): void {
    if (this.orders !== undefined) {
      if (event.kind === 'trade') this.orders.touch(event.makerOrderId);
      else if (this.isInBook(event)) this.orders.touch(event.id);
    } else if (this.channel === 'orderbook') {
      if (event.kind === 'order') this.noteOrder(event);
      else this.book.touch(oppositeSide(event.takerSide), event.price);
    } else if (event.kind === 'trade' && this.channel === 'trades') {
      const { symbol, rules } = this.market;
      this.lastTradeId = event.id;
      this.trades.push(
        `{"id":"${event.id}","symbol":"${symbol}","side":"${sides[event.takerSide]}",` +
          `"price":${formatUnits(event.price, rules.priceDecimals)},` +
          `"amount":${formatUnits(event.amount, rules.amountDecimals)},` +
          `"timestamp":${timeText(event.time)}}`,
      );
    } else if (event.kind === 'trade') {
      this.seconds?.add(event);
      this.isStale = true;
    }
  }

  /**
   * Touches the level of a resting order. Orders that leave a level are noted by `noteFreed`.
   */
  private noteOrder(order: OrderRecord): void {
    if (this.isInBook(order)) this.book.touch(order.side, order.price);
  }

  private isInBook(order: OrderRecord): boolean {
    return isInBook(order, this.services.replica.exchange.state);
  }

  /** Notes that an order left the level at `price` without being filled. */
  noteFreed(side: Side, price: number): void {
    this.book.touch(side, price);
  }

  /** Collects a trade of this market that was busted. */
  noteBust({ id: tradeId, takerSide: side, ...trade }: BustedTrade): void {
    if (this.channel !== 'trades') return;
    this.busts.push(tradeText({ ...trade, tradeId, side }, this.market));
  }

  /** Notes that the status of the market or its auction may have changed. */
  noteStatus(): void {
    if (this.channel === 'prices') this.isStale = true;
  }

  /** Updates candles and 24 h figures if a period has ended, even without a trade. */
  advanceTime(): void {
    if (this.isClosed || (this.channel !== 'prices' && this.channel !== 'candles')) return;
    const period = this.currentPeriod();
    if (period === this.period) return;
    this.period = period;
    this.isStale = true;
    this.update();
  }

  /**
   * Moves to a trade id that this node has applied, with an empty update. Needed because another node has
   * delivered that sequence, and a client that reconnects to this one must not receive an older sequence.
   * Must be called after `update`.
   */
  advanceTo(tradeId: number): void {
    if (tradeId <= this.lastTradeId) return;
    this.lastTradeId = tradeId;
    this.sendTrades();
  }

  /** Stops sending messages and querying history. */
  close(): void {
    this.isClosed = true;
    this.pace?.stop();
    this.outbox.close();
  }

  /** Returns the first message of a new subscription to any channel except books. */
  snapshot(waitForTurn: WaitForTurn): string | Promise<string> {
    return this.currentMessage('snapshot', waitForTurn);
  }

  /** Returns the current value for a socket that has caught up; undefined for `trades`, whose sequences show the gap. */
  latest(waitForTurn: WaitForTurn): string | Promise<string> | undefined {
    return this.channel === 'prices' || this.channel === 'candles'
      ? this.currentMessage('update', waitForTurn)
      : undefined;
  }

  /** Sends all changes since the last update, now or when the interval ends. */
  update(): void {
    if (this.pace === undefined) this.updateNow();
    else if (this.hasChanges) this.pace.request();
  }

  /** Whether there is something to send: without it, no interval begins. */
  private get hasChanges(): boolean {
    if (this.channel === 'trades') return this.trades.length > 0 || this.busts.length > 0;
    if (this.isStale) return true;
    return this.channel !== 'candles' && this.market.bookSequence !== this.book.sequence;
  }

  /** Sends the changes that wait for the end of an interval. Snapshots of books, and backfills, come after them. */
  flushPace(): void {
    this.pace?.flush();
  }

  private updateNow(): void {
    if (this.isBook) this.updateBook(this.orders ?? this.book);
    else if (!this.hasChanges) return;
    else if (this.channel === 'trades') this.sendTrades();
    else {
      this.book.sequence = this.market.bookSequence;
      this.isStale = true;
      if (!this.isSendingLatest) void this.sendLatest();
    }
  }

  private updateBook(book: BookFeed): void {
    if (book.isTooLargeForUpdate) {
      book.skip();
      this.outbox.drop();
      this.events.resendBook();
      return;
    }
    const changes = book.take();
    if (changes !== undefined) this.send(changes);
  }

  /** Sends the latest value. Changes during a query to history are merged into one update. */
  private async sendLatest(): Promise<void> {
    this.isSendingLatest = true;
    try {
      do {
        this.isStale = false;
        if (this.channel === 'candles') await this.sendCandlesOrWait();
        else this.outbox.replaceLast(this.message('update', this.price()));
      } while (this.isStale && !this.isClosed && this.pace === undefined);
    } catch (error) {
      this.events.onFailure(error);
    }
    this.isSendingLatest = false;
    if (this.isStale && !this.isClosed) this.pace?.request();
  }

  private sendCandlesOrWait(): Promise<void> {
    const send = async () => {
      this.isStale = false;
      if (!this.isClosed) await this.sendCandles();
    };
    return retry(send, {
      every: RETRY_MS,
      isTransient: (error) => error instanceof HistoryUnavailableError,
    });
  }

  /** Sends the current candle, after the closed one if that was the current one before. */
  private async sendCandles(): Promise<void> {
    const { sentStart } = this;
    const [previous, last] = await this.lastCandles();
    const text = this.candle(last, false);
    this.sentStart = last?.start;
    if (previous !== undefined && previous.start === sentStart) {
      this.outbox.replaceLast(this.message('update', this.candle(previous, true)));
      this.send(text);
    } else this.outbox.replaceLast(this.message('update', text));
  }

  private sendTrades(): void {
    const sequences = `"prevSequence":${this.sentTradeId},"sequence":${this.lastTradeId}`;
    const busts = this.busts.length === 0 ? '' : `,"busts":[${this.busts.join(',')}]`;
    const body = `${sequences},"data":{"trades":[${this.trades.join(',')}]${busts}}`;
    this.sentTradeId = this.lastTradeId;
    this.trades = [];
    this.busts = [];
    this.send(body);
  }

  private currentMessage(
    kind: 'snapshot' | 'update',
    waitForTurn: WaitForTurn,
  ): string | Promise<string> {
    const current = this.current(waitForTurn);
    if (typeof current === 'string') return this.message(kind, current);
    return current.then((body) => this.message(kind, body));
  }

  private send(body: string): void {
    this.outbox.push(this.message('update', body));
  }

  message(kind: 'snapshot' | 'update', body: string): string {
    return `{"op":"${kind}",${this.head},${body}}`;
  }

  private current(waitForTurn: WaitForTurn): string | Promise<string> {
    if (this.channel === 'trades') return `"sequence":${this.lastTradeId},"data":{"trades":[]}`;
    if (this.channel === 'prices') return this.price();
    return this.firstCandle(waitForTurn);
  }

  private async firstCandle(waitForTurn: WaitForTurn): Promise<string> {
    await waitForTurn();
    const [, last] = await this.lastCandles();
    this.sentStart ??= last?.start;
    return this.candle(last, false);
  }

  private price(): string {
    const { market, services } = this;
    const time = services.now();
    const { auctions } = services.replica.exchange.state.parts;
    const day = services.statistics.get(market.index).at(time);
    return `"data":${priceText(market, day, time, auctions)}`;
  }

  private candle(candle: Candle | undefined, isClosed: boolean): string {
    return `"data":${candle === undefined ? 'null' : candleText(candle, this.market, isClosed)}`;
  }

  /** Returns the current candle and the one before it; undefined if there is none yet. */
  private async lastCandles(): Promise<[previous: Candle | undefined, last: Candle | undefined]> {
    const now = this.latestTime;
    const recent = this.seconds?.at(now);
    if (recent !== undefined) return recent;
    const { archivist, replica } = this.services;
    const filter = {
      market: this.market.index,
      width: INTERVALS_MS[this.interval!],
      limit: 2,
      now,
    };
    const found = await archivist.query({ kind: 'candles', filter }, replica.position);
    const candles = found as Candle[];
    return [candles.at(-2), candles.at(-1)];
  }

  /** The current time; the log's time if that is ahead of the clock. */
  private get latestTime(): number {
    const { now, replica } = this.services;
    return Math.max(now(), replica.exchange.state.time);
  }

  private currentPeriod(): number {
    return intervalStart(this.services.now(), INTERVALS_MS[this.interval ?? '1m']);
  }
}
