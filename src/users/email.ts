import { InvalidInputError } from './errors.ts';

/** Returns an email address in lower case. @throws InvalidInputError */
export function normalizeEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length <= 254 && EMAIL.test(email)) return email;
  throw new InvalidInputError(
    'email',
    'email',
    'email must be an email address, such as you@example.com.',
  );
}

/** The addresses that mail systems deliver in practice: no quotes, comments, spaces or non-ASCII letters. */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
