import type { ExactNumber } from '../client/exact-number.ts';
import { type Cell, table } from './text.ts';

/** What the exchange has of an asset. */
export interface AssetTotals {
  readonly asset: string;
  readonly available: ExactNumber;
  readonly held: ExactNumber;
  readonly fees: ExactNumber;
  readonly external: ExactNumber;
}

/** A row for each asset; in the last column what shows that its books balance. */
export function assetTable<Asset extends AssetTotals>(
  assets: readonly Asset[],
  proof: string,
  proofOf: (asset: Asset) => Cell,
): string {
  const rows = assets.map((each) => {
    const { asset, available, held, fees, external } = each;
    return [asset, available, held, fees, external, proofOf(each)];
  });
  return table(['ASSET', 'AVAILABLE', 'HELD', 'FEES', 'EXTERNAL', proof], rows);
}
