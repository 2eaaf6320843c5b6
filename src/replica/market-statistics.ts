import { DAY_MS, MINUTE_MS } from '../config/durations.ts';
import type { Event, TradeEvent } from '../engine/event.ts';
import { type Exact, sum } from '../engine/numbers/exact.ts';
import type { Candle } from '../history/history.ts';

/** A market's figures of the last 24 hours; prices, trade ids and the last amount are undefined if nothing traded. */
export interface DayStatistics {
  readonly open: number | undefined;
  readonly high: number | undefined;
  readonly low: number | undefined;
  readonly baseVolume: Exact;
  readonly quoteVolume: Exact;
  /** Number of trades. */
  readonly trades: number;
  readonly firstTradeId: number | undefined;
  readonly lastTradeId: number | undefined;
  readonly lastAmount: number | undefined;
  /** Price of the last trade before; undefined without one. */
  readonly previousClose: number | undefined;
  /** The time from which trades are counted, milliseconds since 1970. */
  readonly openTime: number;
}

/** The values of a minute's candle that the figures are made of. */
type Minute = Omit<Candle, 'takerBuyVolume' | 'takerBuyQuoteVolume'>;

type MutableFigures = { -readonly [Field in keyof DayStatistics]: DayStatistics[Field] };

/**
 * The rolling figures of one market. Trades leave the window of 24 hours minute by minute: those of the minute that started
 * 24 hours ago leave together.
 */
export class MarketStatistics {
  private figures: MutableFigures | undefined;
  /** The minute up to which `figures` are. */
  private minute = 0;
  /** Volumes of the last minute that are not yet in its candle and the figures. */
  private base = 0;
  private quote = 0;

  /**
   * @param minutes Candles of the last day and of the minute before it, oldest first.
   * @param previousClose Price of the last trade before them; undefined without one.
   */
  constructor(
    private readonly minutes: Minute[],
    private previousClose?: number,
  ) {}

  add(trade: TradeEvent): void {
    const { id, price, amount, cost } = trade;
    const start = toMinute(trade.time);
    const last = this.minutes.at(-1);
    if (last === undefined || last.start !== start) this.begin(start, trade);
    else {
      last.high = Math.max(last.high, price);
      last.low = Math.min(last.low, price);
      last.close = price;
      last.trades++;
      last.lastTradeId = id;
      last.lastAmount = amount;
    }
    // Only trades that leave the window require folding all candles again.
    if (this.figures !== undefined) include(this.figures, trade);
    this.addToMinute(amount, cost);
  }

  /** Returns the figures of the 24 hours before `now`. */
  at(now: number): DayStatistics {
    const minute = toMinute(now);
    this.forget(minute);
    this.settle();
    const openTime = minute - DAY_MS + MINUTE_MS;
    this.figures ??= fold(this.minutes, openTime, this.previousClose);
    return this.figures;
  }

  /**
   * Returns the figures of the trades from `openTime` on, which must be the start of a minute, at most 24 hours before
   * that of `now`.
   */
  since(openTime: number, now: number): DayStatistics {
    this.forget(toMinute(now));
    this.settle();
    return fold(this.minutes, openTime, this.previousClose);
  }

  private begin(start: number, { id, price, amount }: TradeEvent): void {
    this.settle();
    const prices = { open: price, high: price, low: price, close: price };
    const ids = { firstTradeId: id, lastTradeId: id };
    const sums = { baseVolume: 0, quoteVolume: 0, trades: 1 };
    this.minutes.push({ start, ...prices, ...sums, ...ids, lastAmount: amount });
    this.forget(start);
  }

  /** Sums in safe integers first, because every sum of bigints allocates a new one. */
  private addToMinute(amount: number, cost: Exact): void {
    if (typeof cost === 'number' && this.quote + cost <= MAX_SUM && this.base + amount <= MAX_SUM) {
      this.base += amount;
      this.quote += cost;
      return;
    }
    this.settle();
    this.addVolume(amount, cost);
  }

  private settle(): void {
    const { base, quote } = this;
    if (base === 0) return;
    this.base = 0;
    this.quote = 0;
    this.addVolume(base, quote);
  }

  private addVolume(base: number, quote: Exact): void {
    for (const sums of [this.minutes.at(-1)!, this.figures]) {
      if (sums === undefined) continue;
      sums.baseVolume = sum(sums.baseVolume, base);
      sums.quoteVolume = sum(sums.quoteVolume, quote);
    }
  }

  private forget(minute: number): void {
    if (minute <= this.minute) return;
    this.minute = minute;
    this.settle();
    this.figures = undefined;
    const oldest = minute - DAY_MS;
    let expired = 0;
    while (expired < this.minutes.length && this.minutes[expired]!.start < oldest) expired++;
    if (expired === 0) return;
    this.previousClose = this.minutes[expired - 1]!.close;
    this.minutes.splice(0, expired);
  }
}

const MAX_SUM = Number.MAX_SAFE_INTEGER;

function toMinute(time: number): number {
  return time - (time % MINUTE_MS);
}

/** The statistics of all markets, by market index. */
export class MarketStatisticsBoard {
  private readonly markets: MarketStatistics[] = [];

  /** Loads the candles of a market's last day from history, and the price of the last trade before them. */
  load(market: number, minutes: Candle[], previousClose: number | undefined): void {
    this.markets[market] = new MarketStatistics(minutes, previousClose);
  }

  get(market: number): MarketStatistics {
    this.markets[market] ??= new MarketStatistics([]);
    return this.markets[market];
  }

  note(events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind === 'trade') this.get(event.market).add(event);
    }
  }
}

function include(figures: MutableFigures, { id, price, amount }: TradeEvent): void {
  const { open, high, low } = figures;
  figures.open = open ?? price;
  figures.high = Math.max(high ?? price, price);
  figures.low = Math.min(low ?? price, price);
  figures.trades++;
  figures.firstTradeId ??= id;
  figures.lastTradeId = id;
  figures.lastAmount = amount;
}

/** @param earlierClose Price of the last trade before the candles. */
function fold(
  minutes: readonly Minute[],
  openTime: number,
  earlierClose: number | undefined,
): MutableFigures {
  const before = minutes.findLastIndex(({ start }) => start < openTime);
  let high: number | undefined;
  let low: number | undefined;
  let baseVolume: Exact = 0;
  let quoteVolume: Exact = 0;
  let trades = 0;
  for (let at = before + 1; at < minutes.length; at++) {
    const minute = minutes[at]!;
    high = high === undefined ? minute.high : Math.max(high, minute.high);
    low = low === undefined ? minute.low : Math.min(low, minute.low);
    baseVolume = sum(baseVolume, minute.baseVolume);
    quoteVolume = sum(quoteVolume, minute.quoteVolume);
    trades += minute.trades;
  }
  const first = minutes[before + 1];
  const last = first === undefined ? undefined : minutes.at(-1);
  return {
    open: first?.open,
    high,
    low,
    baseVolume,
    quoteVolume,
    trades,
    firstTradeId: first?.firstTradeId,
    lastTradeId: last?.lastTradeId,
    lastAmount: last?.lastAmount,
    previousClose: minutes[before]?.close ?? earlierClose,
    openTime,
  };
}
