import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const LIFETIME_MS = 5 * 60_000;
const NONCE_BYTES = 16;
/** Milliseconds since 1970, until the year 10889. */
const TIME_BYTES = 6;
const HEAD_BYTES = NONCE_BYTES + TIME_BYTES;

/**
 * Challenges of passkeys that carry their own end and a seal (HMAC-SHA-256 with a key of this process):
 * nothing is kept for who only asks, so no flood of askers pushes out those of others. Kept until their
 * end are those that were answered rightly, for each is good once.
 */
export class Challenges {
  private readonly key = randomBytes(32);
  /** By nonce, to their end. */
  private readonly used = new Map<string, number>();

  constructor(private readonly now: () => number) {}

  /** @param subject The id of the person that it is for, '' for whoever signs in. */
  make(subject: string): Uint8Array<ArrayBuffer> {
    const head = Buffer.alloc(HEAD_BYTES);
    randomBytes(NONCE_BYTES).copy(head);
    head.writeUIntBE(this.now() + LIFETIME_MS, NONCE_BYTES, TIME_BYTES);
    return new Uint8Array(Buffer.concat([head, this.seal(head, subject)]));
  }

  /** Whether a challenge, as base64url, was made here for the subject, and neither is over nor used. */
  isGood(challenge: string, subject: string): boolean {
    const bytes = Buffer.from(challenge, 'base64url');
    const head = bytes.subarray(0, HEAD_BYTES);
    const seal = this.seal(head, subject);
    if (bytes.length !== HEAD_BYTES + seal.length) return false;
    if (!timingSafeEqual(bytes.subarray(HEAD_BYTES), seal)) return false;
    return this.now() < endOf(head) && !this.used.has(nonceOf(head));
  }

  /** Uses a good challenge up. @returns False where another answer to it was faster. */
  use(challenge: string, subject: string): boolean {
    if (!this.isGood(challenge, subject)) return false;
    const now = this.now();
    for (const [nonce, end] of this.used) if (end <= now) this.used.delete(nonce);
    const head = Buffer.from(challenge, 'base64url').subarray(0, HEAD_BYTES);
    this.used.set(nonceOf(head), endOf(head));
    return true;
  }

  private seal(head: Buffer, subject: string): Buffer {
    return createHmac('sha256', this.key).update(head).update(subject).digest();
  }
}

function nonceOf(head: Buffer): string {
  return head.toString('hex', 0, NONCE_BYTES);
}

function endOf(head: Buffer): number {
  return head.readUIntBE(NONCE_BYTES, TIME_BYTES);
}
