/**
 * Signed requests (docs/trading/signing.md): reading what a client sent, and checking its Ed25519 signature (RFC 8032).
 */
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { invalid } from '../http/request/query.ts';
import { ApiError } from '../http/response/errors.ts';

const DEFAULT_RECV_WINDOW = '5000';
export const MAX_RECV_WINDOW_MS = 60_000;
/** Base64 of 64 bytes. */
export const ED25519_FORM = /^[A-Za-z0-9+/]{86}==$/;
/** Maximum lead of a client's clock. */
const MAX_AHEAD_MS = 1000;
/** The bytes before the key in a SubjectPublicKeyInfo (RFC 8410). */
const KEY_PREFIX = Uint8Array.fromHex('302a300506032b6570032100');

/** The signature of a request and its window, with valid form. */
export interface RequestSignature {
  readonly apiKey: string;
  /** 64 bytes of Ed25519, or 32 of HMAC-SHA256. */
  readonly signature: Uint8Array;
  /** End of its window, milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A request that claims to be signed, with valid form. */
export interface SignedRequest extends RequestSignature {
  /** Milliseconds since 1970, as sent. */
  readonly timestamp: string;
  /** Milliseconds, as sent. */
  readonly recvWindow: string;
}

/** A timestamp and a receive window that a client sent: in headers, or in the fields of a message. */
interface SentWindow {
  readonly timestamp: string | null | undefined;
  readonly recvWindow: string | null | undefined;
}

/** The values of a signed request that a client sent. */
interface Sent extends SentWindow {
  readonly apiKey: string;
  readonly signature: string;
}

/** The end of a request's receive window. An order is not placed or amended after it. */
export interface Deadline {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The names of the sent values in errors. */
  readonly names: SignatureNames;
}

/** The names of the sent values in errors. */
export interface SignatureNames {
  readonly timestamp: string;
  readonly recvWindow: string;
  readonly signature: string;
}

/** The names of fields, in messages and in parameters. */
export const FIELDS: SignatureNames = {
  timestamp: 'timestamp',
  recvWindow: 'recvWindow',
  signature: 'signature',
};
export const HEADERS: SignatureNames = {
  timestamp: 'X-API-Timestamp',
  recvWindow: 'X-API-Recv-Window',
  signature: 'X-API-Signature',
};

/** Returns whether a request has a signature instead of a secret. */
export function isSigned(headers: Headers): boolean {
  return headers.has('x-api-signature') && !headers.has('x-api-secret');
}

/** Reads the headers of a signed request. @param apiKey Empty if missing. @throws ApiError INVALID_REQUEST */
export function readSignedHeaders(
  headers: Headers,
  apiKey: string,
  now: number,
  skewMs = 0,
): SignedRequest {
  const timestamp = headers.get('x-api-timestamp');
  const recvWindow = headers.get('x-api-recv-window');
  const signature = headers.get('x-api-signature')!;
  return readSigned({ apiKey, timestamp, recvWindow, signature }, HEADERS, now, skewMs);
}

/**
 * Checks the form of a signed request, and that `now` is in its window. The result does not depend on the key, so
 * that nothing is learned about keys without a valid signature.
 * @throws ApiError INVALID_REQUEST
 */
export function readSigned(
  sent: Sent,
  names: SignatureNames,
  now: number,
  skewMs = 0,
): SignedRequest {
  const { apiKey, signature } = sent;
  if (!ED25519_FORM.test(signature)) {
    const message = `${names.signature} must be the base64 of the 64 bytes of an Ed25519 signature.`;
    throw invalid(names.signature, 'base64', message);
  }
  const window = readWindow(sent, names, now, skewMs);
  return { apiKey, ...window, signature: Buffer.from(signature, 'base64') };
}

/** Reads the receive window of a request, and checks that `now` is in it. @throws ApiError INVALID_REQUEST */
function readWindow(
  { timestamp, recvWindow: window }: SentWindow,
  names: SignatureNames,
  now: number,
  skewMs: number,
) {
  if (timestamp == null || !/^[1-9]\d{12}$/.test(timestamp)) {
    const message = `${names.timestamp} must be the current time in milliseconds since 1970, 13 digits.`;
    throw invalid(names.timestamp, 'milliseconds', message);
  }
  const recvWindow = window ?? DEFAULT_RECV_WINDOW;
  if (!/^[1-9]\d{0,4}$/.test(recvWindow) || Number(recvWindow) > MAX_RECV_WINDOW_MS) {
    const message = `${names.recvWindow} must be a whole number of milliseconds from 1 to ${MAX_RECV_WINDOW_MS}.`;
    throw invalid(names.recvWindow, 'milliseconds', message);
  }
  const expiresAt = checkWindow(Number(timestamp), Number(recvWindow), names, now, skewMs);
  return { timestamp, recvWindow, expiresAt };
}

/**
 * Returns the deadline that a client gave an order, signed or not; undefined if it sent neither value.
 * @throws ApiError INVALID_REQUEST
 */
export function readDeadline(
  sent: SentWindow,
  names: SignatureNames,
  now: number,
  skewMs = 0,
): Deadline | undefined {
  if (sent.timestamp == null && sent.recvWindow == null) return undefined;
  return { at: readWindow(sent, names, now, skewMs).expiresAt, names };
}

/** Returns the deadline in the headers of a request. @throws ApiError INVALID_REQUEST */
export function readDeadlineHeaders(
  headers: Headers,
  now: number,
  skewMs = 0,
): Deadline | undefined {
  const timestamp = headers.get('x-api-timestamp');
  const recvWindow = headers.get('x-api-recv-window');
  return readDeadline({ timestamp, recvWindow }, HEADERS, now, skewMs);
}

/**
 * Returns the end of a request's window, milliseconds since 1970 by the exchange's clock.
 * @param skewMs How far the clock that the client sees is ahead of the exchange's.
 * @throws ApiError INVALID_REQUEST if `now` is outside of the window
 */
export function checkWindow(
  timestamp: number,
  recvWindow: number,
  names: SignatureNames,
  now: number,
  skewMs = 0,
): number {
  const sentAt = timestamp - skewMs;
  const end = Math.floor(sentAt + recvWindow);
  const isInWindow = sentAt - now <= MAX_AHEAD_MS && now <= end;
  if (!isInWindow) throw staleTimestamp(now + skewMs, names);
  return end;
}

/** Returns the error for a request outside of its window. */
export function staleTimestamp(now: number, names: SignatureNames = HEADERS): ApiError {
  const message =
    `${names.timestamp} is older than the receive window, or more than ${MAX_AHEAD_MS} ms ahead. ` +
    'Set your clock, or use the difference to serverTime.';
  const details = { field: names.timestamp, rule: 'recvWindow', serverTime: now };
  return new ApiError('INVALID_REQUEST', message, details);
}

/** Returns the error for a request that was used before. */
export function usedSignature({ signature }: SignatureNames = HEADERS): ApiError {
  const message =
    'This signed request was used already. Sign every request again, with the current time as its timestamp.';
  return invalid(signature, 'once', message);
}

/** Returns whether a text was signed with a key; takes about 55 µs. */
export function verifySignature(
  publicKey: Uint8Array,
  text: Uint8Array,
  signature: Uint8Array,
): boolean {
  const der = Buffer.concat([KEY_PREFIX, publicKey]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, text, key, signature);
}

/** Returns the public key of a private key that is forgotten. */
export function randomPublicKey(): Uint8Array {
  const { publicKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ format: 'der', type: 'spki' });
  return new Uint8Array(der.subarray(KEY_PREFIX.length));
}
