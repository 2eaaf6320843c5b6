import { SECOND_MS } from '../../../config/durations.ts';
import { intervalStart } from '../../../config/intervals.ts';
import type { TradeEvent } from '../../../engine/event.ts';
import type { Candle } from '../../../history/history.ts';
import { addTrade, flatCandle } from './live-candle.ts';

/** A candle needs the current second with trades, the one before, and the one that has the price before these. */
const MAX_CANDLES = 3;

/**
 * The newest one-second candles of a market with a subscriber, made of its trades as they come. In history these candles
 * are made of trades too, and reading the trades of a second at every trade would be too much for it.
 */
export class RecentSeconds {
  /** Candles of seconds with trades, the oldest first. */
  private readonly candles: Candle[] = [];

  /**
   * @param since The time from which all trades are added, milliseconds since 1970.
   * @param price The price of the last trade before; 0 if there was none.
   */
  constructor(
    private readonly since: number,
    private readonly price: number,
  ) {}

  add(trade: TradeEvent): void {
    const { candles } = this;
    const start = intervalStart(trade.time, SECOND_MS);
    let last = candles.at(-1);
    if (last?.start !== start) {
      last = flatCandle(start, trade.price);
      candles.push(last);
      if (candles.length > MAX_CANDLES) candles.shift();
    }
    addTrade(last, trade);
  }

  /**
   * Returns the candle of the second before `time` and that of its own second, each undefined before the first trade of
   * the market. Returns undefined if one of them has trades that were not added.
   */
  at(time: number): [previous: Candle | undefined, last: Candle | undefined] | undefined {
    const start = intervalStart(time, SECOND_MS);
    if (start - SECOND_MS < this.since) return undefined;
    return [this.candle(start - SECOND_MS), this.candle(start)];
  }

  private candle(start: number): Candle | undefined {
    const last = this.candles.findLast((candle) => candle.start <= start);
    if (last?.start === start) return { ...last };
    const price = last?.close ?? this.price;
    return price === 0 ? undefined : flatCandle(start, price);
  }
}
