import {
  AGG_TRADE_COLUMNS,
  AGG_TRADES_HEADER,
  aggTradesParser,
  KLINE_COLUMNS,
  KLINES_HEADER,
  klinesParser,
} from './binance-formats.ts';
import { bitstampParser } from './bitstamp-format.ts';
import {
  L2_HEADER,
  L3_HEADER,
  l2Parser,
  l3Parser,
  type RowParser,
  TRADES_HEADER,
  TRADES_HEADER_WITHOUT_SIDE,
  tradesParser,
  tradesWithoutSideParser,
} from './csv-formats.ts';

export type FormatName = 'trades' | 'l2' | 'l3' | 'bitstamp' | 'aggTrades' | 'klines';

export interface Format {
  readonly name: FormatName;
  /** Whether the first line names the columns. */
  readonly hasHeader: boolean;
  /** Returns a parser for one file. */
  readonly parser: () => RowParser;
}

const WITH_HEADER: readonly (readonly [string, FormatName, () => RowParser])[] = [
  [TRADES_HEADER, 'trades', tradesParser],
  [TRADES_HEADER_WITHOUT_SIDE, 'trades', tradesWithoutSideParser],
  [L2_HEADER, 'l2', l2Parser],
  [L3_HEADER, 'l3', l3Parser],
  [KLINES_HEADER, 'klines', klinesParser],
  [AGG_TRADES_HEADER, 'aggTrades', aggTradesParser],
];

/** Returns the format of a file by its first line, or undefined if it is unknown. */
export function detectFormat(firstLine: string): Format | undefined {
  const line = firstLine.startsWith('\ufeff') ? firstLine.slice(1) : firstLine;
  const withHeader = WITH_HEADER.find(([header]) => header === line);
  if (withHeader !== undefined) {
    const [, name, parser] = withHeader;
    return { name, hasHeader: true, parser };
  }
  if (/^\d+ \w+ \{/.test(line)) {
    return { name: 'bitstamp', hasHeader: false, parser: bitstampParser };
  }
  const columns = line.split(',');
  if (!/^\d+$/.test(columns[0]!)) return undefined;
  if (columns.length === KLINE_COLUMNS) {
    return { name: 'klines', hasHeader: false, parser: klinesParser };
  }
  const isAggTrades = (AGG_TRADE_COLUMNS as readonly number[]).includes(columns.length);
  return isAggTrades ? { name: 'aggTrades', hasHeader: false, parser: aggTradesParser } : undefined;
}

/** The first lines by which files are recognized, for messages. */
export const KNOWN_HEADERS: readonly string[] = [
  TRADES_HEADER,
  TRADES_HEADER_WITHOUT_SIDE,
  L2_HEADER,
  L3_HEADER,
];
