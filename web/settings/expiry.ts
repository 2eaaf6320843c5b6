import { FieldError } from '../components/action.ts';
import { msg, t } from '../i18n/index.ts';

export const EXPIRIES = [
  ['never', msg('Never||expiry')],
  ['30', msg('In 30 days')],
  ['90', msg('In 90 days')],
  ['365', msg('In 1 year')],
  ['date', msg('Custom')],
] as const;
export type Expiry = (typeof EXPIRIES)[number][0];

const DAY_MS = 86_400_000;

/**
 * Returns when a key expires, as ISO 8601; undefined for never.
 * @param until Local time from the date input, used if `expiry` is `date`.
 * @throws FieldError if the time is invalid or in the past
 */
export function expiresAt(expiry: Expiry, until: string, now: number): string | undefined {
  if (expiry === 'never') return undefined;
  if (expiry !== 'date') return new Date(now + Number(expiry) * DAY_MS).toISOString();
  const time = Date.parse(until);
  if (Number.isNaN(time)) throw new FieldError('expiresAt', t('Choose a date and time.'));
  if (time <= now) throw new FieldError('expiresAt', t('Expiry time must be in the future.'));
  return new Date(time).toISOString();
}
