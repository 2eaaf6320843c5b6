import { type Account, type ApiKey, isInForce } from '../engine/accounts.ts';
import type { State } from '../engine/state.ts';
import { Permission } from '../engine/terms.ts';
import { AddressList, addressScope, clientAddress } from './address.ts';
import { parseBearer, verifySecret } from './credentials.ts';
import type { RateLimitState } from './envelope.ts';
import { ApiError } from './errors.ts';
import { isBrowserRefused } from './origin.ts';
import { AccountWindows, AddressWindows, type RateLimitMode } from './rate-limit.ts';
import { type Access, ENDPOINTS, PUBLIC_LIMIT } from './rest/endpoints.ts';
import type { Services } from './services.ts';

export interface AdmissionOptions {
  readonly rateLimits: RateLimitMode;
  readonly trustedProxies: readonly string[];
  readonly isSandbox: boolean;
  readonly baseUrl: string;
}

/** What the server tells of a request's connection: nothing, where it is gone already. */
export interface PeerSource {
  requestIP(request: Request): { address: string } | null;
}

/** Where a stream was opened from, by the request that opened it. */
export interface StreamOrigin {
  /** The client's own address, behind proxies too. */
  readonly address: string;
  readonly origin: string | null;
  readonly host: string | null;
}

/** A request's window, and why the request goes no further, if it does not. */
export interface Admitted {
  readonly rateLimit: RateLimitState;
  readonly key: ApiKey | undefined;
  readonly error: ApiError | undefined;
}

/** The number in the rate limits of what leads to no endpoint. */
export const NO_ENDPOINT = ENDPOINTS.length;
/** That of pages of web/ and their files: a reload takes several, and must not cost a window of the API. */
export const WEB_FILES = ENDPOINTS.length + 1;
const WEB_LIMIT = 1200;
const LIMITS = [...ENDPOINTS.map((endpoint) => endpoint.limit), PUBLIC_LIMIT, WEB_LIMIT];

/**
 * Lets a request in or not: credentials (401), then rate limit (429), then permission (403), in the
 * order of API section 1. Every answer carries the window that the request counted in.
 */
export class Admission {
  private readonly accounts: AccountWindows;
  private readonly addresses: AddressWindows;
  /** Wrong credentials count apart: they never drain an account's window nor a public one. */
  private readonly failures: AddressWindows;
  private readonly trustedProxies: AddressList;
  private readonly allowLists = new WeakMap<ApiKey, AddressList>();
  private readonly baseUrl: URL;

  constructor(
    private readonly services: Services,
    private readonly options: AdmissionOptions,
  ) {
    this.accounts = new AccountWindows(LIMITS, options.rateLimits);
    this.addresses = new AddressWindows(LIMITS, options.rateLimits);
    this.failures = new AddressWindows(LIMITS, options.rateLimits);
    this.trustedProxies = new AddressList(options.trustedProxies);
    this.baseUrl = new URL(options.baseUrl);
  }

  /** A request that asks for no credentials counts by the address it comes from. */
  admitPublic(request: Request, peers: PeerSource, endpoint: number): Admitted {
    const scope = addressScope(this.addressOf(request, peers));
    this.addresses.take(scope, endpoint, this.services.now());
    return conclude(this.addresses);
  }

  admitPrivate(request: Request, peers: PeerSource, endpoint: number, access: Access): Admitted {
    const now = this.services.now();
    const { headers } = request;
    const key = this.authenticate(headers, now);
    if (key === undefined) {
      const scope = addressScope(this.addressOf(request, peers));
      this.failures.take(scope, endpoint, now);
      return conclude(this.failures, new ApiError('UNAUTHORIZED'));
    }
    const { account } = key;
    this.accounts.take(account.index, endpoint, account.limitClass, now);
    const error = this.accounts.allowed
      ? this.refusal(request, peers, key, account, access)
      : undefined;
    return conclude(this.accounts, error, key);
  }

  /**
   * The key that a stream shows. Wrong ones count like those of requests.
   * @throws ApiError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, IP_NOT_ALLOWED, BROWSER_NOT_ALLOWED
   */
  admitStream(apiKey: string, secret: string, from: StreamOrigin): ApiKey {
    const now = this.services.now();
    const key = this.keyOf(apiKey, secret, now);
    if (key === undefined) {
      this.failures.take(addressScope(from.address), NO_ENDPOINT, now);
      throw conclude(this.failures, new ApiError('UNAUTHORIZED')).error;
    }
    if (key.addresses.length > 0 && !this.allowListOf(key).includes(from.address)) {
      throw new ApiError('IP_NOT_ALLOWED');
    }
    if (isBrowserRefused(from.origin, from.host, this.baseUrl, this.options.isSandbox)) {
      throw new ApiError('BROWSER_NOT_ALLOWED');
    }
    return key;
  }

  private authenticate(headers: Headers, now: number): ApiKey | undefined {
    const apiKey = parseBearer(headers.get('authorization'));
    const secret = headers.get('x-api-secret');
    if (apiKey === undefined || secret === null) return undefined;
    return this.keyOf(apiKey, secret, now);
  }

  /** Unknown key, wrong secret, expired, revoked: one answer, after the same work. */
  private keyOf(apiKey: string, secret: string, now: number): ApiKey | undefined {
    const key = this.state.keysByApiKey.get(apiKey);
    if (!verifySecret(secret, key?.secretHash) || key === undefined) return undefined;
    return isInForce(key, Math.max(now, this.state.time)) ? key : undefined;
  }

  private refusal(
    request: Request,
    peers: PeerSource,
    key: ApiKey,
    account: Account,
    access: Access,
  ): ApiError | undefined {
    const permission = Permission[access as keyof typeof Permission];
    if ((key.permissions & permission) === 0) {
      return new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required: access });
    }
    if (key.addresses.length > 0) {
      const address = this.addressOf(request, peers);
      if (!this.allowListOf(key).includes(address)) return new ApiError('IP_NOT_ALLOWED');
    }
    if (account.frozen && access === 'trade') return new ApiError('ACCOUNT_FROZEN');
    const { headers } = request;
    const origin = headers.get('origin');
    const isRefused =
      origin !== null &&
      isBrowserRefused(origin, headers.get('host'), this.baseUrl, this.options.isSandbox);
    return isRefused ? new ApiError('BROWSER_NOT_ALLOWED') : undefined;
  }

  private allowListOf(key: ApiKey): AddressList {
    let list = this.allowLists.get(key);
    if (list === undefined) {
      list = new AddressList(key.addresses);
      this.allowLists.set(key, list);
    }
    return list;
  }

  /** Of a connection that is gone, an address that no list includes. */
  private addressOf(request: Request, peers: PeerSource): string {
    const peer = peers.requestIP(request)?.address ?? '';
    const forwardedFor =
      this.options.trustedProxies.length === 0 ? null : request.headers.get('x-forwarded-for');
    return clientAddress(peer, forwardedFor, this.trustedProxies);
  }

  private get state(): State {
    return this.services.replica.exchange.state;
  }
}

/** The limiter's fields hold only until its next request: they are copied. */
function conclude(
  windows: AccountWindows | AddressWindows,
  refusal?: ApiError,
  key?: ApiKey,
): Admitted {
  const { allowed, limit, remaining, resetSeconds, retryAfterSeconds } = windows;
  const error = allowed
    ? refusal
    : new ApiError('RATE_LIMIT_EXCEEDED', undefined, { retryAfter: retryAfterSeconds });
  return { rateLimit: { limit, remaining, resetSeconds }, key, error };
}
