import Big from 'big.js';
import type { ApprovalPolicy, Market, Price } from '../../src/client/index.ts';
import { convert, findRoute } from '../portfolio/rates.ts';

/** The size of a credit or debit by the approval policy. */
export interface Size {
  /** Limit of the asset in the approval policy. */
  readonly limit: string | undefined;
  /** Whether the policy asks a second operator about credits and debits above their limits. */
  readonly needsApproval: boolean;
  /** Whether the operator must type the amount again. */
  readonly isLarge: boolean;
}

/** Value from which amounts of assets without a limit are typed again, in the quote asset. */
const LARGE_VALUE = new Big(10_000);

/** Returns the quote asset of the most markets. */
export function findQuote(markets: readonly Pick<Market, 'quote'>[]): string {
  const counts = new Map<string, number>();
  for (const { quote } of markets) counts.set(quote, (counts.get(quote) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0] ?? '';
}

interface Rates {
  readonly markets: readonly Pick<Market, 'symbol' | 'base' | 'quote'>[];
  readonly prices: readonly Pick<Price<string>, 'symbol' | 'price'>[];
}

/** Returns the value of an amount at the last prices; undefined if a price is missing. */
export function findValue(
  amount: Big,
  asset: string,
  quote: string,
  { markets, prices }: Rates,
): Big | undefined {
  const route = findRoute(asset, quote, markets);
  const last = new Map(prices.map(({ symbol, price }) => [symbol, price]));
  return route === undefined ? undefined : convert(amount, route, (symbol) => last.get(symbol));
}

/**
 * Returns whether an amount must be typed again, or needs a second operator. The limits of the approval policy decide; an
 * asset without one is compared by value.
 */
export function assess(
  amount: Big,
  asset: string,
  value: Big | undefined,
  { actions, limits }: ApprovalPolicy<string>,
): Size {
  const limit = limits.find((each) => each.asset === asset)?.amount;
  const exceeds = limit === undefined || amount.gt(limit);
  const isWorthMuch = value === undefined || value.gte(LARGE_VALUE);
  return {
    limit,
    needsApproval: actions.includes('adjustments') && exceeds,
    isLarge: limit === undefined ? isWorthMuch : exceeds,
  };
}
