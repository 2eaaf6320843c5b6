import { FieldError } from '../components/action.ts';

/** Minimum length that the exchange accepts. It also rejects common passwords. */
const MIN_LENGTH = 12;

export const PASSWORD_HINT = `At least ${MIN_LENGTH} characters. Use a unique passphrase.`;

/** @throws FieldError */
export function checkPassword(password: string, field = 'password'): void {
  // Counts characters as the exchange does: an emoji is one.
  if ([...password].length >= MIN_LENGTH) return;
  throw new FieldError(field, `Password must have at least ${MIN_LENGTH} characters.`);
}
