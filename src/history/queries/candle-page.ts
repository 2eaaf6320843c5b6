import { SECOND_MS } from '../../config/durations.ts';
import { addIntervals, firstIntervalFrom, intervalStart } from '../../config/intervals.ts';
import { type Candle, flatCandle } from '../tables/candles.ts';

export interface CandleFilter {
  readonly market: number;
  /** Width of a candle, one of `INTERVALS_MS`. */
  readonly width: number;
  /** The time by which the zone of the intervals is ahead of UTC, milliseconds: whole minutes. */
  readonly zoneMs?: number | undefined;
  /** The page starts with the first candle at or after this time; without it, the page ends at `until`. */
  readonly since?: number | undefined;
  /** Latest start of a candle; at most `now`. */
  readonly until?: number | undefined;
  /** Maximum number of candles, from 1. */
  readonly limit: number;
  /** The current time, milliseconds since 1970; no candle starts later. */
  readonly now: number;
}

/** Candles of the intervals in which there were trades, oldest first. */
export interface TradedCandles {
  readonly candles: Candle[];
  /** The starts of the first and the last interval that they cover. */
  readonly first: number;
  readonly last: number;
}

/** The source of a market's candles of one width. */
export interface CandleSource {
  /** Returns a time in the interval of the market's first trade. */
  first(market: number): Promise<number | undefined>;
  /**
   * Returns the candles that start from `first` to `last`, or fewer: then those at the start of the range if `fromStart`,
   * else those at its end.
   */
  read(
    filter: CandleFilter,
    first: number,
    last: number,
    fromStart: boolean,
  ): Promise<TradedCandles>;
  /** Returns the price of a market's last trade before the start of an interval. */
  priceBefore(market: number, time: number): Promise<number | undefined>;
}

/**
 * Returns a page of a market's candles, oldest first and without gaps, from its first trade to the present. A candle
 * without a trade is flat at the previous close.
 */
export async function candlePage(source: CandleSource, filter: CandleFilter): Promise<Candle[]> {
  const { market, width, zoneMs, since, until, limit, now } = filter;
  const firstTrade = await source.first(market);
  if (firstTrade === undefined) return [];
  let last = intervalStart(Math.min(until ?? Infinity, now), width, zoneMs);
  let first = intervalStart(firstTrade, width, zoneMs);
  if (since === undefined) first = Math.max(first, addIntervals(last, width, 1 - limit, zoneMs));
  else {
    first = Math.max(first, firstIntervalFrom(since, width, zoneMs));
    last = Math.min(last, addIntervals(first, width, limit - 1, zoneMs));
  }
  if (first > last) return [];
  const traded = await source.read(filter, first, last, since !== undefined);
  let price = (await source.priceBefore(market, traded.first)) ?? 0;
  const candles: Candle[] = [];
  let next = 0;
  for (let start = traded.first; start <= traded.last; ) {
    const isTraded = traded.candles[next]?.start === start;
    const candle = isTraded ? traded.candles[next++]! : flatCandle(start, price);
    price = candle.close;
    candles.push(candle);
    start = addIntervals(start, width, 1, zoneMs);
  }
  return candles;
}

/** Returns whether candles of a width are made of trades, because history stores none that are narrow enough. */
export function isMadeOfTrades(width: number): boolean {
  return width <= SECOND_MS;
}
