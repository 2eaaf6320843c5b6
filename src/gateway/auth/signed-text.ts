import { HASH_BYTES } from '../../log/hash.ts';
import type { SignedRequest } from './signatures.ts';

/** Names the format of signed texts. Another format gets another name, so that no text has two meanings. */
const FORMAT = 'buttonwood-v1';
/** The start of every native text. */
const START = new TextEncoder().encode(`${FORMAT}\n`);
/** Bytes of the hash by which the log knows a used request. */
const USED_HASH_BYTES = 16;
const SLASH = 0x2f;
const NO_BODY = new Uint8Array(0);

/** The method and target that a stream's `auth` message signs; no request has this method. */
export const STREAM_AUTH = { method: 'AUTH', target: '/ws' } as const;

/**
 * Returns the text that a client signs: seven lines, of which the last is the body. The API key is part of it, which the
 * exchange chose at random: a signature is valid for no other key, account or exchange, even with the same public key.
 */
export function signedText(
  method: string,
  target: string,
  { apiKey, timestamp, recvWindow }: Pick<SignedRequest, 'apiKey' | 'timestamp' | 'recvWindow'>,
  body: Uint8Array = NO_BODY,
): Uint8Array {
  const lines = `${FORMAT}\n${method}\n${target}\n${apiKey}\n${timestamp}\n${recvWindow}\n`;
  return Buffer.concat([Buffer.from(lines), body]);
}

/**
 * Returns the path and query of a request, as the server read them: without dot segments, and with characters that a
 * URL cannot contain percent-encoded.
 */
export function readTarget({ url }: Pick<Request, 'url'>): string {
  if (url.charCodeAt(0) === SLASH) return url;
  const start = url.indexOf('/', 'https://'.length);
  return start < 0 ? '/' : url.slice(start);
}

/** Returns whether a text has the native format, which texts of dialects must not have. */
export function isNativeText(text: Uint8Array): boolean {
  return text.length >= START.length && START.every((byte, index) => text[index] === byte);
}

/** Returns the hash by which the log knows a used request. */
export function hashText(text: Uint8Array): Uint8Array {
  const hash = new Uint8Array(HASH_BYTES);
  Bun.SHA256.hash(text, hash);
  return hash.subarray(0, USED_HASH_BYTES);
}
