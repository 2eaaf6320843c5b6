import {
  createCipheriv,
  createECDH,
  createHmac,
  createPrivateKey,
  type ECDH,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

/** The keys of a browser's push subscription, in base64url (Push API, PushSubscriptionJSON). */
export interface PushKeys {
  readonly p256dh: string;
  readonly auth: string;
}

const CURVE = 'prime256v1';
/** An uncompressed point of P-256. */
const PUBLIC_KEY_BYTES = 65;
const PRIVATE_KEY_BYTES = 32;
const AUTH_BYTES = 16;
const SALT_BYTES = 16;
const RECORD_SIZE = 4096;
/** Marks the end of the last record, before its padding (RFC 8188, 2). */
const LAST_RECORD = Uint8Array.of(2);
/** Maximum is a day (RFC 8292, 2). */
const TOKEN_LIFETIME_S = 12 * 3600;

/** Returns whether the keys have the lengths of a subscription's, and the public one is a point of the curve. */
export function arePushKeys({ p256dh, auth }: PushKeys): boolean {
  const key = Buffer.from(p256dh, 'base64url');
  if (key.length !== PUBLIC_KEY_BYTES || Buffer.from(auth, 'base64url').length !== AUTH_BYTES) {
    return false;
  }
  try {
    newSender().computeSecret(key);
    return true;
  } catch {
    return false;
  }
}

/**
 * Encrypts a message, so that only the browser can read it, not its push service (RFC 8291, RFC 8188).
 * @param sender A new key pair, other than in tests.
 */
export function encryptPush(
  text: string,
  { p256dh, auth }: PushKeys,
  sender: ECDH = newSender(),
  salt: Uint8Array = randomBytes(SALT_BYTES),
): Uint8Array {
  const receiverKey = Buffer.from(p256dh, 'base64url');
  const senderKey = sender.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey]);
  const shared = sender.computeSecret(receiverKey);
  const key = derive(shared, Buffer.from(auth, 'base64url'), info, 32);
  const contentKey = derive(key, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(key, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce);
  const content = Buffer.concat([Buffer.from(text), LAST_RECORD]);
  const sealed = [cipher.update(content), cipher.final(), cipher.getAuthTag()];
  const size = Buffer.alloc(5);
  size.writeUInt32BE(RECORD_SIZE);
  size[4] = senderKey.length;
  return Buffer.concat([salt, size, senderKey, ...sealed]);
}

function newSender(): ECDH {
  const sender = createECDH(CURVE);
  sender.generateKeys();
  return sender;
}

function derive(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
}

/**
 * The key by which push services recognize the exchange (VAPID, RFC 8292). It is derived from a secret of the exchange, so
 * that all nodes have it and none is stored.
 */
export class PushIdentity {
  /** In base64url, as browsers expect it when they subscribe. */
  readonly publicKey: string;
  private readonly key: KeyObject;

  /** @param contact URL of the exchange, by which push services reach its operators. */
  constructor(
    seal: Uint8Array,
    private readonly contact: string,
  ) {
    const pair = createECDH(CURVE);
    const secret = derivePrivateKey(seal, pair);
    const point = pair.getPublicKey();
    this.publicKey = point.toString('base64url');
    const middle = 1 + PRIVATE_KEY_BYTES;
    this.key = createPrivateKey({
      format: 'jwk',
      key: {
        ...{ kty: 'EC', crv: 'P-256', d: secret.toString('base64url') },
        x: point.subarray(1, middle).toString('base64url'),
        y: point.subarray(middle).toString('base64url'),
      },
    });
  }

  /** Returns the value of the header Authorization for a push service. */
  authorization(endpoint: string, nowSeconds: number): string {
    const header = encode({ typ: 'JWT', alg: 'ES256' });
    const claims = encode({
      aud: new URL(endpoint).origin,
      exp: nowSeconds + TOKEN_LIFETIME_S,
      sub: this.contact,
    });
    const signature = sign('sha256', Buffer.from(`${header}.${claims}`), {
      key: this.key,
      dsaEncoding: 'ieee-p1363',
    });
    return `vapid t=${header}.${claims}.${signature.toString('base64url')}, k=${this.publicKey}`;
  }
}

/** Returns a private key of the curve; one in four billion numbers is none, and the next is taken. */
function derivePrivateKey(seal: Uint8Array, pair: ECDH): Buffer {
  for (let attempt = 0; ; attempt++) {
    const secret = createHmac('sha256', seal).update(`push\n${attempt}`).digest();
    try {
      pair.setPrivateKey(secret);
      return secret;
    } catch {
      // Not between 1 and the order of the curve.
    }
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
