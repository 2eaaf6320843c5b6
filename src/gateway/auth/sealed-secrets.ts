/**
 * The secrets of HMAC keys as the log has them: encrypted with AES-256-GCM under a key of the operator that is not in
 * the log (docs/security.md#secrets-of-hmac-keys).
 *
 *   length of the sealing key's id (1 byte)   id   nonce (12 bytes)   encrypted secret   tag (16 bytes)
 *
 * The tag also covers the API key and its account, so that a seal cannot be moved to another key.
 */
import { createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SealingKey } from '../../config/seal-keys.ts';
import type { ApiKey } from '../../engine/ledger/accounts.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Names the format, which the tag covers too. */
const FORMAT = 'buttonwood-hmac-v1';

/** Encrypts and decrypts the secrets of HMAC keys. */
export class SealedSecrets {
  private readonly keys: ReadonlyMap<string, SealingKey>;
  private readonly first: SealingKey;
  /** Secrets that were used, because decrypting one takes longer than everything else that a request's check does. */
  private readonly opened = new WeakMap<SealedKey, OpenedSecret>();

  /**
   * @param keys The first encrypts, all decrypt; at least one.
   * @param randomBytes The source of nonces.
   */
  constructor(
    keys: readonly SealingKey[],
    private readonly nonceBytes: (size: number) => Uint8Array = randomBytes,
  ) {
    this.keys = new Map(keys.map((key) => [key.id, key]));
    [this.first] = keys as [SealingKey];
  }

  /** Returns the encrypted form of a new key's secret. */
  seal(apiKey: string, accountId: string, secret: string | Uint8Array): Uint8Array {
    const { id, key } = this.first;
    const nonce = this.nonceBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(toContext(id, apiKey, accountId));
    const encrypted = [cipher.update(Buffer.from(secret)), cipher.final(), cipher.getAuthTag()];
    const head = [Uint8Array.of(id.length), Buffer.from(id), nonce];
    return new Uint8Array(Buffer.concat([...head, ...encrypted]));
  }

  /** Returns the secret of a key; undefined if none of the sealing keys opens it, or it has none. */
  open({ apiKey, account, sealedSecret }: SealedKey): Buffer | undefined {
    if (sealedSecret === undefined) return undefined;
    const id = sealingKeyId(sealedSecret);
    const key = this.keys.get(id)?.key;
    if (key === undefined) return undefined;
    const start = 1 + id.length;
    const nonce = sealedSecret.subarray(start, start + NONCE_BYTES);
    const encrypted = sealedSecret.subarray(start + NONCE_BYTES, -TAG_BYTES);
    try {
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(toContext(id, apiKey, account.id))
        .setAuthTag(sealedSecret.subarray(-TAG_BYTES));
      const secret = decipher.update(encrypted);
      // Throws if the tag is wrong; the mode adds no bytes at the end.
      decipher.final();
      return secret;
    } catch {
      return undefined;
    }
  }

  /** Returns whether a key's secret is encrypted under the first sealing key. */
  isCurrent({ sealedSecret }: SealedKey): boolean {
    return sealedSecret !== undefined && sealingKeyId(sealedSecret) === this.first.id;
  }

  /** Returns whether there is a sealing key of this id. */
  has(id: string): boolean {
    return this.keys.has(id);
  }

  /** Returns whether a text was signed with a key's secret, which stays decrypted in memory from the first time on. */
  verify(key: SealedKey, text: Uint8Array, signature: Uint8Array): boolean {
    const secret = this.findOpened(key);
    if (secret === undefined) return false;
    const expected = new Bun.CryptoHasher('sha256', secret).update(text).digest();
    return timingSafeEqual(expected, signature);
  }

  private findOpened(key: SealedKey): Uint8Array | undefined {
    const { sealedSecret } = key;
    const opened = this.opened.get(key);
    // A rotation of the sealing keys encrypts it again.
    if (opened !== undefined && opened.sealedSecret === sealedSecret) return opened.secret;
    const secret = this.open(key);
    if (secret !== undefined) this.opened.set(key, { sealedSecret: sealedSecret!, secret });
    return secret;
  }
}

interface OpenedSecret {
  readonly sealedSecret: Uint8Array;
  readonly secret: Uint8Array;
}

/** The parts of a key that its seal depends on. */
export type SealedKey = Pick<ApiKey, 'apiKey' | 'sealedSecret'> & {
  readonly account: Pick<ApiKey['account'], 'id'>;
};

/** Returns the id of the key that encrypted a secret. */
export function sealingKeyId(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(1, 1 + sealed[0]!)).toString('latin1');
}

function toContext(id: string, apiKey: string, accountId: string): Buffer {
  return Buffer.from([FORMAT, id, apiKey, accountId].join('\n'));
}
