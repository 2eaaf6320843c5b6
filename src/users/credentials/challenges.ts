import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { DAY_MS } from '../../config/durations.ts';
import type { Database } from '../database.ts';
import { loadSeal } from '../seals.ts';

const LIFETIME_MS = 5 * 60_000;
/** Used challenges are kept for longer than the clocks of two nodes can differ. */
const KEEP_USED_MS = DAY_MS;
const NONCE_BYTES = 16;
/** Holds milliseconds since 1970 until the year 10889. */
const TIME_BYTES = 6;
const HEAD_BYTES = NONCE_BYTES + TIME_BYTES;

/**
 * Creates and checks challenges for passkeys. A challenge contains its expiry and an HMAC-SHA-256, so nothing is
 * stored when one is requested and a flood of requests cannot evict the challenges of others. The HMAC key
 * is in the database, so every node can check a challenge. Used challenges are stored: each is valid once.
 */
export class Challenges {
  private key: Promise<Buffer> | undefined;

  constructor(
    private readonly database: Database,
    private readonly now: () => number,
  ) {}

  /** @param subject The id of the user, '' for any user who signs in. */
  async create(subject: string): Promise<Uint8Array<ArrayBuffer>> {
    const head = Buffer.alloc(HEAD_BYTES);
    randomBytes(NONCE_BYTES).copy(head);
    head.writeUIntBE(this.now() + LIFETIME_MS, NONCE_BYTES, TIME_BYTES);
    return new Uint8Array(Buffer.concat([head, await this.seal(head, subject)]));
  }

  /** Returns whether a base64url challenge was created for the subject and has not expired. */
  async isValid(challenge: string, subject: string): Promise<boolean> {
    const bytes = Buffer.from(challenge, 'base64url');
    const head = bytes.subarray(0, HEAD_BYTES);
    const seal = await this.seal(head, subject);
    if (bytes.length !== HEAD_BYTES + seal.length) return false;
    return timingSafeEqual(bytes.subarray(HEAD_BYTES), seal) && this.now() < readExpiry(head);
  }

  /** Marks a challenge as used. Returns false if it is invalid, or was used before on any node. */
  async use(challenge: string, subject: string): Promise<boolean> {
    if (!(await this.isValid(challenge, subject))) return false;
    const head = Buffer.from(challenge, 'base64url').subarray(0, HEAD_BYTES);
    const text =
      'INSERT INTO used_challenges (nonce, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING';
    return (await this.database.run(text, readNonce(head), readExpiry(head))) === 1;
  }

  /** Deletes used challenges that have long expired. */
  async deleteExpired(): Promise<void> {
    const text = 'DELETE FROM used_challenges WHERE expires_at <= $1';
    await this.database.run(text, this.now() - KEEP_USED_MS);
  }

  private async seal(head: Buffer, subject: string): Promise<Buffer> {
    this.key ??= loadSeal(this.database, 'challenges').catch((error) => {
      this.key = undefined;
      throw error;
    });
    return createHmac('sha256', await this.key)
      .update(head)
      .update(subject)
      .digest();
  }
}

function readNonce(head: Buffer): string {
  return head.toString('hex', 0, NONCE_BYTES);
}

function readExpiry(head: Buffer): number {
  return head.readUIntBE(NONCE_BYTES, TIME_BYTES);
}
