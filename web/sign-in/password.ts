import { FieldError } from '../components/action.ts';

/** The exchange's own rule, said before anything is sent; common ones it refuses itself. */
const MIN_LENGTH = 12;

export const PASSWORD_HINT = `At least ${MIN_LENGTH} characters. A few words that belong to nobody else are best.`;

/** @throws FieldError */
export function checkPassword(password: string, field = 'password'): void {
  // By characters, as the exchange counts: an emoji is one.
  if ([...password].length >= MIN_LENGTH) return;
  throw new FieldError(field, `A password has at least ${MIN_LENGTH} characters.`);
}
