export interface InMarket {
  readonly symbol: string;
}

/** The asset of a column: amounts are in the base asset, totals in the quote asset. */
export type Unit = 'base' | 'quote';

/** Returns the asset of an amount or a total in a market. */
export function unitAsset(symbol: string, unit: Unit): string {
  return symbol.split('/')[unit === 'base' ? 0 : 1] ?? '';
}

/** Returns the asset that all rows have as base or quote; undefined if there are several, or no rows. */
export function findCommonAsset(rows: readonly InMarket[], unit: Unit): string | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const asset = unitAsset(first.symbol, unit);
  return rows.every(({ symbol }) => unitAsset(symbol, unit) === asset) ? asset : undefined;
}
