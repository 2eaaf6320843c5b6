import { FieldError } from '../components/action.ts';

export const EXPIRIES = [
  ['never', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In 1 year'],
  ['date', 'Custom'],
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
  if (Number.isNaN(time)) throw new FieldError('expiresAt', 'Choose a date and time.');
  if (time <= now) throw new FieldError('expiresAt', 'Expiry time must be in the future.');
  return new Date(time).toISOString();
}
