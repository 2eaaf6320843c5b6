import type { AssetTotals } from '../../src/client/index.ts';
import { add, exact, isZero, toText, ZERO } from '../decimal.ts';

/** Returns the sum of an asset's four totals, which must be zero. */
export function netTotal({ available, held, fees, external }: AssetTotals<string>): string {
  return toText([available, held, fees, external].map(exact).reduce(add, ZERO));
}

/** Whether the books balance, by both this page's sum and the exchange's own report. */
export function isBalanced(totals: AssetTotals<string>): boolean {
  return totals.balances && isZero(exact(netTotal(totals)));
}
