import Big from 'big.js';
import { api } from '../api.ts';
import { type Resource, useResource } from '../components/resource.ts';
import { ZERO } from '../decimal.ts';
import { fixed } from '../format.ts';
import { findQuote, findValue } from './adjustment-size.ts';

/** Converts amounts to the quote asset of most markets, at the last prices. */
export interface Values {
  readonly quote: string;
  /** Returns the value of an amount; undefined if a price is missing. */
  find(amount: string, asset: string): Big | undefined;
  /** Returns the value of balances; assets without a price count as nothing. */
  sum(balances: readonly { readonly asset: string; readonly total: string }[]): Big;
  /** Formats the value of an amount, such as `1,250.00 USDT`. */
  text(amount: string, asset: string): string;
}

const ONE = new Big(1);
const REFRESH_MS = 15_000;

export async function readValues(): Promise<Values> {
  const [{ markets }, { prices }] = await Promise.all([api.getMarkets(), api.getPrices()]);
  const quote = findQuote(markets);
  const ofOne = new Map<string, Big | undefined>();
  const find = (amount: string, asset: string) => {
    if (!ofOne.has(asset)) ofOne.set(asset, findValue(ONE, asset, quote, { markets, prices }));
    return ofOne.get(asset)?.times(amount);
  };
  return {
    quote,
    find,
    sum: (balances) =>
      balances.reduce((sum, { asset, total }) => sum.plus(find(total, asset) ?? ZERO), ZERO),
    text: (amount, asset) => valueText(find(amount, asset), quote),
  };
}

/** Formats a value, rounded down so that it never looks larger than the amount; a dash without a price. */
export function valueText(value: Big | undefined, quote: string): string {
  return value === undefined ? '–' : `${fixed(value, 2)} ${quote}`;
}

/** Values at prices that are read again from time to time. */
export function useValues(): Resource<Values> {
  return useResource(readValues, REFRESH_MS);
}
