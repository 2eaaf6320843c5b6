import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type ApiKey, isInForce } from '../../../engine/ledger/accounts.ts';
import type { Services } from '../../services.ts';

/** The lifetime of a listen key after it was created or extended. */
export const LISTEN_KEY_LIFETIME_MS = 60 * 60_000;
/** Listen keys whose extension is remembered; the oldest are forgotten first. */
const MAX_REMEMBERED = 100_000;
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

/**
 * The listen keys of the dialect, which open the user data stream of an API key without a signature. A listen key has an
 * API key's index and its time of creation, authenticated under a secret that the nodes of a cluster share, so that every
 * node knows it. Extensions and deletions reach the other nodes by the bus; one that is lost there costs a client a new
 * listen key.
 */
export class ListenKeys {
  private readonly secret: Uint8Array;
  /** When listen keys that were extended or deleted expire, milliseconds since 1970; the latest change last. */
  private readonly expiries = new Map<string, number>();
  /** The listen key that was created last, by API key. */
  private readonly latest = new Map<ApiKey, string>();

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
  create(key: ApiKey): string {
    const latest = this.latest.get(key);
    const text = latest !== undefined && this.isValid(latest) ? latest : this.make(key);
    this.latest.set(key, text);
    this.change(text, this.services.now() + LISTEN_KEY_LIFETIME_MS);
    return text;
  }

  /** Returns a valid listen key; undefined if it is wrong or has expired, or its API key has ended. */
  find(text: string): ListenKey | undefined {
    if (!FORM.test(text)) return undefined;
    const head = text.slice(0, INDEX_DIGITS + TIME_DIGITS);
    const code = Buffer.from(text.slice(head.length), 'hex');
    if (!timingSafeEqual(code, this.code(head))) return undefined;
    const { state } = this.services.replica.exchange;
    const key = state.keys[Number.parseInt(head.slice(0, INDEX_DIGITS), 16)];
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
    const createdAt = Number.parseInt(text.slice(INDEX_DIGITS, INDEX_DIGITS + TIME_DIGITS), 16);
    const expiresAt = this.expiries.get(text) ?? createdAt + LISTEN_KEY_LIFETIME_MS;
    return this.services.now() < expiresAt;
  }

  private make({ index }: ApiKey): string {
    const time = this.services.now().toString(16).padStart(TIME_DIGITS, '0');
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
    this.expiries.delete(text);
    if (this.expiries.size >= MAX_REMEMBERED) this.expiries.delete([...this.expiries.keys()][0]!);
    this.expiries.set(text, expiresAt);
  }
}
