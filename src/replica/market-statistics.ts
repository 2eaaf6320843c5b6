import { DAY_MS, MINUTE_MS } from '../config/durations.ts';
import type { Event, TradeEvent } from '../engine/event.ts';
import { type Exact, sum } from '../engine/numbers/exact.ts';
import type { Candle } from '../history/history.ts';

/** What a market did in the last 24 hours; undefined prices where nothing traded. */
export interface DayStatistics {
  readonly open: number | undefined;
  readonly high: number | undefined;
  readonly low: number | undefined;
  readonly baseVolume: Exact;
  readonly quoteVolume: Exact;
}

type MutableFigures = { -readonly [Field in keyof DayStatistics]: DayStatistics[Field] };

/**
 * The rolling 24 h figures of one market, all over the same trades. Trades leave the window minute
 * by minute: those of the minute that began 24 hours ago leave together.
 */
export class MarketStatistics {
  private figures: MutableFigures | undefined;
  /** Volumes of the last minute that are in neither its candle nor the figures yet. */
  private base = 0;
  private quote = 0;

  /** @param minutes Candles of the last day, oldest first. */
  constructor(private readonly minutes: Candle[]) {}

  add(trade: TradeEvent): void {
    const { price, amount, cost } = trade;
    const start = trade.time - (trade.time % MINUTE_MS);
    const last = this.minutes.at(-1);
    if (last === undefined || last.start !== start) this.begin(start, price);
    else {
      last.high = Math.max(last.high, price);
      last.low = Math.min(last.low, price);
      last.close = price;
      last.trades++;
    }
    // Only what leaves the window needs a look at all that is in it.
    if (this.figures !== undefined) include(this.figures, price);
    this.gather(amount, cost);
  }

  /** The figures of the 24 hours before `now`. */
  at(now: number): DayStatistics {
    this.forget(now - (now % MINUTE_MS));
    this.settle();
    this.figures ??= fold(this.minutes);
    return this.figures;
  }

  private begin(start: number, price: number): void {
    this.settle();
    const prices = { open: price, high: price, low: price, close: price };
    this.minutes.push({ start, ...prices, baseVolume: 0, quoteVolume: 0, trades: 1 });
    this.forget(start);
  }

  /** A day's volume needs a bigint, which is made anew with every sum: most trades do without. */
  private gather(amount: number, cost: Exact): void {
    if (typeof cost === 'number' && this.quote + cost <= LARGEST && this.base + amount <= LARGEST) {
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
    const oldest = minute - DAY_MS;
    let gone = 0;
    while (gone < this.minutes.length && this.minutes[gone]!.start <= oldest) gone++;
    if (gone === 0) return;
    this.settle();
    this.minutes.splice(0, gone);
    this.figures = undefined;
  }
}

const LARGEST = Number.MAX_SAFE_INTEGER;

/** The statistics of all markets, by market index. */
export class MarketStatisticsBoard {
  private readonly markets: MarketStatistics[] = [];

  /** Puts what history holds of a market's last day. */
  load(market: number, minutes: Candle[]): void {
    this.markets[market] = new MarketStatistics(minutes);
  }

  of(market: number): MarketStatistics {
    this.markets[market] ??= new MarketStatistics([]);
    return this.markets[market];
  }

  note(events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind === 'trade') this.of(event.market).add(event);
    }
  }
}

function include(figures: MutableFigures, price: number): void {
  const { open, high, low } = figures;
  figures.open = open ?? price;
  figures.high = Math.max(high ?? price, price);
  figures.low = Math.min(low ?? price, price);
}

function fold(minutes: readonly Candle[]): MutableFigures {
  let high: number | undefined;
  let low: number | undefined;
  let baseVolume: Exact = 0;
  let quoteVolume: Exact = 0;
  for (const minute of minutes) {
    high = high === undefined ? minute.high : Math.max(high, minute.high);
    low = low === undefined ? minute.low : Math.min(low, minute.low);
    baseVolume = sum(baseVolume, minute.baseVolume);
    quoteVolume = sum(quoteVolume, minute.quoteVolume);
  }
  return { open: minutes[0]?.open, high, low, baseVolume, quoteVolume };
}
