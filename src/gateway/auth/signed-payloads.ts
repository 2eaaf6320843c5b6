/**
 * Signed requests of dialects, which have signed texts of their own (docs/trading/signing.md#hmac-keys):
 * HMAC-SHA256 (RFC 2104) with the secret of an HMAC key, or Ed25519.
 */
import { invalid } from '../http/request/query.ts';
import {
  checkWindow,
  ED25519_FORM,
  FIELDS,
  MAX_RECV_WINDOW_MS,
  type RequestSignature,
} from './signatures.ts';
import { isNativeText } from './signed-text.ts';

/** Bytes of an HMAC-SHA256, which distinguish it from an Ed25519 signature. */
export const HMAC_BYTES = 32;
const HMAC_FORM = /^[0-9A-Fa-f]{64}$/;

/** A request of a dialect that claims to be signed. */
export interface SignedPayload {
  /** Empty if missing. */
  readonly apiKey: string;
  /** The bytes that the client signed, exactly as it sent them. */
  readonly text: Uint8Array;
  /** HMAC-SHA256 in hex of either case, or Ed25519 in base64. */
  readonly signature: string;
  /** Milliseconds since 1970, possibly with a fraction. */
  readonly timestamp: number;
  /** Milliseconds after the timestamp for which the request is accepted, above 0 and up to 60000. */
  readonly recvWindow: number;
}

/**
 * Checks the form of a signed payload, and that `now` is in its window. The result does not depend on the key. A text of
 * the native format is rejected, so that a native request with its signature is worth nothing in a dialect.
 * @throws ApiError INVALID_REQUEST
 */
export function readPayload(payload: SignedPayload, now: number, skewMs = 0): RequestSignature {
  const { apiKey, text, signature: sent, timestamp, recvWindow } = payload;
  const isHmac = HMAC_FORM.test(sent);
  if (!isHmac && !ED25519_FORM.test(sent)) {
    const message = 'signature must be an HMAC-SHA256 in hex, or an Ed25519 signature in base64.';
    throw invalid(FIELDS.signature, 'form', message);
  }
  if (isNativeText(text)) {
    throw invalid(FIELDS.signature, 'payload', 'The signature is of a request of another API.');
  }
  if (!(recvWindow > 0 && recvWindow <= MAX_RECV_WINDOW_MS)) {
    const message = `recvWindow must be a number of milliseconds up to ${MAX_RECV_WINDOW_MS}.`;
    throw invalid(FIELDS.recvWindow, 'milliseconds', message);
  }
  const expiresAt = checkWindow(timestamp, recvWindow, FIELDS, now, skewMs);
  const signature = Buffer.from(sent, isHmac ? 'hex' : 'base64');
  return { apiKey, signature, expiresAt };
}
