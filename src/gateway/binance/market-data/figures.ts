import { DAY_MS, MINUTE_MS } from '../../../config/durations.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { sum } from '../../../engine/numbers/exact.ts';
import type { Candle } from '../../../history/history.ts';
import type { DayStatistics } from '../../../replica/market-statistics.ts';
import type { Services } from '../../services.ts';
import { amountText, averageText, percentText, priceText, quoteText } from './units.ts';

/** The figures of a market's trades in some period. */
export type Figures = Omit<DayStatistics, 'lastAmount' | 'previousClose'>;

/** The start of the minute of a time. */
export function toMinute(time: number): number {
  return time - (time % MINUTE_MS);
}

/**
 * Returns the figures of a window that ends now and begins at the start of a minute, so that it is up to a minute wider than
 * `windowMs` (rest-api.md, "Rolling window price change statistics"). Those of a day or less are in memory.
 * @param address The scope of the address that reads a longer one.
 */
export function readWindow(
  services: Services,
  { index }: Market,
  windowMs: number,
  address?: string,
): Figures | Promise<Figures> {
  const now = services.now();
  const from = toMinute(now) - windowMs;
  const statistics = services.statistics.get(index);
  if (windowMs <= DAY_MS) return statistics.since(from, now);
  const { archivist, replica } = services;
  const to = toMinute(now) - DAY_MS;
  const recent = { ...statistics.since(to, now) };
  const query = { kind: 'totalCandle', market: index, from, to } as const;
  return archivist
    .query(query, replica.position, address)
    .then((earlier) => join(earlier as Candle | undefined, recent, from));
}

function join(earlier: Candle | undefined, recent: Figures, openTime: number): Figures {
  if (earlier === undefined) return { ...recent, openTime };
  const { high = earlier.high, low = earlier.low } = recent;
  return {
    open: earlier.open,
    high: Math.max(earlier.high, high),
    low: Math.min(earlier.low, low),
    baseVolume: sum(earlier.baseVolume, recent.baseVolume),
    quoteVolume: sum(earlier.quoteVolume, recent.quoteVolume),
    trades: earlier.trades + recent.trades,
    firstTradeId: earlier.firstTradeId,
    lastTradeId: recent.lastTradeId ?? earlier.lastTradeId,
    openTime,
  };
}

/** Returns the texts of figures. A period without trades is flat at the market's price, with trade ids of -1. */
export function figureTexts(market: Market, figures: Figures) {
  const { price } = market;
  const { open = price, high = price, low = price, baseVolume, quoteVolume } = figures;
  return {
    last: priceText(market, price),
    open: priceText(market, open),
    high: priceText(market, high),
    low: priceText(market, low),
    change: priceText(market, price - open),
    percent: percentText(price - open, open),
    average: averageText(market, quoteVolume, baseVolume) ?? priceText(market, 0),
    volume: amountText(market, baseVolume),
    quoteVolume: quoteText(market, quoteVolume),
    firstId: figures.firstTradeId ?? -1,
    lastId: figures.lastTradeId ?? -1,
    count: figures.trades,
  };
}

/** The interval of average prices, as Binance has it. */
export const AVERAGE_MINUTES = 5;

/** Returns the average price of the last 5 minutes; the market's price if nothing traded in them. */
export function averagePriceText({ statistics, now }: Services, market: Market): string {
  const time = now();
  const from = toMinute(time) - (AVERAGE_MINUTES - 1) * MINUTE_MS;
  const { quoteVolume, baseVolume } = statistics.get(market.index).since(from, time);
  return averageText(market, quoteVolume, baseVolume) ?? priceText(market, market.price);
}
