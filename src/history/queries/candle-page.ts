import { DAY_MS } from '../../config/durations.ts';
import type { Candle } from '../tables/candles.ts';
import type { CandleQueries } from './candle-queries.ts';

const WEEK_MS = 7 * DAY_MS;
/** Weeks start on Monday; 1970 started on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

export interface CandleFilter {
  readonly market: number;
  /** Width of a candle, milliseconds: a divisor of a day, a day or a week. */
  readonly width: number;
  /** The page starts with the first candle at or after this time; without it, the page ends at `until`. */
  readonly since?: number | undefined;
  /** Latest start of a candle; at most `now`. */
  readonly until?: number | undefined;
  /** Maximum number of candles, from 1. */
  readonly limit: number;
  /** The current time, milliseconds since 1970; no candle starts later. */
  readonly now: number;
}

/** Returns the start of a time's candle, in UTC; weeks start on Monday. */
export function candleStart(time: number, width: number): number {
  const offset = width === WEEK_MS ? FIRST_MONDAY_MS : 0;
  return Math.floor((time - offset) / width) * width + offset;
}

/**
 * Returns a page of a market's candles, oldest first and without gaps, from its first trade to the present. A candle
 * without a trade is flat at the previous close.
 */
export async function candlePage(queries: CandleQueries, filter: CandleFilter): Promise<Candle[]> {
  const { market, width, since, limit, now } = filter;
  const toStart = (time: number) => candleStart(time, width);
  const firstTrade = await queries.first(market);
  if (firstTrade === undefined) return [];
  let last = toStart(Math.min(filter.until ?? Infinity, now));
  let first = toStart(firstTrade);
  if (since === undefined) first = Math.max(first, last - (limit - 1) * width);
  else {
    first = Math.max(first, toStart(since + width - 1));
    last = Math.min(last, first + (limit - 1) * width);
  }
  const traded = await queries.traded(market, width, toStart, first, last + width);
  let price = (await queries.priceBefore(market, first)) ?? 0;
  const candles: Candle[] = [];
  let next = 0;
  for (let start = first; start <= last; start += width) {
    const candle = traded[next]?.start === start ? traded[next++]! : flat(start, price);
    price = candle.close;
    candles.push(candle);
  }
  return candles;
}

function flat(start: number, price: number): Candle {
  const prices = { open: price, high: price, low: price, close: price };
  return { start, ...prices, baseVolume: 0, quoteVolume: 0, trades: 0 };
}
