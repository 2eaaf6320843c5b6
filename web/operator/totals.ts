import Big from 'big.js';
import type { AssetTotals } from '../../src/client/index.ts';

/** Returns the sum of an asset's four totals, which must be zero. */
export function netTotal({ available, held, fees, external }: AssetTotals<string>): string {
  return new Big(available).plus(held).plus(fees).plus(external).toFixed();
}

/** Whether the books balance, by both this page's sum and the exchange's own report. */
export function isBalanced(totals: AssetTotals<string>): boolean {
  return totals.balances && new Big(netTotal(totals)).eq(0);
}
