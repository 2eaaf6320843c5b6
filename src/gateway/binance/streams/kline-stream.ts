import { HistoryUnavailableError, maxRowsPerCandle } from '../../../archivist/archivist.ts';
import { MINUTE_MS } from '../../../config/durations.ts';
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

/** Maximum trades collected during a query; one that takes longer is repeated. */
export const MAX_WAITING_TRADES = 10_000;

/** The turn of a stream to query history. */
export interface HistoryTurn {
  /**
   * Runs a query when the turn has come.
   * @param countRows Returns the rows that were read, for the time until the next turn.
   * @throws Error if `end` was called before, and the errors of the query
   */
  run<Result>(query: () => Promise<Result>, countRows: (result: Result) => number): Promise<Result>;
  /** Ends the wait. */
  end(): void;
}

/**
 * `<symbol>@kline_<interval>`: the current candle, read from history once and then made of the trades. Each candle is sent
 * once more when its interval has ended.
 */
export class KlineStream extends Stream {
  /** Undefined before the market's first trade. */
  private candle: Candle | undefined;
  /** The one before it, whose last trades may arrive when the clock has ended its interval. */
  private previous: Candle | undefined;
  /** Trades since the query to history, until its answer; undefined if none is running, or there were too many. */
  private waiting: TradeEvent[] | undefined;
  /** Whether the candle has been read. */
  private isStarted = false;
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
    private readonly turn: HistoryTurn,
  ) {
    super(name, market, interval === '1s' ? SECONDS_PERIOD_MS : PERIOD_MS);
    this.widthMs = INTERVALS_MS[interval];
    void this.load();
  }

  override note(event: OrderRecord | TradeEvent): void {
    if (event.kind !== 'trade') return;
    if (this.isStarted) this.add(event);
    else this.waiting?.push({ ...event });
    if ((this.waiting?.length ?? 0) > MAX_WAITING_TRADES) this.waiting = undefined;
  }

  take(): readonly string[] {
    if (this.candle === undefined) return [];
    this.endUpTo(this.toStart(this.latestTime));
    const messages = this.closed.splice(0);
    if (this.isChanged) messages.push(this.text(this.candle, false));
    this.isChanged = false;
    return messages;
  }

  override current(): string | undefined {
    const { candle } = this;
    if (candle === undefined) return undefined;
    const isEnded = candle.start < this.toStart(this.latestTime);
    return isEnded ? undefined : this.text(candle, false);
  }

  override close(): void {
    this.isClosed = true;
    this.turn.end();
  }

  /** Reads the current candle, again until that succeeds. */
  private async load(): Promise<void> {
    let isReported = false;
    while (!this.isClosed) {
      try {
        const candle = await this.turn.run(
          () => this.query(),
          (found) => this.countRows(found),
        );
        if (this.isClosed) return;
        if (this.waiting !== undefined) {
          this.start(candle, this.waiting);
          return;
        }
      } catch (error) {
        if (this.isClosed) return;
        if (!(error instanceof HistoryUnavailableError || isReported)) {
          isReported = true;
          logger.error('a candle could not be read for its stream', error);
        }
      }
      this.waiting = undefined;
      await Bun.sleep(RETRY_MS);
    }
  }

  /** Returns the rows that were read for the current candle, at most. */
  private countRows(candle: Candle | undefined): number {
    const { widthMs, zoneMs } = this;
    return widthMs < MINUTE_MS ? (candle?.trades ?? 0) : maxRowsPerCandle(widthMs, zoneMs);
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
  private start(candle: Candle | undefined, waiting: readonly TradeEvent[]): void {
    this.waiting = undefined;
    this.isStarted = true;
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
