import Big from 'big.js';
import { divide, ZERO } from '../decimal.ts';

/** A market that converts between its base and quote asset. */
export interface Pair {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
}

/** One conversion of a route, by the market's price or by its inverse. */
export interface Step {
  readonly symbol: string;
  readonly isInverse: boolean;
}

/** Maximum number of markets in a route. */
const MAX_STEPS = 3;
/** Decimals of values, more than are ever shown. */
const SCALE = 18;

/** Returns the quote assets of markets, those with the most markets first. */
export function quoteAssets(listed: readonly Pick<Pair, 'quote'>[]): string[] {
  const counts = new Map<string, number>();
  for (const { quote } of listed) counts.set(quote, (counts.get(quote) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([each]) => each);
}

/** Returns the shortest conversion route from `asset` to `quote`; undefined if there is none. */
export function findRoute(
  asset: string,
  quote: string,
  pairs: readonly Pair[],
): Step[] | undefined {
  let routes: { readonly at: string; readonly steps: Step[] }[] = [{ at: asset, steps: [] }];
  const seen = new Set([asset]);
  for (let length = 0; length <= MAX_STEPS; length++) {
    const found = routes.find(({ at }) => at === quote);
    if (found !== undefined) return found.steps;
    routes = routes.flatMap(({ at, steps }) =>
      pairs.flatMap(({ symbol, base, quote: pairQuote }) => {
        if (at !== base && at !== pairQuote) return [];
        const next = at === base ? pairQuote : base;
        if (seen.has(next)) return [];
        seen.add(next);
        return [{ at: next, steps: [...steps, { symbol, isInverse: at === pairQuote }] }];
      }),
    );
  }
  return undefined;
}

/** Converts an amount along a route; exact except for divisions. Returns undefined if a price is missing. */
export function convert(
  amount: Big,
  route: readonly Step[],
  findPrice: (symbol: string) => string | undefined,
): Big | undefined {
  let value = amount;
  for (const { symbol, isInverse } of route) {
    const price = new Big(findPrice(symbol) ?? 0);
    if (price.eq(0)) return undefined;
    value = isInverse ? divide(value, price, SCALE, Big.roundHalfUp) : value.times(price);
  }
  return value.round(SCALE, Big.roundHalfUp);
}

/** Returns `part` as a percentage of `whole`, with two decimals. */
export function share(part: Big, whole: Big): Big {
  return whole.eq(0) ? ZERO : divide(part.times(100), whole, 2, Big.roundHalfUp);
}
