import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type ApiKey, isInForce } from '../../../engine/ledger/accounts.ts';
import type { Services } from '../../services.ts';

/** The lifetime of a listen key after it was created or extended. */
export const LISTEN_KEY_LIFETIME_MS = 60 * 60_000;
const TOPIC = 'listen-keys';
const FORM = /^[0-9a-f]{60}$/;
/** Hexadecimal digits of the API key's index and of the time of creation; the rest is a code that authenticates both. */
const INDEX_DIGITS = 8;
const TIME_DIGITS = 12;
const CODE_BYTES = 20;

/** A listen key and the API key that it was created with. */
export interface ListenKey {
  readonly text: string;
  readonly key: ApiKey;
}

/** The newest listen key of an API key that a node knows of. */
interface Newest {
  readonly createdAt: number;
  /** Milliseconds since 1970; 0 after it was deleted. */
  expiresAt: number;
}

/**
 * The listen keys of the dialect, which open the user data stream of an API key without a signature. An API key has one at a
 * time. It consists of the API key's index and its time of creation, authenticated under a secret that the nodes of a
 * cluster share, so that every node knows it. Extensions and deletions reach the other nodes by the bus; one that is lost
 * there costs a client a new listen key. A node remembers them while it runs.
 */
export class ListenKeys {
  private readonly secret: Uint8Array;
  /** By the index of the API key. Older listen keys of an API key are no longer valid. */
  private readonly newest = new Map<number, Newest>();

  constructor(private readonly services: Pick<Services, 'users' | 'replica' | 'now' | 'bus'>) {
    const { users, bus } = services;
    const secret = hkdfSync('sha256', users.orderIdSecret, '', 'binance listen keys', 32);
    this.secret = new Uint8Array(secret);
    bus?.subscribe(TOPIC, (bytes) => {
      const [text, expiresAt] = JSON.parse(new TextDecoder().decode(bytes)) as [string, number];
      this.setExpiry(text, expiresAt);
    });
  }

  /** Returns the valid listen key of an API key, extended, or a new one. */
  create({ index }: ApiKey): string {
    const now = this.services.now();
    const newest = this.newest.get(index);
    const isValid = newest !== undefined && now < newest.expiresAt;
    // Later than the one before it also within a millisecond and after the clock was set back, so that no text is used twice.
    const time = isValid ? newest.createdAt : Math.max(now, (newest?.createdAt ?? 0) + 1);
    const text = this.make(index, time);
    this.change(text, now + LISTEN_KEY_LIFETIME_MS);
    return text;
  }

  /** Returns a valid listen key; undefined if it is wrong or has expired, or its API key has ended. */
  find(text: string): ListenKey | undefined {
    if (!FORM.test(text)) return undefined;
    const head = text.slice(0, INDEX_DIGITS + TIME_DIGITS);
    const code = Buffer.from(text.slice(head.length), 'hex');
    if (!timingSafeEqual(code, this.code(head))) return undefined;
    const { state } = this.services.replica.exchange;
    const key = state.keys[read(text).index];
    const now = Math.max(this.services.now(), state.time);
    if (key === undefined || !isInForce(key, now) || !this.isValid(text)) return undefined;
    return { text, key };
  }

  extend(text: string): void {
    this.change(text, this.services.now() + LISTEN_KEY_LIFETIME_MS);
  }

  delete(text: string): void {
    this.change(text, 0);
  }

  /** Returns whether a listen key that was found before has not expired since. */
  isValid(text: string): boolean {
    const { index, createdAt } = read(text);
    const newest = this.newest.get(index);
    if (newest !== undefined && createdAt < newest.createdAt) return false;
    const isNewest = createdAt === newest?.createdAt;
    const expiresAt = isNewest ? newest!.expiresAt : createdAt + LISTEN_KEY_LIFETIME_MS;
    return this.services.now() < expiresAt;
  }

  private make(index: number, createdAt: number): string {
    const time = createdAt.toString(16).padStart(TIME_DIGITS, '0');
    const head = index.toString(16).padStart(INDEX_DIGITS, '0') + time;
    return head + this.code(head).toString('hex');
  }

  private code(head: string): Buffer {
    return createHmac('sha256', this.secret).update(head).digest().subarray(0, CODE_BYTES);
  }

  private change(text: string, expiresAt: number): void {
    this.setExpiry(text, expiresAt);
    const message = new TextEncoder().encode(JSON.stringify([text, expiresAt]));
    this.services.bus?.publish(TOPIC, message);
  }

  private setExpiry(text: string, expiresAt: number): void {
    const { index, createdAt } = read(text);
    const newest = this.newest.get(index);
    if (newest === undefined || createdAt > newest.createdAt) {
      this.newest.set(index, { createdAt, expiresAt });
    } else if (createdAt === newest.createdAt && newest.expiresAt > 0) {
      newest.expiresAt = expiresAt;
    }
  }
}

/** Reads the API key's index and the time of creation, milliseconds since 1970, of a listen key. */
function read(text: string): { readonly index: number; readonly createdAt: number } {
  return {
    index: Number.parseInt(text.slice(0, INDEX_DIGITS), 16),
    createdAt: Number.parseInt(text.slice(INDEX_DIGITS, INDEX_DIGITS + TIME_DIGITS), 16),
  };
}
