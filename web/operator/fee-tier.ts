import type { Account, Fee, FeeTier } from '../../src/client/index.ts';
import { listTierRows } from '../fees/fee-rows.ts';
import { rangeText } from '../fees/fee-table.tsx';
import { t } from '../i18n/index.ts';

type AccountTier = Pick<Account, 'feeTier' | 'tier'>;

/** Returns the fee tier of an account in words: by its volume, unless it is said to be fixed. @param hasTiers Whether the exchange has fee tiers */
export function tierText({ feeTier, tier }: AccountTier, hasTiers: boolean): string {
  if (!hasTiers) return t('Market fees');
  const name = tier === 0 ? t('No tier') : t('Tier {tier}', { tier });
  return feeTier === 'volume' ? name : t('{tier} (fixed)', { tier: name });
}

/** Returns the maker and taker rates of an account before discounts: a range if they differ by market. */
export function ratesText(
  { tier }: AccountTier,
  {
    fees,
    tiers,
  }: { readonly fees: readonly Fee<string>[]; readonly tiers: readonly FeeTier<string>[] },
): string {
  const row = listTierRows(fees, tiers).find((each) => each.tier === tier);
  return row === undefined ? '–' : `${rangeText(row.maker)} / ${rangeText(row.taker)}`;
}
