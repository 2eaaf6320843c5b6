import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../config/durations.ts';
import { intervalStart } from '../../../config/intervals.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { Side } from '../../../engine/terms.ts';
import type { BinanceCall } from '../call.ts';
import { type BinanceEndpoint, byTime } from '../endpoint.ts';
import { BinanceError } from '../errors.ts';
import { illegalData, missing, type Parameters } from '../parameters.ts';
import { toSymbol } from '../symbols.ts';
import { type Figures, figureTexts, readWindow } from './figures.ts';
import { countSymbols, readMarkets, type Selection, selectionText } from './symbol-list.ts';
import { readTimeZone } from './time-zone.ts';
import { amountText, bestTexts, priceText } from './units.ts';

const TYPES = ['FULL', 'MINI'] as const;
type Type = (typeof TYPES)[number];
const MAX_SYMBOLS = 100;
const WINDOW = /^(?:([1-9]|[1-5]\d)m|([1-9]|1\d|2[0-3])h|([1-7])d)$/;

/** GET /api/v3/ticker/24hr. */
function getDayTickers(call: BinanceCall): string {
  const { given, services } = call;
  const selection = readMarkets(call);
  const type = readType(given);
  given.checkAllRead();
  const now = services.now();
  return selectionText(selection, (market) => {
    const figures = services.statistics.get(market.index).at(now);
    if (type === 'MINI') return tickerText(market, figures, now, type);
    const [bid, ask] = [bestTexts(market, Side.buy), bestTexts(market, Side.sell)];
    const further =
      `"prevClosePrice":"${priceText(market, figures.previousClose ?? market.price)}",` +
      `"lastQty":"${amountText(market, figures.lastAmount ?? 0)}",` +
      `"bidPrice":"${bid.price}","bidQty":"${bid.amount}",` +
      `"askPrice":"${ask.price}","askQty":"${ask.amount}",`;
    return tickerText(market, figures, now, type, further);
  });
}

/** GET /api/v3/ticker/tradingDay. */
function getTradingDayTickers(call: BinanceCall): string {
  const { given, services } = call;
  const selection = readNamedMarkets(call);
  const type = readType(given);
  const zoneMs = readTimeZone(given);
  given.checkAllRead();
  const now = services.now();
  const openTime = intervalStart(now, DAY_MS, zoneMs);
  return selectionText(selection, (market) => {
    const figures = services.statistics.get(market.index).since(openTime, now);
    return tickerText(market, figures, openTime + DAY_MS - 1, type);
  });
}

/** GET /api/v3/ticker. */
async function getWindowTickers(call: BinanceCall): Promise<string> {
  const { given, services, scope } = call;
  const selection = readNamedMarkets(call);
  const type = readType(given);
  const windowMs = readWindowSize(given);
  given.checkAllRead();
  const now = services.now();
  const reading = selection.markets.map((market) => readWindow(services, market, windowMs, scope));
  const figures = await Promise.all(reading);
  return selectionText(selection, (market, index) =>
    tickerText(market, figures[index]!, now, type),
  );
}

/** @param further Further fields, after the average price. */
function tickerText(
  market: Market,
  figures: Figures,
  closeTime: number,
  type: Type,
  further = '',
): string {
  const texts = figureTexts(market, figures);
  const head = `{"symbol":"${toSymbol(market)}",`;
  const prices = `"openPrice":"${texts.open}","highPrice":"${texts.high}","lowPrice":"${texts.low}",`;
  const last = `"lastPrice":"${texts.last}",`;
  const end =
    `"volume":"${texts.volume}","quoteVolume":"${texts.quoteVolume}",` +
    `"openTime":${figures.openTime},"closeTime":${closeTime},` +
    `"firstId":${texts.firstId},"lastId":${texts.lastId},"count":${texts.count}}`;
  if (type === 'MINI') return head + prices + last + end;
  const changes =
    `"priceChange":"${texts.change}","priceChangePercent":"${texts.percent}",` +
    `"weightedAvgPrice":"${texts.average}",`;
  return head + changes + further + prices + last + end;
}

const invalidType = () => new BinanceError(-1139, 'Invalid ticker type.');

function readType(given: Parameters): Type {
  return given.choice('type', TYPES, invalidType) ?? 'FULL';
}

/** Returns milliseconds; a day by default. @throws BinanceError -1130 */
function readWindowSize(given: Parameters): number {
  const text = given.text('windowSize');
  if (text === undefined) return DAY_MS;
  const match = WINDOW.exec(text);
  if (match === null) throw illegalData('windowSize');
  const [, minutes, hours, days] = match;
  if (minutes !== undefined) return Number(minutes) * MINUTE_MS;
  return hours === undefined ? Number(days) * DAY_MS : Number(hours) * HOUR_MS;
}

/** Reads `symbol` or `symbols`, one of which must be given. @throws BinanceError */
function readNamedMarkets(call: BinanceCall): Selection {
  const { given } = call;
  if (!given.has('symbol') && !given.has('symbols')) throw missing('symbol');
  const selection = readMarkets(call);
  if (selection.markets.length > MAX_SYMBOLS) throw illegalData('symbols');
  return selection;
}

/** The weight of /ticker/24hr (rest-api.md, "24hr ticker price change statistics"). */
function weighDay(given: Parameters): number {
  const count = countSymbols(given);
  if (count === undefined || count > 100) return 80;
  return count <= 20 ? 2 : 40;
}

const weighEach = (given: Parameters): number => Math.min(4 * (countSymbols(given) ?? 1), 200);

const TICKERS = {
  method: 'GET',
  access: 'public',
  showsMarkets: true,
  version: byTime,
} as const;

export const TICKER_ENDPOINTS: readonly BinanceEndpoint[] = [
  {
    ...TICKERS,
    path: '/api/v3/ticker/24hr',
    operation: 'ticker.24hr',
    weight: weighDay,
    handle: getDayTickers,
  },
  {
    ...TICKERS,
    path: '/api/v3/ticker/tradingDay',
    operation: 'ticker.tradingDay',
    weight: weighEach,
    handle: getTradingDayTickers,
  },
  {
    ...TICKERS,
    path: '/api/v3/ticker',
    operation: 'ticker',
    weight: weighEach,
    handle: getWindowTickers,
  },
];
