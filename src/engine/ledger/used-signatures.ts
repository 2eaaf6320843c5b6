import type { UseSignature } from '../command.ts';
import { type ElementHashes, mix, mixNumber, mixText } from '../digest.ts';
import { MAX_REMEMBERED, MAX_SIGNATURE_LIFETIME_MS } from '../limits.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';

/** A signed request that was used. */
export interface UsedSignature {
  /** Index of the API key. */
  readonly key: number;
  /** Hash of the signed text, in hex. */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

/** Maximum entries forgotten per used request: more than one, so that their number shrinks. */
const MAX_FORGOTTEN_AT_ONCE = 4;

/**
 * The signed requests that were used, remembered until their windows are certainly over, so that
 * none is used twice. The log decides, so a request cannot be replayed to another node either.
 */
export class UsedSignatures {
  /** Oldest first. */
  private readonly used = new Map<string, UsedSignature>();
  /** Number of entries by key index. */
  private readonly counts = new Map<number, number>();

  constructor(private readonly hashes: ElementHashes) {}

  get size(): number {
    return this.used.size;
  }

  /** Returns the entries, oldest first. */
  all(): Iterable<UsedSignature> {
    return this.used.values();
  }

  /** Remembers a request, or returns the reason why it must not be carried out. */
  use({ key, hash, expiresAt }: UseSignature, time: number): Rejection | undefined {
    if (time > expiresAt || expiresAt > time + MAX_SIGNATURE_LIFETIME_MS) {
      return rejected(RejectionCode.signatureExpired);
    }
    const entry = { key, hash: hash.toHex(), usedAt: time };
    if (this.used.has(toName(entry))) return rejected(RejectionCode.signatureUsed);
    const [oldest] = this.used.values();
    // While entries are due to be forgotten, each new one makes room for itself.
    const isFull = this.count(key) >= MAX_REMEMBERED.signatures;
    if (isFull && !isOver(oldest!, time)) return rejected(RejectionCode.limitReached, 'signatures');
    this.forget(time);
    this.add(entry);
    return undefined;
  }

  /** Adds an entry, from a command or a snapshot. */
  add(entry: UsedSignature): void {
    this.used.set(toName(entry), entry);
    this.counts.set(entry.key, this.count(entry.key) + 1);
    this.hashes.include(hashUsedSignature(entry));
  }

  /** Returns the number of a key's entries. */
  count(key: number): number {
    return this.counts.get(key) ?? 0;
  }

  private forget(time: number): void {
    let left = MAX_FORGOTTEN_AT_ONCE;
    for (const [name, entry] of this.used) {
      if (left-- === 0 || !isOver(entry, time)) return;
      this.used.delete(name);
      this.hashes.exclude(hashUsedSignature(entry));
      const count = this.count(entry.key) - 1;
      if (count === 0) this.counts.delete(entry.key);
      else this.counts.set(entry.key, count);
    }
  }
}

function isOver({ usedAt }: UsedSignature, time: number): boolean {
  return time - usedAt > MAX_SIGNATURE_LIFETIME_MS;
}

function toName({ key, hash }: UsedSignature): string {
  return `${key} ${hash}`;
}

export function hashUsedSignature({ key, hash, usedAt }: UsedSignature): number {
  return mixNumber(mixText(mix(36, key), hash), usedAt);
}
