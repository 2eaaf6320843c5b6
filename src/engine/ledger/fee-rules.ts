import { MarketStatus } from '../terms.ts';
import { discountRate, type FeeDiscount } from './fee-discount.ts';

/** Fee rates in parts per million. */
interface Rates {
  readonly makerFee: number;
  readonly takerFee: number;
}

/** The rates that accounts pay: those of markets, of fee tiers, and the discount. */
export interface FeeRates {
  readonly markets: readonly { readonly rules: Rates; readonly status: number }[];
  readonly feeTiers: {
    readonly tiers: readonly Rates[];
    readonly discount: FeeDiscount | undefined;
  };
}

/**
 * Returns the broken rule if the taker of any trade could pay less than its maker receives, whatever their tiers and
 * discounts; otherwise undefined. The rebate is a share of the amount from which the taker pays its fee, and rounds down
 * while the fee rounds up, so that comparing the rates is enough.
 */
export function brokenRebateRule({ markets, feeTiers }: FeeRates): string | undefined {
  const { tiers, discount } = feeTiers;
  const makerFee = Math.min(...tiers.map((tier) => tier.makerFee));
  const takerFee = Math.min(...tiers.map((tier) => tier.takerFee));
  for (const { rules, status } of markets) {
    if (status === MarketStatus.delisted) continue;
    const rebate = -Math.min(rules.makerFee, makerFee);
    const lowest = discountRate(Math.min(rules.takerFee, takerFee), discount?.rate ?? 0);
    if (rebate > lowest) {
      return 'a maker rebate may not exceed the lowest taker fee of the market, its tiers and the discount';
    }
  }
  return undefined;
}
