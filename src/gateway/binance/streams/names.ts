import { DAY_MS, HOUR_MS } from '../../../config/durations.ts';
import { INTERVALS_MS, type Interval } from '../../../config/intervals.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { Services } from '../../services.ts';
import type { Symbols } from '../symbols.ts';
import { BookTickerStream, DepthStream, PartialDepthStream } from './book-streams.ts';
import { type HistoryTurn, KlineStream } from './kline-stream.ts';
import type { Stream } from './stream.ts';
import {
  AllTickersStream,
  AveragePriceStream,
  MINI_TICKER,
  TICKER,
  type TickerFormat,
  TickerStream,
  windowTicker,
} from './ticker-streams.ts';
import { AggregatedTradeStream, TradeStream } from './trade-streams.ts';

/** The parts of the exchange that streams are made of. */
export interface StreamSource {
  readonly services: Services;
  readonly symbols: Symbols;
  /** Returns a new turn to query history. */
  readonly createTurn: () => HistoryTurn;
}

const WINDOWS = { '1h': HOUR_MS, '4h': 4 * HOUR_MS, '1d': DAY_MS } as const;
const DEPTH = /^depth(5|10|20)?(?:@(100|1000)ms)?$/;
/** The only zone of streams but UTC; REST has others. */
const KLINE = /^kline_([^@]+)(@\+08:00)?$/;
const KLINE_ZONE_MS = 8 * HOUR_MS;
const WINDOW = /^ticker_(1h|4h|1d)$/;
const SLOW_MS = 1000;

/**
 * Creates the stream of a name (web-socket-streams.md, "Detailed Stream information"). Returns undefined if there is none: symbols
 * are in lower case, everything else is as documented.
 */
export function createStream(name: string, source: StreamSource): Stream | undefined {
  const at = name.indexOf('@');
  if (name.startsWith('!')) return createForAll(name, name.slice(1, at), source);
  const symbol = name.slice(0, Math.max(at, 0));
  if (symbol !== symbol.toLowerCase()) return undefined;
  const market = source.symbols.find(symbol.toUpperCase());
  return market && createForMarket(name, market, name.slice(at + 1), source);
}

function createForAll(
  name: string,
  kind: string,
  { symbols, services }: StreamSource,
): Stream | undefined {
  const format = name.endsWith('@arr') ? findTicker(kind) : undefined;
  const isWhole = name.length === kind.length + '!@arr'.length;
  return format && isWhole ? new AllTickersStream(name, format, symbols, services) : undefined;
}

function createForMarket(
  name: string,
  market: Market,
  kind: string,
  { services, createTurn }: StreamSource,
): Stream | undefined {
  if (kind === 'trade') return new TradeStream(name, market, services);
  if (kind === 'aggTrade') return new AggregatedTradeStream(name, market, services);
  if (kind === 'bookTicker') return new BookTickerStream(name, market);
  if (kind === 'avgPrice') return new AveragePriceStream(name, market, services);
  const format = findTicker(kind);
  if (format !== undefined) return new TickerStream(name, market, format, services);
  const depth = DEPTH.exec(kind);
  if (depth !== null) {
    const [, levels, period] = depth;
    const periodMs = Number(period ?? SLOW_MS);
    return levels === undefined
      ? new DepthStream(name, market, periodMs, services)
      : new PartialDepthStream(name, market, periodMs, Number(levels));
  }
  const [, interval = '', zone] = KLINE.exec(kind) ?? [];
  if (!Object.hasOwn(INTERVALS_MS, interval)) return undefined;
  const zoneMs = zone === undefined ? 0 : KLINE_ZONE_MS;
  return new KlineStream(name, market, interval as Interval, zoneMs, services, createTurn());
}

function findTicker(kind: string): TickerFormat | undefined {
  if (kind === 'miniTicker') return MINI_TICKER;
  if (kind === 'ticker') return TICKER;
  const window = WINDOW.exec(kind)?.[1] as keyof typeof WINDOWS | undefined;
  return window && windowTicker(window, WINDOWS[window]);
}
