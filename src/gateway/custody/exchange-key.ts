import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { signedText } from '../auth/signed-text.ts';

/** The bytes before the seed in a PrivateKeyInfo of Ed25519 (RFC 8410). */
const PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/** The API key in the texts that the exchange signs. Real keys have another form. */
const EXCHANGE_KEY_NAME = 'exchange';
/** The time for which the custodian should accept a request, milliseconds. */
const RECV_WINDOW_MS = 60_000;

/**
 * The Ed25519 key with which the exchange signs its requests to the custodian. They have the form of signed requests with
 * API keys, like those of the custodian to the exchange: one scheme in both directions.
 */
export class ExchangeKey {
  /** The 32 bytes of the public key, base64. */
  readonly publicKey: string;
  private readonly key: KeyObject;

  /** @param seed 32 secret bytes that all nodes share. */
  constructor(seed: Uint8Array) {
    const der = Buffer.concat([PREFIX, seed]);
    this.key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(this.key).export({ format: 'der', type: 'spki' });
    this.publicKey = spki.subarray(-32).toString('base64');
  }

  /** Returns the headers that sign a POST request. @param timestamp Milliseconds since 1970. */
  signPost(url: URL, timestamp: number, body: string): Record<string, string> {
    const signed = {
      apiKey: EXCHANGE_KEY_NAME,
      timestamp: String(timestamp),
      recvWindow: String(RECV_WINDOW_MS),
    };
    const target = `${url.pathname}${url.search}`;
    const text = signedText('POST', target, signed, Buffer.from(body));
    return {
      'x-api-key': EXCHANGE_KEY_NAME,
      'x-api-timestamp': signed.timestamp,
      'x-api-recv-window': signed.recvWindow,
      'x-api-signature': sign(null, text, this.key).toString('base64'),
    };
  }
}
