import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from './database.ts';

const LIFETIME_MS = 5 * 60_000;
/** Used ones are kept for longer than the clocks of two nodes may ever differ. */
const KEEP_USED_MS = 24 * 3_600_000;
const NONCE_BYTES = 16;
/** Milliseconds since 1970, until the year 10889. */
const TIME_BYTES = 6;
const HEAD_BYTES = NONCE_BYTES + TIME_BYTES;

/**
 * Challenges of passkeys that carry their own end and a seal (HMAC-SHA-256 with a key of the database's, so
 * that one made on a node is answered on another): nothing is kept for who only asks, so no flood of askers
 * pushes out those of others. Kept are those that were answered rightly, for each is good once.
 */
export class Challenges {
  private key: Promise<Buffer> | undefined;

  constructor(
    private readonly database: Database,
    private readonly now: () => number,
  ) {}

  /** @param subject The id of the person that it is for, '' for whoever signs in. */
  async make(subject: string): Promise<Uint8Array<ArrayBuffer>> {
    const head = Buffer.alloc(HEAD_BYTES);
    randomBytes(NONCE_BYTES).copy(head);
    head.writeUIntBE(this.now() + LIFETIME_MS, NONCE_BYTES, TIME_BYTES);
    return new Uint8Array(Buffer.concat([head, await this.seal(head, subject)]));
  }

  /** Whether a challenge, as base64url, was made for the subject and is not over. */
  async isGood(challenge: string, subject: string): Promise<boolean> {
    const bytes = Buffer.from(challenge, 'base64url');
    const head = bytes.subarray(0, HEAD_BYTES);
    const seal = await this.seal(head, subject);
    if (bytes.length !== HEAD_BYTES + seal.length) return false;
    return timingSafeEqual(bytes.subarray(HEAD_BYTES), seal) && this.now() < endOf(head);
  }

  /** Uses a good challenge up. @returns False where it was used before, here or on another node. */
  async use(challenge: string, subject: string): Promise<boolean> {
    if (!(await this.isGood(challenge, subject))) return false;
    const head = Buffer.from(challenge, 'base64url').subarray(0, HEAD_BYTES);
    const text =
      'INSERT INTO used_challenges (nonce, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING';
    return (await this.database.run(text, nonceOf(head), endOf(head))) === 1;
  }

  /** Forgets used ones that are over. */
  async tidy(): Promise<void> {
    const text = 'DELETE FROM used_challenges WHERE expires_at <= $1';
    await this.database.run(text, this.now() - KEEP_USED_MS);
  }

  private async seal(head: Buffer, subject: string): Promise<Buffer> {
    this.key ??= this.loadKey().catch((error) => {
      this.key = undefined;
      throw error;
    });
    return createHmac('sha256', await this.key)
      .update(head)
      .update(subject)
      .digest();
  }

  /** The one that was written first. */
  private async loadKey(): Promise<Buffer> {
    const text = 'INSERT INTO seals (name, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING';
    await this.database.run(text, 'challenges', randomBytes(32).toString('hex'));
    const [row] = await this.database.query(
      'SELECT secret FROM seals WHERE name = $1',
      'challenges',
    );
    return Buffer.from(String(row!.secret), 'hex');
  }
}

function nonceOf(head: Buffer): string {
  return head.toString('hex', 0, NONCE_BYTES);
}

function endOf(head: Buffer): number {
  return head.readUIntBE(NONCE_BYTES, TIME_BYTES);
}
