import type { AssetTotals } from '../../src/client/index.ts';
import { add, exact, isZero, toText, ZERO } from '../decimal.ts';

/** What the four sums of an asset come to: zero, or money was made or lost. */
export function netTotal({ available, held, fees, external }: AssetTotals<string>): string {
  return toText([available, held, fees, external].map(exact).reduce(add, ZERO));
}

/** Whether the books balance: by this page's own sum, and by what the exchange says of itself. */
export function isBalanced(totals: AssetTotals<string>): boolean {
  return totals.balances && isZero(exact(netTotal(totals)));
}
