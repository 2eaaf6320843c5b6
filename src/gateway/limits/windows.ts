import type { Caller } from '../auth/caller.ts';
import { ENDPOINTS, PUBLIC_LIMIT, SESSION_LIMIT } from '../endpoints/endpoints.ts';
import type { Services } from '../services.ts';
import { LimitSharing } from './limit-sharing.ts';
import { AccountWindows, AddressWindows, type RateLimitMode } from './rate-limit.ts';

/** The number in the rate limits of what leads to no endpoint. */
export const NO_ENDPOINT = ENDPOINTS.length;
/** That of pages of web/ and their files: a reload takes several, and must not cost a window of the API. */
export const WEB_FILES = ENDPOINTS.length + 1;
const WEB_LIMIT = 1200;
const LIMITS = [...ENDPOINTS.map((endpoint) => endpoint.limit), PUBLIC_LIMIT, WEB_LIMIT];
/**
 * Refused requests of one address, a minute, that are answered at once. A client that tries again as often as it
 * may stays far below.
 */
const FREE_REFUSALS = 500;
/** Of the windows that every account has: one for each endpoint that takes keys, the first for all others. */
const KEY_LIMITS = [SESSION_LIMIT];
export const KEY_SLOTS = ENDPOINTS.map(({ access, limit }) =>
  access === 'public' || access === 'session' ? 0 : KEY_LIMITS.push(limit) - 1,
);

/** The windows that requests count in. Nodes that number their endpoints alike count as one. */
export class Windows {
  readonly accounts: AccountWindows;
  /** An open page must not drain the windows of its holder's bots. */
  readonly sessions: AddressWindows;
  readonly addresses: AddressWindows;
  /** Wrong credentials count apart: they never drain an account's window nor a public one. */
  readonly failures: AddressWindows;
  /** Refused requests of all endpoints; each node counts its own, for it is its own time that they cost. */
  readonly refusals: AddressWindows;
  private readonly sharing: LimitSharing | undefined;

  constructor({ bus, now }: Pick<Services, 'bus' | 'now'>, mode: RateLimitMode) {
    this.accounts = new AccountWindows(KEY_LIMITS, mode);
    this.sessions = new AddressWindows(LIMITS, mode);
    this.addresses = new AddressWindows(LIMITS, mode);
    this.failures = new AddressWindows(LIMITS, mode);
    this.refusals = new AddressWindows([FREE_REFUSALS], mode);
    if (bus === undefined || mode === 'off') return;
    const all = [this.accounts, this.sessions, this.addresses, this.failures];
    const numbered = ENDPOINTS.map(({ method, path }, index) => [method, path, KEY_SLOTS[index]]);
    this.sharing = new LimitSharing(bus, all, JSON.stringify(numbered), now);
  }

  /** Counts further requests of an authorized one; the windows returned hold what became of them. */
  takeFurther(
    caller: Caller,
    endpoint: number,
    requests: number,
    nowMs: number,
  ): AccountWindows | AddressWindows {
    const { id, index, limitClass } = caller.account;
    if ('session' in caller) {
      this.sessions.take(id, endpoint, nowMs, limitClass, requests);
      return this.sessions;
    }
    this.accounts.take(index, KEY_SLOTS[endpoint]!, limitClass, nowMs, requests);
    return this.accounts;
  }

  /** Tells the other nodes no more of what is counted here. */
  close(): void {
    this.sharing?.stop();
  }
}
