import Big from 'big.js';
import { countDecimals, fixed, grouped } from '../format.ts';

/** The rules of a market that decide how many decimals its prices and amounts have. */
export interface MarketDigits {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly status: string;
  readonly tickSize: string;
  readonly stepSize: string;
}

/** Decimals of values in an asset: two for currencies and stablecoins, else those of a satoshi. */
export function countValueDecimals(asset: string): number {
  return /USD|EUR|GBP|DAI/.test(asset) ? 2 : 8;
}

/** Returns the market to trade an asset on, if possible one that prices it in `quote`; undefined if there is none. */
export function findMarket<Market extends MarketDigits>(
  asset: string,
  quote: string,
  markets: readonly Market[],
): Market | undefined {
  const listed = markets.filter(({ status }) => status !== 'delisted');
  return (
    listed.find((each) => each.base === asset && each.quote === quote) ??
    listed.find((each) => each.base === asset) ??
    listed.find((each) => each.quote === asset)
  );
}

/** Returns the decimals of a price of an asset: those of the tick size of its market, else as many as are of use. */
export function countPriceDecimals(
  price: string,
  asset: string,
  quote: string,
  markets: readonly MarketDigits[],
): number {
  if (asset === quote) return countValueDecimals(quote);
  const market = markets.find((each) => each.base === asset && each.quote === quote);
  if (market !== undefined) return countDecimals(market.tickSize);
  const size = new Big(price).abs();
  return size.gte(1000) ? 2 : size.gte(1) ? 4 : 8;
}

/** Returns the decimals of an amount: those of the finest lot size of its markets, else those of values. */
export function countAmountDecimals(asset: string, markets: readonly MarketDigits[]): number {
  const lots = markets.filter(({ base }) => base === asset);
  if (lots.length === 0) return countValueDecimals(asset);
  return Math.max(...lots.map(({ stepSize }) => countDecimals(stepSize)));
}

/** More decimals than these are shown without trailing zeros. */
const FIXED_DECIMALS = 2;

/** Formats an amount that can be spent, rounded down; one that would be shown as zero is shown as less than the last digit. */
export function shownAmount(amount: string, decimals: number): string {
  return roundedAmount(amount, decimals, Big.roundDown);
}

/** Formats a whole amount as `shownAmount` does, but rounded to the nearest, as its value is. */
export function shownTotal(amount: string, decimals: number): string {
  return roundedAmount(amount, decimals, Big.roundHalfUp);
}

function roundedAmount(amount: string, decimals: number, rounding: Big.RoundingMode): string {
  const last = new Big(`1e-${decimals}`);
  const value = new Big(amount);
  if (value.gt(0) && value.lt(last)) return `<${fixed(last, decimals)}`;
  const shown = value.round(decimals, rounding);
  return decimals <= FIXED_DECIMALS ? fixed(shown, decimals) : grouped(shown);
}
