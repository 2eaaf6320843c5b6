import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Signs requests as docs/trading/signing.md says, with nothing of the exchange's own code. */

export interface KeyPair {
  readonly privateKey: KeyObject;
  /** PEM of the SubjectPublicKeyInfo. */
  readonly publicPem: string;
  /** Base64 of the 32 bytes. */
  readonly publicBase64: string;
}

export function newKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ format: 'der', type: 'spki' });
  return {
    privateKey,
    publicPem: publicKey.export({ format: 'pem', type: 'spki' }) as string,
    publicBase64: der.subarray(12).toString('base64'),
  };
}

/** A pair that is always the same, of the given byte. */
export function fixedPrivateKey(byte: number): KeyObject {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const der = Buffer.concat([prefix, Buffer.alloc(32, byte)]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

export interface Signed {
  readonly apiKey: string;
  readonly privateKey: KeyObject;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly timestamp: number | string;
  readonly recvWindow?: number | string;
  readonly body?: string | Uint8Array;
}

/** Returns the base64 signature. */
export function signature(terms: Signed): string {
  const { apiKey, privateKey, method, target, timestamp, recvWindow = 5000, body = '' } = terms;
  const head = ['buttonwood-v1', method, target, apiKey, timestamp, recvWindow, ''].join('\n');
  const text = Buffer.concat([Buffer.from(head), Buffer.from(body)]);
  return sign(null, text, privateKey).toString('base64');
}

/** Returns the headers of a signed request. */
export function signedHeaders(terms: Signed): Record<string, string> {
  const { apiKey, timestamp, recvWindow } = terms;
  return {
    Authorization: `Bearer ${apiKey}`,
    'X-API-Timestamp': `${timestamp}`,
    ...(recvWindow === undefined ? {} : { 'X-API-Recv-Window': `${recvWindow}` }),
    'X-API-Signature': signature(terms),
  };
}
