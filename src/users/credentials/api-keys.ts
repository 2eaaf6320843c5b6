/**
 * API keys and their secrets: generating them, and checking a secret.
 *
 *   key     bwk_  24 random hex digits  checksum   identifies the key, not secret
 *   secret  bws_  64 random hex digits  checksum   256 random bits, shown to its user once
 *
 * The prefix lets scanners find a leaked secret. The checksum (CRC-32 of all before it, 8 hex digits) lets them confirm
 * it, and lets a form detect a typing error. Requests are not checked for it: a malformed key is simply not found. No
 * error message here contains any part of a key or secret.
 */
import { timingSafeEqual } from 'node:crypto';

const KEY_PREFIX = 'bwk_';
const KEY_RANDOM_BYTES = 12;
const SECRET_PREFIX = 'bws_';
const SECRET_RANDOM_BYTES = 32;
const CHECKSUM_DIGITS = 8;
/** Length of a SHA-256. */
const HASH_BYTES = 32;
const SCHEME = 'Bearer ';
/** Compared with a secret that belongs to no key, so that the comparison takes the same time. */
const NO_HASH = new Uint8Array(HASH_BYTES);

export interface Credentials {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** `randomBytes` must be cryptographically random. */
export function generateCredentials(randomBytes: (size: number) => Uint8Array): Credentials {
  return {
    apiKey: withChecksum(KEY_PREFIX + randomBytes(KEY_RANDOM_BYTES).toHex()),
    apiSecret: withChecksum(SECRET_PREFIX + randomBytes(SECRET_RANDOM_BYTES).toHex()),
  };
}

/** Returns the key in an Authorization header, `Bearer <API_KEY>`; the scheme is case-insensitive. */
export function parseBearer(authorization: string | null): string | undefined {
  if (authorization === null) return undefined;
  const isBearer =
    authorization.startsWith(SCHEME) ||
    authorization.slice(0, SCHEME.length).toLowerCase() === SCHEME.toLowerCase();
  return isBearer ? authorization.slice(SCHEME.length) : undefined;
}

/**
 * Returns the stored form of a secret: the SHA-256 of its text. A slow hash protects passwords, which can be guessed;
 * for 256 random bits it would only slow down every request.
 */
export function hashSecret(apiSecret: string): Uint8Array {
  const hash = new Uint8Array(HASH_BYTES);
  Bun.SHA256.hash(apiSecret, hash);
  return hash;
}

/**
 * Returns whether a secret has the stored hash; false if `storedHash` is undefined. Takes the same time for every
 * secret, and with or without a stored hash.
 */
export function verifySecret(apiSecret: string, storedHash: Uint8Array | undefined): boolean {
  return verifyHash(hashSecret(apiSecret), storedHash);
}

/** Does the same as `verifySecret` for a secret that is already hashed. */
export function verifyHash(hash: Uint8Array, storedHash: Uint8Array | undefined): boolean {
  const isEqual = timingSafeEqual(hash, storedHash ?? NO_HASH);
  return isEqual && storedHash !== undefined;
}

function withChecksum(text: string): string {
  return text + checksum(text);
}

function checksum(text: string): string {
  return Bun.hash.crc32(text).toString(16).padStart(CHECKSUM_DIGITS, '0');
}
