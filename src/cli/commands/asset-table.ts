import type { ExactNumber } from '../../client/exact-number.ts';
import type { AssetTotals } from '../../client/index.ts';
import { type Cell, table } from '../text.ts';

/** Totals of an asset over all accounts. */
type Totals = Pick<AssetTotals<ExactNumber>, 'asset' | 'available' | 'held' | 'fees' | 'external'>;

/** Returns a row per asset; the last column shows that its books balance. */
export function assetTable<Asset extends Totals>(
  assets: readonly Asset[],
  proof: string,
  toProof: (asset: Asset) => Cell,
): string {
  const rows = assets.map((each) => {
    const { asset, available, held, fees, external } = each;
    return [asset, available, held, fees, external, toProof(each)];
  });
  return table(['ASSET', 'AVAILABLE', 'HELD', 'FEES', 'EXTERNAL', proof], rows);
}
