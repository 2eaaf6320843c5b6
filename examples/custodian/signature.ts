import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/** Ed25519 signatures of requests, the same in both directions: see docs/operating/custody.md. */

const FORMAT = 'buttonwood-v1';
/** The bytes before the key in a SubjectPublicKeyInfo (RFC 8410). */
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Returns a new private key as PEM. */
export function generateKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
}

/** Returns the 32 bytes of the public key of a private key, base64. */
export function publicKeyText(privateKey: string): string {
  const der = createPublicKey(createPrivateKey(privateKey)).export({ format: 'der', type: 'spki' });
  return der.subarray(-32).toString('base64');
}

/** Returns the headers that sign a request of the custodian. @param timestamp The exchange's time, ms since 1970. */
export function signatureHeaders(
  privateKey: string,
  target: string,
  timestamp: number,
  body: string,
): Record<string, string> {
  const recvWindow = 5000;
  const text = [FORMAT, 'POST', target, 'custodian', timestamp, recvWindow, body].join('\n');
  return {
    'content-type': 'application/json',
    'x-api-timestamp': String(timestamp),
    'x-api-recv-window': String(recvWindow),
    'x-api-signature': sign(null, Buffer.from(text), createPrivateKey(privateKey)).toString(
      'base64',
    ),
  };
}

/** Checks requests of the exchange. */
export class ExchangeSignatures {
  private readonly keys: readonly KeyObject[];

  /** @param publicKeys `exchangeKey` and `nextExchangeKey` of GET /api/admin/custodian. */
  constructor(publicKeys: readonly string[]) {
    this.keys = publicKeys.map((text) => {
      const der = Buffer.concat([PUBLIC_PREFIX, Buffer.from(text, 'base64')]);
      return createPublicKey({ key: der, format: 'der', type: 'spki' });
    });
  }

  /** Returns why a request is rejected; undefined if its signature is valid and in time. */
  findFault(
    target: string,
    header: (name: string) => string | undefined,
    body: string,
    now: number,
  ): string | undefined {
    const timestamp = header('x-api-timestamp') ?? '';
    const recvWindow = header('x-api-recv-window') ?? '';
    if (Math.abs(now - Number(timestamp)) > Number(recvWindow)) return 'not in its time window';
    const text = [FORMAT, 'POST', target, 'exchange', timestamp, recvWindow, body].join('\n');
    const signature = Buffer.from(header('x-api-signature') ?? '', 'base64');
    const isSigned = this.keys.some((key) => verify(null, Buffer.from(text), key, signature));
    return isSigned ? undefined : 'not signed';
  }
}
