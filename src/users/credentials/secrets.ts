import { randomBytes } from 'node:crypto';

/** Random secrets for cookies and mailed links. Only their hashes are stored. */

const SECRET_BYTES = 32;
const ID_BYTES = 12;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** Returns 256 random bits, as text that fits cookies and URLs. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Returns a random id, which is not secret. It is a valid id of a trading account. */
export function newId(prefix: string): string {
  return prefix + randomBytes(ID_BYTES).toString('hex');
}

/** Returns whether a text has the form of these secrets. */
export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

/** A fast hash is enough, because random secrets cannot be guessed. */
export function hashSecretHex(secret: string): string {
  return Bun.SHA256.hash(secret, 'hex');
}
