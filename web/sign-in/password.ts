import { FieldError } from '../components/action.ts';
import { t } from '../i18n/t.ts';

/** Minimum length that the exchange accepts. It also rejects common passwords. */
export const MIN_LENGTH = 12;

/** @throws FieldError */
export function checkPassword(password: string, field = 'password'): void {
  // Counts characters as the exchange does: an emoji is one.
  if ([...password].length >= MIN_LENGTH) return;
  throw new FieldError(
    field,
    t('Password must have at least {count} characters.', { count: MIN_LENGTH }),
  );
}
