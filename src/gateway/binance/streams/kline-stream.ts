import { HistoryUnavailableError } from '../../../archivist/archivist.ts';
import {
  addIntervals,
  INTERVALS_MS,
  type Interval,
  intervalStart,
} from '../../../config/intervals.ts';
import type { OrderRecord, TradeEvent } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { Candle } from '../../../history/history.ts';
import * as logger from '../../../monitoring/logger.ts';
import { retry } from '../../../monitoring/retry.ts';
import type { Services } from '../../services.ts';
import { addTrade, flatCandle } from '../../stream/public-channels/live-candle.ts';
import { amountText, priceText, quoteText } from '../market-data/units.ts';
import { toSymbol } from '../symbols.ts';
import { Stream } from './stream.ts';

const RETRY_MS = 1000;
const PERIOD_MS = 2000;
const SECONDS_PERIOD_MS = 1000;
/** Maximum intervals without a trade that are sent one by one. A clock that was set forward leaves out the others. */
const MAX_CLOSED = 10;

/** Waits until a stream may query history. */
export type WaitForTurn = () => Promise<void>;

/**
 * `<symbol>@kline_<interval>`: the current candle, read from history once and then made of the trades. Each candle is sent
 * once more when its interval has ended.
 */
export class KlineStream extends Stream {
  /** Undefined before the market's first trade. */
  private candle: Candle | undefined;
  /** The one before it, whose last trades may arrive when the clock has ended its interval. */
  private previous: Candle | undefined;
  /** Trades since the query to history, until its answer. */
  private waiting: TradeEvent[] | undefined = [];
  private readonly closed: string[] = [];
  private isChanged = false;
  private isClosed = false;
  private readonly widthMs: number;

  constructor(
    name: string,
    override readonly market: Market,
    private readonly interval: Interval,
    /** The time by which the intervals' zone is ahead of UTC, milliseconds. */
    private readonly zoneMs: number,
    private readonly services: Services,
    waitForTurn: WaitForTurn,
  ) {
    super(name, market, interval === '1s' ? SECONDS_PERIOD_MS : PERIOD_MS);
    this.widthMs = INTERVALS_MS[interval];
    void this.load(waitForTurn);
  }

  override note(event: OrderRecord | TradeEvent): void {
    if (event.kind !== 'trade') return;
    if (this.waiting === undefined) this.add(event);
    else this.waiting.push({ ...event });
  }

  take(): readonly string[] {
    if (this.waiting !== undefined || this.candle === undefined) return [];
    this.endUpTo(this.toStart(this.latestTime));
    const messages = this.closed.splice(0);
    if (this.isChanged) messages.push(this.text(this.candle, false));
    this.isChanged = false;
    return messages;
  }

  override current(): string | undefined {
    const { candle, waiting } = this;
    if (waiting !== undefined || candle === undefined) return undefined;
    const isEnded = candle.start < this.toStart(this.latestTime);
    return isEnded ? undefined : this.text(candle, false);
  }

  override close(): void {
    this.isClosed = true;
  }

  private async load(waitForTurn: WaitForTurn): Promise<void> {
    try {
      await waitForTurn();
      if (this.isClosed) return;
      const candle = await retry(() => this.query(), {
        every: RETRY_MS,
        isTransient: (error) => error instanceof HistoryUnavailableError && !this.isClosed,
      });
      this.start(candle);
    } catch (error) {
      if (!this.isClosed) logger.error('a candle could not be read for its stream', error);
    }
  }

  private async query(): Promise<Candle | undefined> {
    const { archivist, replica } = this.services;
    const { market, widthMs: width, zoneMs } = this;
    this.waiting = [];
    const filter = { market: market.index, width, zoneMs, limit: 1, now: this.latestTime };
    const found = await archivist.query({ kind: 'candles', filter }, replica.position);
    return (found as Candle[])[0];
  }

  /** Continues from the candle that history has, with the trades that it does not include. */
  private start(candle: Candle | undefined): void {
    const waiting = this.waiting!;
    this.waiting = undefined;
    this.candle = candle && { ...candle };
    for (const trade of waiting) {
      const isNew = candle === undefined || trade.time >= candle.start;
      if (isNew && trade.id > (candle?.lastTradeId ?? 0)) this.add(trade);
    }
    this.isChanged = this.candle !== undefined;
  }

  private add(trade: TradeEvent): void {
    const start = this.toStart(trade.time);
    this.candle ??= flatCandle(start, trade.price);
    this.endUpTo(start);
    if (start === this.candle.start) {
      addTrade(this.candle, trade);
      this.isChanged = true;
    } else if (this.previous?.start === start) {
      addTrade(this.previous, trade);
      this.closed.push(this.text(this.previous, true));
      if (this.candle.trades === 0) this.candle = flatCandle(this.candle.start, trade.price);
    }
  }

  /** Ends the candles before the one that starts at `start`. */
  private endUpTo(start: number): void {
    for (let count = 0; this.candle!.start < start; count++) {
      const candle = this.candle!;
      this.closed.push(this.text(candle, true));
      this.previous = candle;
      const next = addIntervals(candle.start, this.widthMs, 1, this.zoneMs);
      this.candle = flatCandle(count < MAX_CLOSED ? next : start, candle.close);
      this.isChanged = true;
    }
  }

  private toStart(time: number): number {
    return intervalStart(time, this.widthMs, this.zoneMs);
  }

  /** The current time; the log's time if that is ahead of the clock. */
  private get latestTime(): number {
    const { now, replica } = this.services;
    return Math.max(now(), replica.exchange.state.time);
  }

  private text(candle: Candle, isEnded: boolean): string {
    const { market, interval } = this;
    const symbol = toSymbol(market);
    const end = addIntervals(candle.start, this.widthMs, 1, this.zoneMs);
    const id = (tradeId: number) => (tradeId === 0 ? -1 : tradeId);
    return (
      `{"e":"kline","E":${this.services.now()},"s":"${symbol}","k":{"t":${candle.start},` +
      `"T":${end - 1},"s":"${symbol}","i":"${interval}","f":${id(candle.firstTradeId)},` +
      `"L":${id(candle.lastTradeId)},"o":"${priceText(market, candle.open)}",` +
      `"c":"${priceText(market, candle.close)}","h":"${priceText(market, candle.high)}",` +
      `"l":"${priceText(market, candle.low)}","v":"${amountText(market, candle.baseVolume)}",` +
      `"n":${candle.trades},"x":${isEnded},"q":"${quoteText(market, candle.quoteVolume)}",` +
      `"V":"${amountText(market, candle.takerBuyVolume)}",` +
      `"Q":"${quoteText(market, candle.takerBuyQuoteVolume)}","B":"0"}}`
    );
  }
}
