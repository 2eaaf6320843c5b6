import { HistoryUnavailableError } from '../../archivist/archivist.ts';
import type { OrderRecord, TradeEvent } from '../../engine/event.ts';
import type { Market } from '../../engine/markets/markets.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { isStop } from '../../engine/orders/order-terms.ts';
import { NONE, OrderStatus, Side, sides } from '../../engine/terms.ts';
import type { Candle } from '../../history/history.ts';
import { candleText } from '../endpoints/candles.ts';
import { priceText, timeText } from '../endpoints/records.ts';
import { INTERVALS_MS } from '../http/query.ts';
import type { Services } from '../services.ts';
import type { ResumingSubscription } from './backfill.ts';
import { BookChanges } from './book-changes.ts';
import type { Outbox } from './outbox.ts';
import type { ReplayBuffer } from './replay-buffer.ts';
import type { MarketChannel } from './request.ts';
import type { Socket } from './streams.ts';

/** How long a candle waits that history cannot tell now. */
const RETRY_MS = 1000;

/** Resolves once it is a subscription's turn to ask history a question. */
export type Turn = () => Promise<void>;

/** One channel of one market: each of its messages is made once for all who subscribe to it. */
export class Topic {
  readonly sockets = new Set<Socket>();
  /** Of sockets that are told first what they missed or what there is: what is said meanwhile. */
  readonly gathering = new Map<Socket, ReplayBuffer>();
  /** Those of them that wait for history. */
  readonly returning = new Map<Socket, ResumingSubscription>();
  readonly book: BookChanges;
  /** The fields that name the topic in every message, as JSON. */
  readonly head: string;
  private trades: string[] = [];
  private lastTradeId: number;
  /** Of the last trade that was sent. */
  sentTradeId: number;
  private isStale = false;
  private isAsking = false;
  private isClosed = false;
  /** Of the clock, as it was last looked at. */
  private period: number;
  /** The last candle that was told. */
  private sentCandle: { readonly start: number | undefined; readonly text: string } | undefined;

  constructor(
    readonly name: string,
    readonly channel: MarketChannel,
    readonly market: Market,
    private readonly interval: keyof typeof INTERVALS_MS | undefined,
    private readonly services: Services,
    readonly outbox: Outbox,
    /** Called if the latest value cannot be made and asking again would not help. */
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.book = new BookChanges(market, market.bookSequence);
    this.period = Math.floor(services.now() / INTERVALS_MS[interval ?? '1m']);
    this.lastTradeId = services.replica.exchange.state.nextTradeId - 1;
    this.sentTradeId = this.lastTradeId;
    const ofInterval = interval === undefined ? '' : `,"interval":"${interval}"`;
    this.head = `"channel":"${channel}","symbol":"${market.symbol}"${ofInterval}`;
  }

  /** Takes what happened in this market. */
  note(event: OrderRecord | TradeEvent): void {
    if (this.channel === 'orderbook') {
      if (event.kind === 'order') this.noteOrder(event);
      else this.book.touch(event.takerSide === Side.buy ? Side.sell : Side.buy, event.price);
    } else if (event.kind === 'trade' && this.channel === 'trades') {
      const { symbol, rules } = this.market;
      this.lastTradeId = event.id;
      this.trades.push(
        `{"id":"${event.id}","symbol":"${symbol}","side":"${sides[event.takerSide]}",` +
          `"price":${formatUnits(event.price, rules.priceDecimals)},` +
          `"amount":${formatUnits(event.amount, rules.amountDecimals)},` +
          `"timestamp":${timeText(event.time)}}`,
      );
    } else if (event.kind === 'trade') this.isStale = true;
  }

  /**
   * Only an order that rests is in a level: the prices of those that wait for a trigger, or took what
   * they could, are nobody else's business. One that has left a level is known by that (`vacate`).
   */
  private noteOrder({ id, status, type, side, price }: OrderRecord): void {
    if (status !== OrderStatus.open) return;
    const { state } = this.services.replica.exchange;
    if (isStop(type)) {
      const slot = state.index.find(id);
      if (slot === NONE || state.details.isPending(slot)) return;
    }
    this.book.touch(side, price);
  }

  /** An order has left the level at `price` of this book without being filled. */
  vacate(side: Side, price: number): void {
    this.book.touch(side, price);
  }

  /** What changes as time passes, though nobody trades: candles, and figures of the last 24 hours. */
  passTime(): void {
    if (this.isClosed || (this.channel !== 'prices' && this.channel !== 'candles')) return;
    const period = Math.floor(this.services.now() / INTERVALS_MS[this.interval ?? '1m']);
    if (period === this.period) return;
    this.period = period;
    this.isStale = true;
    this.update(() => {});
  }

  /**
   * Says that there was no trade up to one that this node has applied: another node has told of it, and who
   * comes from there must not go back. All that was noted must have been sent.
   */
  advance(tradeId: number): void {
    if (tradeId <= this.lastTradeId) return;
    this.lastTradeId = tradeId;
    this.sendTrades();
  }

  /** Sends nothing from now on, and asks history for nothing more. */
  close(): void {
    this.isClosed = true;
    this.outbox.close();
  }

  /** What a new subscriber of any channel but the book gets first. */
  snapshot(turn: Turn): string | Promise<string> {
    return this.present('snapshot', turn);
  }

  /** What a reader gets who missed some updates: nothing of trades, whose numbers show the gap. */
  latest(turn: Turn): string | Promise<string> | undefined {
    return this.channel === 'prices' || this.channel === 'candles'
      ? this.present('update', turn)
      : undefined;
  }

  /**
   * Sends what is new since it was last called, if anything is.
   * @param renew More of the book changed than goes into an update: all get a snapshot.
   */
  update(renew: () => void): void {
    if (this.channel === 'orderbook') {
      if (this.book.isTooMuch) {
        this.book.skip();
        this.outbox.drop();
        renew();
        return;
      }
      const changes = this.book.take();
      if (changes !== undefined) this.send(changes);
    } else if (this.channel === 'trades') {
      if (this.trades.length > 0) this.sendTrades();
    } else {
      if (this.channel === 'prices' && this.market.bookSequence !== this.book.sequence) {
        this.book.sequence = this.market.bookSequence;
        this.isStale = true;
      }
      if (this.isStale && !this.isAsking) void this.sendLatest();
    }
  }

  /** While a value is being asked for, those that come meanwhile are one. */
  private async sendLatest(): Promise<void> {
    this.isAsking = true;
    try {
      while (this.isStale && !this.isClosed) {
        this.isStale = false;
        if (this.channel === 'candles') await this.sendCandlesOrWait();
        else this.outbox.replaceLast(this.message('update', this.price()));
      }
    } catch (error) {
      this.onFailure(error);
    }
    this.isAsking = false;
  }

  private async sendCandlesOrWait(): Promise<void> {
    try {
      await this.sendCandles();
    } catch (error) {
      if (!(error instanceof HistoryUnavailableError)) throw error;
      this.isStale = true;
      await Bun.sleep(RETRY_MS);
    }
  }

  /** One that has ended since, with more than was told of it, is told before the one being made. */
  private async sendCandles(): Promise<void> {
    const { sentCandle } = this;
    const [before, last] = await this.lastCandles();
    const text = this.candle(last);
    this.sentCandle = { start: last?.start, text };
    const isEnd = before !== undefined && before.start === sentCandle?.start;
    if (isEnd && this.candle(before) !== sentCandle!.text) {
      this.outbox.replaceLast(this.message('update', this.candle(before)));
      this.send(text);
    } else this.outbox.replaceLast(this.message('update', text));
  }

  private sendTrades(): void {
    const previous = this.sentTradeId;
    this.sentTradeId = this.lastTradeId;
    const body = `"prevSequence":${previous},"sequence":${this.lastTradeId},"data":{"trades":[${this.trades.join(',')}]}`;
    this.trades = [];
    this.send(body);
  }

  private present(kind: 'snapshot' | 'update', turn: Turn): string | Promise<string> {
    const current = this.current(turn);
    if (typeof current === 'string') return this.message(kind, current);
    return current.then((body) => this.message(kind, body));
  }

  private send(body: string): void {
    this.outbox.push(this.message('update', body));
  }

  message(kind: 'snapshot' | 'update', body: string): string {
    return `{"op":"${kind}",${this.head},${body}}`;
  }

  private current(turn: Turn): string | Promise<string> {
    if (this.channel === 'trades') return `"sequence":${this.lastTradeId},"data":{"trades":[]}`;
    if (this.channel === 'prices') return this.price();
    return this.firstCandle(turn);
  }

  private async firstCandle(turn: Turn): Promise<string> {
    await turn();
    const [, last] = await this.lastCandles();
    const text = this.candle(last);
    this.sentCandle ??= { start: last?.start, text };
    return text;
  }

  private price(): string {
    const { market, services } = this;
    const time = services.now();
    return `"data":${priceText(market, services.statistics.of(market.index).at(time), time)}`;
  }

  private candle(candle: Candle | undefined): string {
    return `"data":${candle === undefined ? 'null' : candleText(candle, this.market)}`;
  }

  /** The one being made, and the one before it; undefined where there is none yet. */
  private async lastCandles(): Promise<[before: Candle | undefined, last: Candle | undefined]> {
    const { archivist, now, replica } = this.services;
    const terms = { since: undefined, until: undefined, limit: 2, now: now() };
    const filter = {
      market: this.market.index,
      width: INTERVALS_MS[this.interval!],
      ...terms,
    };
    const candles = (await archivist.ask(
      { kind: 'candles', filter },
      replica.position,
    )) as Candle[];
    return [candles.at(-2), candles.at(-1)];
  }
}
