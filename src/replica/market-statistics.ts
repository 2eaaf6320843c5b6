import type { Event, TradeEvent } from '../engine/event.ts';
import { type Exact, sum } from '../engine/exact.ts';
import type { Candle } from '../history/history.ts';

/** What a market did in the last 24 hours; undefined prices where nothing traded. */
export interface DayFigures {
  readonly open: number | undefined;
  readonly high: number | undefined;
  readonly low: number | undefined;
  readonly baseVolume: Exact;
  readonly quoteVolume: Exact;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * The rolling 24 h figures of one market, all over the same trades. Trades leave the window minute
 * by minute: those of the minute that began 24 hours ago leave together.
 */
export class MarketStatistics {
  private figures: DayFigures | undefined;

  /** @param minutes Candles of the last day, oldest first. */
  constructor(private readonly minutes: Candle[]) {}

  add(trade: TradeEvent): void {
    // Only what leaves the window needs a look at all that is in it.
    if (this.figures !== undefined) this.figures = withTrade(this.figures, trade);
    const start = trade.time - (trade.time % MINUTE_MS);
    const last = this.minutes.at(-1);
    if (last === undefined || last.start !== start) {
      this.minutes.push({
        start,
        open: trade.price,
        high: trade.price,
        low: trade.price,
        close: trade.price,
        baseVolume: trade.amount,
        quoteVolume: trade.cost,
        trades: 1,
      });
      this.forget(start);
      return;
    }
    last.high = Math.max(last.high, trade.price);
    last.low = Math.min(last.low, trade.price);
    last.close = trade.price;
    last.baseVolume = sum(last.baseVolume, trade.amount);
    last.quoteVolume = sum(last.quoteVolume, trade.cost);
    last.trades++;
  }

  /** The figures of the 24 hours before `now`. */
  at(now: number): DayFigures {
    this.forget(now - (now % MINUTE_MS));
    this.figures ??= fold(this.minutes);
    return this.figures;
  }

  private forget(minute: number): void {
    const oldest = minute - DAY_MS;
    let gone = 0;
    while (gone < this.minutes.length && this.minutes[gone]!.start <= oldest) gone++;
    if (gone === 0) return;
    this.minutes.splice(0, gone);
    this.figures = undefined;
  }
}

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

function withTrade(figures: DayFigures, { price, amount, cost }: TradeEvent): DayFigures {
  const { open, high, low, baseVolume, quoteVolume } = figures;
  return {
    open: open ?? price,
    high: Math.max(high ?? price, price),
    low: Math.min(low ?? price, price),
    baseVolume: sum(baseVolume, amount),
    quoteVolume: sum(quoteVolume, cost),
  };
}

function fold(minutes: readonly Candle[]): DayFigures {
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
