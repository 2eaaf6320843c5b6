import Big from 'big.js';
import { ZERO } from '../decimal.ts';
import { convert, findRoute, type Pair } from '../portfolio/rates.ts';

interface Traded extends Pair {
  /** In its quote asset. */
  readonly quoteVolume: string;
  readonly last: string | null;
}

/** Returns the volume of all markets in one quote asset, at the last prices. Markets without a price have no volume. */
export function totalVolume(traded: readonly Traded[], quote: string): Big {
  const last = new Map(traded.map((each) => [each.symbol, each.last ?? undefined]));
  return traded.reduce((sum, each) => {
    const route = findRoute(each.quote, quote, traded);
    const value = route && convert(new Big(each.quoteVolume), route, (symbol) => last.get(symbol));
    return sum.plus(value ?? ZERO);
  }, ZERO);
}
