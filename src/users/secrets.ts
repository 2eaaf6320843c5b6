import { randomBytes } from 'node:crypto';

/** What a browser or a mail carries to show who it is: random, and only its hash is kept. */

const SECRET_BYTES = 32;
const ID_BYTES = 12;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits, as text that fits a cookie and a link. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Names something and is no secret. Fit to be the id of a trading account. */
export function newId(prefix: string): string {
  return prefix + randomBytes(ID_BYTES).toString('hex');
}

/** Whether a text can be a secret that was made here. */
export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

/** A slow hash would protect what can be guessed; random bits cannot be. */
export function hashOf(secret: string): string {
  return Bun.SHA256.hash(secret, 'hex');
}
