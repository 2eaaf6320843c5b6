import { FieldError } from '../components/action.ts';

export const EXPIRIES = [
  ['never', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['date', 'At a time of your choice'],
] as const;
export type Expiry = (typeof EXPIRIES)[number][0];

const DAY_MS = 86_400_000;

/**
 * When a key ends, as ISO 8601; undefined for never.
 * @param until A local time as its input gives it, where `date` was chosen.
 * @throws FieldError for a time that is none, or is past
 */
export function expiresAt(expiry: Expiry, until: string, now: number): string | undefined {
  if (expiry === 'never') return undefined;
  if (expiry !== 'date') return new Date(now + Number(expiry) * DAY_MS).toISOString();
  const time = Date.parse(until);
  if (Number.isNaN(time)) throw new FieldError('expiresAt', 'Choose a day and a time.');
  if (time <= now) throw new FieldError('expiresAt', 'Choose a time that is still to come.');
  return new Date(time).toISOString();
}
