import { invalid } from '../http/request/query.ts';
import type { ApiError } from '../http/response/errors.ts';

/** Reading the Ed25519 public keys that users register. */

const KEY_BYTES = 32;
/** The bytes before the key in a SubjectPublicKeyInfo (RFC 8410). */
const PREFIX_HEX = '302a300506032b6570032100';
const PEM = /^-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]*)-----END PUBLIC KEY-----$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The prime of the curve's field, and its constant d. */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
/** One y of each sign of the eight points of small order: as keys they would accept signatures of many texts. */
const SMALL_ORDER_Y: readonly bigint[] = [
  0n,
  1n,
  2707385501144840649318225287225658788936804267575313519463743609750303402022n,
];

/**
 * Returns the 32 bytes of a public key: PEM of a SubjectPublicKeyInfo, as `openssl pkey -pubout` writes it, or base64.
 * @throws ApiError INVALID_REQUEST
 */
export function readPublicKey(text: string): Uint8Array {
  const trimmed = text.trim();
  if (trimmed.includes('PRIVATE KEY')) {
    const message =
      'publicKey is a private key. Never send it to anyone: create a new pair, and send only its public key.';
    throw invalid('publicKey', 'public', message);
  }
  const pem = PEM.exec(trimmed);
  const base64 = pem === null ? trimmed : pem[1]!.replace(/\s/g, '');
  if (!BASE64.test(base64)) throw wrongForm();
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
  const hex = bytes.toHex();
  const key = hex.startsWith(PREFIX_HEX) ? bytes.subarray(PREFIX_HEX.length / 2) : bytes;
  if (key.length !== KEY_BYTES) throw wrongForm();
  if (!isUsablePoint(key)) {
    const message =
      'publicKey is not a valid Ed25519 public key: it is no point that signatures are safe with.';
    throw invalid('publicKey', 'point', message);
  }
  return key;
}

function wrongForm(): ApiError {
  const message =
    'publicKey must be an Ed25519 public key: PEM, as `openssl pkey -pubout` writes it, or the base64 of its 32 bytes.';
  return invalid('publicKey', 'ed25519', message);
}

/** Returns whether the bytes encode, in their only form, a point of the curve that is not of small order. */
export function isUsablePoint(key: Uint8Array): boolean {
  const encoded = BigInt(`0x${key.toReversed().toHex()}`);
  const y = encoded & ((1n << 255n) - 1n);
  if (y >= P || SMALL_ORDER_Y.includes(y) || SMALL_ORDER_Y.includes(P - y)) return false;
  // The curve is -x² + y² = 1 + d x² y², so x² is (y² - 1) / (d y² + 1). That is a square if u v is one.
  const u = y * y - 1n;
  const v = D * y * y + 1n;
  return power(u * v, (P - 1n) / 2n) === 1n;
}

/** Returns base^exponent modulo P. */
function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = ((base % P) + P) % P;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}
