import { capitalize } from '../format.ts';
import { t } from '../i18n/t.ts';
import { assetName } from '../trade/asset-names.ts';

/** Returns the ticker with the name: `BTC – Bitcoin`. */
export function describeAsset(asset: string): string {
  const name = assetName(asset);
  return name === asset ? asset : `${asset} – ${name}`;
}

/** Returns the name of a network as users know it: `bitcoin` → `Bitcoin`. */
export function networkName(name: string): string {
  return capitalize(name.replaceAll('-', ' '));
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Formats a time span in its largest whole unit, rounded up: `1 day`, `90 minutes`. */
export function duration(ms: number): string {
  const fits = (unitMs: number) => ms >= unitMs && ms % unitMs === 0;
  if (fits(DAY_MS)) return t('{count, plural, one {# day} other {# days}}', { count: ms / DAY_MS });
  if (fits(HOUR_MS)) {
    return t('{count, plural, one {# hour} other {# hours}}', { count: ms / HOUR_MS });
  }
  if (fits(MINUTE_MS)) {
    return t('{count, plural, one {# minute} other {# minutes}}', { count: ms / MINUTE_MS });
  }
  const count = Math.ceil(ms / SECOND_MS);
  return t('{count, plural, one {# second} other {# seconds}}', { count });
}

/** Adds to a number of confirmations how long deposits on a network usually take, if that is known. */
export function withUsualTime(confirmations: string, ms: number | null): string {
  return ms === null
    ? confirmations
    : t('{confirmations}, {usually}', { confirmations, usually: usualTime(ms) });
}

/** Describes a time in rounded words. The number and its unit stay in one line. */
export function usualTime(ms: number): string {
  if (ms < MINUTE_MS) return t('usually under a minute');
  // Times of 90 minutes and more are shown in hours.
  const text =
    ms < 1.5 * HOUR_MS
      ? t('usually about {count} min', { count: Math.round(ms / MINUTE_MS) })
      : t('usually about {count} h', { count: Math.round(ms / HOUR_MS) });
  return text.replace(/(\d) /, '$1\u00a0');
}

/** Returns the address of a transaction at a block explorer. The id is part of the address and nothing else. */
export function explorerAddress(explorerUrl: string, transaction: string): string {
  return explorerUrl.replace('{transaction}', () => encodeURIComponent(transaction));
}
