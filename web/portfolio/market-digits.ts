import Big from 'big.js';
import { countDecimals } from '../format.ts';

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
