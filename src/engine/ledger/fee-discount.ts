import type { Market } from '../markets/markets.ts';
import { type Exact, sum } from '../numbers/exact.ts';
import type { Account } from './accounts.ts';

/** Lowers the fees of accounts that own enough of an asset. Rebates stay as they are. */
export interface FeeDiscount {
  /** Index of the asset. */
  readonly asset: number;
  /** Minimum that an account must own, available and held, in minor units; above zero. */
  readonly minBalance: Exact;
  /** Part of the fee rate that is waived, in parts per million. */
  readonly rate: number;
}

/**
 * Returns whether an account has the discount in a market. Trades in markets of the asset itself have none, so that no
 * order changes its own fee rate.
 */
export function hasDiscount(discount: FeeDiscount, account: Account, market: Market): boolean {
  const { asset } = discount;
  if (market.base.index === asset || market.quote.index === asset) return false;
  return ownsEnough(discount, account);
}

/** Returns whether an account owns as much as a discount requires. */
export function ownsEnough({ asset, minBalance }: FeeDiscount, account: Account): boolean {
  const balance = account.balances[asset];
  return balance !== undefined && sum(balance.available, balance.held) >= minBalance;
}

/** Returns a fee rate less the discount, in whole parts per million and rounded up. */
export function discountRate(rate: number, discount: number): number {
  return rate - Math.floor((rate * discount) / 1_000_000);
}
