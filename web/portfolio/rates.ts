import { type Decimal, divide, exact, isZero, multiply, ONE, rounded } from '../decimal.ts';

/** A market that one asset can be turned into another by. */
export interface Pair {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
}

/** One market on the way from an asset to another: its price, or one by it. */
export interface Step {
  readonly symbol: string;
  readonly isInverse: boolean;
}

/** By how many markets a value may go. */
const MAX_STEPS = 3;
/** Decimals of values: finer than any that are shown. */
const SCALE = 18;

/** The shortest way from `asset` to `quote`; undefined where no markets join them. */
export function findRoute(
  asset: string,
  quote: string,
  pairs: readonly Pair[],
): Step[] | undefined {
  let ways: { readonly at: string; readonly steps: Step[] }[] = [{ at: asset, steps: [] }];
  const seen = new Set([asset]);
  for (let length = 0; length <= MAX_STEPS; length++) {
    const found = ways.find(({ at }) => at === quote);
    if (found !== undefined) return found.steps;
    ways = ways.flatMap(({ at, steps }) =>
      pairs.flatMap(({ symbol, base, quote: paidIn }) => {
        if (at !== base && at !== paidIn) return [];
        const next = at === base ? paidIn : base;
        if (seen.has(next)) return [];
        seen.add(next);
        return [{ at: next, steps: [...steps, { symbol, isInverse: at === paidIn }] }];
      }),
    );
  }
  return undefined;
}

/** The value of an amount, exact but for divisions, by prices of markets; undefined where one is missing. */
export function convert(
  amount: Decimal,
  way: readonly Step[],
  priceOf: (symbol: string) => string | undefined,
): Decimal | undefined {
  let value = amount;
  for (const { symbol, isInverse } of way) {
    const price = exact(priceOf(symbol) ?? '0');
    if (isZero(price)) return undefined;
    value = isInverse ? divide(value, price, SCALE, 'half') : multiply(value, price);
  }
  return rounded(value, SCALE, 'half');
}

/** `part` of `whole` in percent, two decimals. */
export function share(part: Decimal, whole: Decimal): Decimal {
  if (isZero(whole)) return { units: 0n, scale: 2 };
  return divide(multiply(part, { ...ONE, units: 100n }), whole, 2, 'half');
}
