import Big from 'big.js';
import { ZERO } from '../decimal.ts';
import { convert, findRoute, type Pair } from '../portfolio/rates.ts';

interface Traded extends Pair {
  /** In its quote asset. */
  readonly quoteVolume: string;
  readonly last: string | null;
}

/** Returns the volume of each market in one quote asset, at the last prices; zero if no market gives a price. */
export function volumesIn(traded: readonly Traded[], quote: string): ReadonlyMap<string, Big> {
  const last = new Map(traded.map((each) => [each.symbol, each.last ?? undefined]));
  const quotes = new Set(traded.map((each) => each.quote));
  const routes = new Map([...quotes].map((each) => [each, findRoute(each, quote, traded)]));
  return new Map(
    traded.map((each) => {
      const route = routes.get(each.quote);
      const value =
        route && convert(new Big(each.quoteVolume), route, (symbol) => last.get(symbol));
      return [each.symbol, value ?? ZERO];
    }),
  );
}

/** Returns the volume of all markets in one quote asset, at the last prices. Markets without a price have no volume. */
export function totalVolume(traded: readonly Traded[], quote: string): Big {
  return [...volumesIn(traded, quote).values()].reduce((sum, each) => sum.plus(each), ZERO);
}
