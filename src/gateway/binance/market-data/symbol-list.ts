import type { Market } from '../../../engine/markets/markets.ts';
import type { BinanceCall } from '../call.ts';
import { BinanceError, invalidSymbol } from '../errors.ts';
import { illegal, type Parameters } from '../parameters.ts';

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
