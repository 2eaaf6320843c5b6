import type { Account } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { t } from '../i18n/index.ts';

export async function readHasTiers(): Promise<boolean> {
  return (await api.getFeeTiers()).tiers.length > 0;
}

/** Returns the fee tier of an account in words. @param hasTiers Whether the exchange has fee tiers */
export function tierText(feeTier: Account['feeTier'], hasTiers: boolean): string {
  if (!hasTiers) return t('Market fees');
  if (feeTier === 'volume') return t('By volume');
  return feeTier === 0 ? t('No tier') : t('Tier {tier}', { tier: feeTier });
}
