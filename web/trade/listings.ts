import type { ExactMarket } from './records.ts';

/** Statuses and records of markets that have changed, as the channel `markets` sends them. */
export interface ListingChanges {
  readonly markets: readonly { readonly symbol: string; readonly status: string }[];
  readonly listings?: readonly ExactMarket[];
}

/** Returns the markets after a change. New ones are added at the end. */
export function applyChanges(
  known: readonly ExactMarket[],
  { markets, listings = [] }: ListingChanges,
): readonly ExactMarket[] {
  const records = new Map(known.map((each) => [each.symbol, each]));
  for (const each of listings) records.set(each.symbol, each);
  for (const { symbol, status } of markets) {
    const record = records.get(symbol);
    if (record !== undefined && record.status !== status) {
      records.set(symbol, { ...record, status: status as ExactMarket['status'] });
    }
  }
  return [...records.values()];
}

/** Returns the markets to show: all but delisted ones, except the current one, whose orders the user may still see. */
export function withoutDelisted(
  markets: readonly ExactMarket[],
  shown: string,
): readonly ExactMarket[] {
  return markets.filter(({ status, symbol }) => status !== 'delisted' || symbol === shown);
}
