/**
 * Signing requests with an Ed25519 key instead of sending a secret (docs/trading/signing.md), by Web Crypto, which
 * browsers and all runtimes of servers have.
 */

import { type ReceiveWindow, windowUntil } from './deadline.ts';

/** A private key: a CryptoKey with the usage `sign`, or the PEM that `openssl genpkey -algorithm ed25519` writes. */
export type PrivateKey = CryptoKey | string;

export interface SignerOptions {
  readonly apiKey: string;
  readonly privateKey: PrivateKey;
  /** Time for which a request is accepted, milliseconds from 100 to 60,000; default 5,000. */
  readonly recvWindowMs?: number | undefined;
}

const DEFAULT_RECV_WINDOW_MS = 5000;
const PEM = /-----BEGIN PRIVATE KEY-----([\sA-Za-z0-9+/=]*)-----END PRIVATE KEY-----/;

/** Signs requests and the `auth` messages of streams. */
export class Signer {
  private readonly key: Promise<CryptoKey>;
  private readonly recvWindowMs: number;
  private lastMs = 0;
  private sameMs = 0;

  constructor(private readonly options: SignerOptions) {
    const { privateKey, recvWindowMs = DEFAULT_RECV_WINDOW_MS } = options;
    this.recvWindowMs = recvWindowMs;
    this.key = typeof privateKey === 'string' ? importKey(privateKey) : Promise.resolve(privateKey);
    // Thrown by the first request.
    this.key.catch(() => {});
  }

  /**
   * Returns the headers of a request.
   * @param url The whole URL.
   * @param deadline End of the window instead of that of the options, milliseconds since 1970.
   * @throws Error if the private key cannot be read; NotSentError if the deadline has passed
   */
  async headers(
    method: string,
    url: string,
    body = '',
    deadline?: number,
  ): Promise<Record<string, string>> {
    const { origin, pathname, search } = new URL(url);
    const key = await this.key;
    const window = deadline === undefined ? this.defaultWindow() : windowUntil(deadline, origin);
    const target = pathname + search;
    const { timestamp, recvWindow, signature } = await this.sign(key, method, target, body, window);
    return {
      'X-API-Timestamp': `${timestamp}`,
      'X-API-Recv-Window': `${recvWindow}`,
      'X-API-Signature': signature,
    };
  }

  /** Returns the message that authenticates a stream. @throws Error if the private key cannot be read */
  async authMessage() {
    return {
      op: 'auth',
      apiKey: this.options.apiKey,
      ...(await this.sign(await this.key, 'AUTH', '/ws', '', this.defaultWindow())),
    };
  }

  private defaultWindow(): ReceiveWindow {
    return { timestamp: Date.now(), recvWindow: this.recvWindowMs };
  }

  private async sign(
    key: CryptoKey,
    method: string,
    target: string,
    body: string,
    window: ReceiveWindow,
  ) {
    const { timestamp } = window;
    // A request is accepted once: two that are equal must differ in something that they sign.
    this.sameMs = timestamp === this.lastMs ? this.sameMs + 1 : 0;
    this.lastMs = timestamp;
    const recvWindow = Math.max(1, window.recvWindow - this.sameMs);
    const { apiKey } = this.options;
    const lines = ['buttonwood-v1', method, target, apiKey, timestamp, recvWindow, body];
    const text = new TextEncoder().encode(lines.join('\n'));
    const bytes = new Uint8Array(await crypto.subtle.sign('Ed25519', key, text));
    return { timestamp, recvWindow, signature: btoa(String.fromCharCode(...bytes)) };
  }
}

/** Errors never contain any part of the key. */
async function importKey(pem: string): Promise<CryptoKey> {
  try {
    const [, base64] = PEM.exec(pem)!;
    const der = Uint8Array.from(atob(base64!.replace(/\s/g, '')), (each) => each.charCodeAt(0));
    return await crypto.subtle.importKey('pkcs8', der, 'Ed25519', false, ['sign']);
  } catch {
    throw new Error(
      'privateKey is no Ed25519 private key in PEM. Create one with: openssl genpkey -algorithm ed25519',
    );
  }
}
