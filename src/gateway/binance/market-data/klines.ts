import { maxRowsPerCandle } from '../../../archivist/archivist.ts';
import { MINUTE_MS, SECOND_MS } from '../../../config/durations.ts';
import { addIntervals, INTERVALS, INTERVALS_MS } from '../../../config/intervals.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { Candle } from '../../../history/history.ts';
import type { BinanceCall } from '../call.ts';
import type { BinanceEndpoint } from '../endpoint.ts';
import { BinanceError } from '../errors.ts';
import { queryHistory } from '../history-page.ts';
import { missing } from '../parameters.ts';
import { readTimeZone } from './time-zone.ts';
import { amountText, priceText, quoteText } from './units.ts';

const DEFAULT_LIMIT = 500;
const MAX_LIMIT = 1000;
/** Maximum stored candles read for a page, which take the archivist some 30 ms: 1,000 half days by the hour. */
const MAX_ROWS = 12_000;
/** The same for a time zone other than UTC, whose candles few clients ask for: a month by quarter hours. */
const MAX_ROWS_WITH_ZONE = 3000;

/** GET /api/v3/klines. */
async function getKlines(call: BinanceCall): Promise<string> {
  const { given, symbols, services, exchange } = call;
  const market = symbols.read(given);
  const interval = given.choice('interval', INTERVALS, invalidInterval);
  if (interval === undefined) throw missing('interval');
  const since = given.time('startTime');
  const until = given.time('endTime');
  const zoneMs = readTimeZone(given);
  const width = INTERVALS_MS[interval];
  const limit = Math.min(given.limit(DEFAULT_LIMIT, MAX_LIMIT), maxCandles(width, zoneMs));
  given.checkAllRead();
  const now = Math.max(services.now(), exchange.state.time);
  const filter = { market: market.index, width, zoneMs, since, until, limit, now };
  const candles = await queryHistory<Candle[]>(call, { kind: 'candles', filter });
  const texts = candles.map((candle) => {
    const end = addIntervals(candle.start, width, 1, zoneMs);
    return klineText(candle, market, end);
  });
  return `[${texts.join(',')}]`;
}

/**
 * Returns the maximum candles of a page. Long candles are made of several stored ones, those of a time zone other than UTC
 * of hours or quarter hours; a page reads a bounded number of them.
 */
function maxCandles(width: number, zoneMs: number): number {
  if (width < MINUTE_MS) return MAX_LIMIT;
  const maxRows = zoneMs === 0 ? MAX_ROWS : MAX_ROWS_WITH_ZONE;
  return Math.min(MAX_LIMIT, Math.floor(maxRows / maxRowsPerCandle(width, zoneMs)));
}

/** Returns a candle as an array. @param end The start of the next one. */
function klineText(candle: Candle, market: Market, end: number): string {
  const { open, high, low, close } = candle;
  const [o, h, l, c] = [open, high, low, close].map((units) => priceText(market, units));
  return (
    `[${candle.start},"${o}","${h}","${l}","${c}","${amountText(market, candle.baseVolume)}",` +
    `${end - 1},"${quoteText(market, candle.quoteVolume)}",${candle.trades},` +
    `"${amountText(market, candle.takerBuyVolume)}",` +
    `"${quoteText(market, candle.takerBuyQuoteVolume)}","0"]`
  );
}

const invalidInterval = (): BinanceError => new BinanceError(-1120, 'Invalid interval.');

const KLINES = {
  method: 'GET',
  access: 'public',
  showsMarkets: true,
  weight: 2,
  // A candle without a trade begins with time alone.
  version: ({ services }: BinanceCall) =>
    `${services.replica.position} ${Math.floor(services.now() / SECOND_MS)}`,
  handle: getKlines,
} as const;

export const KLINE_ENDPOINTS: readonly BinanceEndpoint[] = [
  { ...KLINES, path: '/api/v3/klines', operation: 'klines' },
  { ...KLINES, path: '/api/v3/uiKlines', operation: 'uiKlines' },
];
