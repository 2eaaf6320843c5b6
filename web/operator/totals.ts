import Big from 'big.js';
import type { AssetTotals } from '../../src/client/index.ts';
import { divide } from '../decimal.ts';
import { fixed } from '../format.ts';

/** Returns the sum of an asset's four totals, which must be zero. */
export function netTotal({ available, held, fees, external }: AssetTotals<string>): string {
  return new Big(available).plus(held).plus(fees).plus(external).toFixed();
}

/** Whether the books balance, by both this page's sum and the exchange's own report. */
export function isBalanced(totals: AssetTotals<string>): boolean {
  return totals.balances && new Big(netTotal(totals)).eq(0);
}

/**
 * Returns the coins at the custodian and on their way as a percentage of what is owed. Rounded down, so that 100% never
 * hides a missing coin.
 */
export function coveredPercent({
  liabilities,
  holdings,
  inFlight,
}: Pick<AssetTotals<string>, 'liabilities' | 'holdings' | 'inFlight'>): string {
  const owed = new Big(liabilities);
  if (owed.eq(0)) return `${fixed('100', 2)}%`;
  const coins = new Big(holdings ?? 0).plus(inFlight).times(100);
  return `${fixed(divide(coins, owed, 2, Big.roundDown), 2)}%`;
}
