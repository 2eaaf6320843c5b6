import type { Market } from '../../../engine/markets/markets.ts';
import type { BinanceCall } from '../call.ts';
import { BinanceError, invalidSymbol } from '../errors.ts';
import { illegal, type Parameters } from '../parameters.ts';
import { TRADING_STATUSES, type TradingStatus, tradingStatus } from '../symbols.ts';

const LIST_RANGE = '^\\[("[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,}){0,1}\\]$';
const LIST = /^\["[A-Z0-9_.-]{1,50}"(,"[A-Z0-9_.-]{1,50}")*\]$/;

/**
 * Reads `symbol` or `symbols`, of which at most one is given. Returns undefined if neither is.
 * @throws BinanceError -1100, -1101, -1121, -1151
 */
export function readSymbols({ given, symbols }: BinanceCall): readonly Market[] | undefined {
  const market = symbols.readOptional(given);
  const names = readList(given);
  if (names === undefined) return market === undefined ? undefined : [market];
  if (market !== undefined) {
    throw new BinanceError(-1128, 'Combination of optional parameters invalid.');
  }
  if (new Set(names).size < names.length) {
    throw new BinanceError(-1151, 'Symbol is present multiple times in the list.');
  }
  return names.map((name) => {
    const found = symbols.find(name);
    if (found === undefined) throw invalidSymbol();
    return found;
  });
}

/** The markets that a request asks for. */
export interface Selection {
  readonly markets: readonly Market[];
  /** Whether the response is one object, not an array. */
  readonly isSingle: boolean;
}

/**
 * Reads the markets that a request names, all of them by default, and leaves out those that do not have its `symbolStatus`.
 * @throws BinanceError as `readSymbols`, -1122 and -1220
 */
export function readMarkets(call: BinanceCall): Selection {
  const named = readSymbols(call);
  const isSingle = call.given.has('symbol');
  const status = readStatus(call.given);
  const markets = named ?? call.symbols.all;
  if (status === undefined) return { markets, isSingle };
  if (isSingle) checkStatus(markets[0]!, status);
  return { markets: markets.filter((market) => tradingStatus(market) === status), isSingle };
}

/** @throws BinanceError -1122 */
export function readStatus(given: Parameters): TradingStatus | undefined {
  return given.choice(
    'symbolStatus',
    TRADING_STATUSES,
    () => new BinanceError(-1122, 'Invalid symbolStatus.'),
  );
}

/** @throws BinanceError -1220 if the market has another status */
export function checkStatus(market: Market, status: TradingStatus | undefined): void {
  if (status === undefined || tradingStatus(market) === status) return;
  const message = "The symbol's status does not match the requested symbolStatus.";
  throw new BinanceError(-1220, message);
}

/** Returns the texts of markets: an object for one symbol, else an array. */
export function selectionText(
  { markets, isSingle }: Selection,
  format: (market: Market, index: number) => string,
): string {
  const texts = markets.map(format);
  return isSingle ? texts[0]! : `[${texts.join(',')}]`;
}

/** Returns the number of symbols that a request names, for its weight; undefined if it names none. */
export function countSymbols(given: Parameters): number | undefined {
  if (given.has('symbol')) return 1;
  return readList(given)?.length;
}

/** Reads `symbols`, a JSON list: some clients send blanks in it. */
function readList(given: Parameters): string[] | undefined {
  const text = given.text('symbols')?.replaceAll(' ', '');
  if (text === undefined) return undefined;
  if (!LIST.test(text)) throw illegal('symbols', LIST_RANGE);
  return JSON.parse(text) as string[];
}
