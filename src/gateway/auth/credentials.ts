/**
 * API keys and their secrets: making them, telling a malformed one at sight, checking a secret.
 *
 *   key     bwk_  24 random hex digits  checksum   names the key, is no secret
 *   secret  bws_  64 random hex digits  checksum   256 random bits, shown to its holder once
 *
 * The prefix lets scanners find a leaked secret; the checksum (CRC-32, 8 hex digits, of all before
 * it) lets them be sure, and a form tell a mistyped one. A request is not checked for it: what is no key
 * is not found. No error and no message here holds any part of a key or secret.
 */
import { timingSafeEqual } from 'node:crypto';

const KEY_PREFIX = 'bwk_';
const KEY_RANDOM_BYTES = 12;
const SECRET_PREFIX = 'bws_';
const SECRET_RANDOM_BYTES = 32;
const CHECKSUM_DIGITS = 8;
const SCHEME = 'Bearer ';
const HASH_BYTES = 32;
/** What a secret is compared with that belongs to no key. */
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

/** What an Authorization header, `Bearer <API_KEY>`, names as the key; the scheme in any case. */
export function parseBearer(authorization: string | null): string | undefined {
  if (authorization === null) return undefined;
  const isBearer =
    authorization.startsWith(SCHEME) ||
    authorization.slice(0, SCHEME.length).toLowerCase() === SCHEME.toLowerCase();
  return isBearer ? authorization.slice(SCHEME.length) : undefined;
}

/**
 * What is stored of a secret: SHA-256 of its whole text. A slow hash would protect a password that
 * can be guessed; 256 random bits cannot be, so it would only make every request slow.
 */
export function hashSecret(apiSecret: string): Uint8Array {
  const hash = new Uint8Array(HASH_BYTES);
  Bun.SHA256.hash(apiSecret, hash);
  return hash;
}

/**
 * Whether a secret is the one whose hash is stored; `storedHash` is undefined where there is none. The
 * time taken tells neither how much of a hash was right nor whether there is one.
 */
export function verifySecret(apiSecret: string, storedHash: Uint8Array | undefined): boolean {
  return equalHashes(hashSecret(apiSecret), storedHash);
}

/** The same for a secret that is hashed already. */
export function equalHashes(hash: Uint8Array, storedHash: Uint8Array | undefined): boolean {
  const isEqual = timingSafeEqual(hash, storedHash ?? NO_HASH);
  return isEqual && storedHash !== undefined;
}

function withChecksum(text: string): string {
  return text + checksum(text);
}

function checksum(text: string): string {
  return Bun.hash.crc32(text).toString(16).padStart(CHECKSUM_DIGITS, '0');
}
