import { type Account, type ApiKey, isInForce } from '../../engine/ledger/accounts.ts';
import type { State } from '../../engine/state.ts';
import { Permission } from '../../engine/terms.ts';
import type { Session } from '../../users/sessions.ts';
import type { Access } from '../endpoints/endpoint.ts';
import type { Visit } from '../http/call.ts';
import { AddressList, addressScope, clientAddress } from '../http/client-address.ts';
import type { RateLimitState } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import type { RateLimitMode } from '../limits/rate-limit.ts';
import { KEY_SLOTS, NO_ENDPOINT, Windows } from '../limits/windows.ts';
import type { Services } from '../services.ts';
import { AllowLists } from './allow-lists.ts';
import { conclude, foreign, refusalOfFrozen } from './authorization-errors.ts';
import type { Caller, SessionCaller } from './caller.ts';
import { sessionSecret } from './cookies.ts';
import { parseBearer } from './credentials.ts';
import { KnownKeys } from './known-keys.ts';
import { isBrowserRefused, isForeignPage, isOwnSite, type OwnSite } from './origin.ts';
import { permissionFor } from './permissions.ts';
import { SessionLookups } from './session-lookups.ts';

export interface AuthorizationOptions {
  readonly rateLimits: RateLimitMode;
  readonly trustedProxies: readonly string[];
  readonly isSandbox: boolean;
  readonly baseUrl: string;
  /** That, where the operator has set it. */
  readonly publicUrl?: string | undefined;
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
  /** The secret of the session that its cookie has. */
  readonly session?: string | undefined;
}

/** A request's window, and why the request goes no further, if it does not. */
export interface Authorized {
  rateLimit: RateLimitState;
  /** Who asks: a key, or a browser that is signed in. */
  readonly caller: Caller | undefined;
  /** An ApiError, or what kept a session from being looked up. */
  readonly error: unknown;
}

/**
 * Lets a request in or not: credentials (401), then rate limit (429), then permission (403), in the
 * order of API section 1. Every answer carries the window that the request counted in.
 */
export class Authorization {
  private readonly windows: Windows;
  private readonly keys: KnownKeys;
  private readonly lookups: SessionLookups;
  private readonly trustedProxies: AddressList;
  private readonly allowLists = new AllowLists();
  private readonly ownSite: OwnSite;

  constructor(
    private readonly services: Services,
    private readonly options: AuthorizationOptions,
  ) {
    this.windows = new Windows(services, options.rateLimits);
    this.keys = new KnownKeys(services.replica.exchange.state);
    this.lookups = new SessionLookups(services.accounts.sessions);
    this.trustedProxies = new AddressList(options.trustedProxies);
    const { baseUrl, publicUrl } = options;
    this.ownSite = { url: new URL(baseUrl), isNamed: publicUrl !== undefined };
  }

  /** Tells the other nodes no more of what is counted here. */
  close(): void {
    this.windows.close();
  }

  /** Counts a refused request. @returns Whether its address has had so many in a minute that it floods the exchange. */
  isFlooding(request: Request, peers: PeerSource): boolean {
    const scope = addressScope(this.addressOf(request, peers));
    return !this.windows.refusals.take(scope, 0, this.services.now());
  }

  /** A request that asks for no credentials counts by the address it comes from. */
  authorizePublic(request: Request, peers: PeerSource, endpoint: number): Authorized {
    const scope = addressScope(this.addressOf(request, peers));
    this.windows.addresses.take(scope, endpoint, this.services.now());
    return conclude(this.windows.addresses);
  }

  /**
   * A promise only where a session has to be looked up, or where there are other nodes, one of which may have made
   * the key a moment ago: never with a key that is known.
   */
  authorizePrivate(
    request: Request,
    peers: PeerSource,
    endpoint: number,
    access: Access,
  ): Authorized | Promise<Authorized> {
    const { headers } = request;
    const key = this.authenticate(headers, this.services.now());
    if (key !== undefined) return this.authorizeKey(request, peers, endpoint, access, key);
    const isShown = headers.has('authorization') && headers.has('x-api-secret');
    const current =
      isShown && this.mayGuess(endpoint, this.addressOf(request, peers))
        ? this.services.replica.whenCurrent()
        : undefined;
    if (current === undefined) return this.authorizeWithoutKey(request, peers, endpoint, access);
    const admit = () => {
      const found = this.authenticate(headers, this.services.now());
      return found === undefined
        ? this.authorizeWithoutKey(request, peers, endpoint, access)
        : this.authorizeKey(request, peers, endpoint, access, found);
    };
    // Whether it is one cannot be known now: nobody is told that theirs is wrong.
    return current.then(admit, (error) => this.authorizeNone(request, peers, endpoint, error));
  }

  private authorizeKey(
    request: Request,
    peers: PeerSource,
    endpoint: number,
    access: Access,
    key: ApiKey,
  ): Authorized {
    const now = this.services.now();
    const { account } = key;
    this.windows.accounts.take(account.index, KEY_SLOTS[endpoint]!, account.limitClass, now);
    const error = this.windows.accounts.allowed
      ? this.refusal(request, peers, key, account, access)
      : undefined;
    const authorized = conclude(this.windows.accounts, error, key);
    if (authorized.error === undefined) this.services.keyUses.note(key, now);
    return authorized;
  }

  /** Counts each order in a body beyond the first. @throws ApiError RATE_LIMIT_EXCEEDED */
  countFurther(authorized: Authorized, endpoint: number, orders: number): void {
    const { windows, services } = this;
    const counted = windows.takeFurther(authorized.caller!, endpoint, orders, services.now());
    const { rateLimit, error } = conclude(counted);
    if (error !== undefined) throw error;
    authorized.rateLimit = rateLimit;
  }

  /**
   * Why who was let in goes no further after all: a body may come long after its headers, and what they
   * showed may have ended meanwhile. A promise only where a session has to be looked up.
   */
  refusalSince(
    request: Request,
    caller: Caller,
    access: Access,
  ): ApiError | undefined | Promise<ApiError | undefined> {
    if (!('session' in caller)) {
      const isOver = !isInForce(caller, Math.max(this.services.now(), this.state.time));
      return isOver ? new ApiError('UNAUTHORIZED') : refusalOfFrozen(caller.account, access);
    }
    const { sessions } = this.services.accounts;
    const secret = sessionSecret(request.headers.get('cookie'))!;
    const refusal = (session: Session | undefined) =>
      session === undefined
        ? new ApiError('UNAUTHORIZED')
        : refusalOfFrozen(caller.account, access);
    const session = sessions.cached(secret);
    return session === undefined ? sessions.find(secret).then(refusal) : refusal(session);
  }

  /**
   * The key that a stream shows; a promise where there are other nodes, one of which may have made or revoked
   * it a moment ago. Wrong ones count like those of requests.
   * @throws ApiError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, IP_NOT_ALLOWED, BROWSER_NOT_ALLOWED; CommandNotAppliedError
   */
  authorizeStream(apiKey: string, secret: string, from: StreamOrigin): ApiKey | Promise<ApiKey> {
    const admit = () => this.authorizeStreamWith(apiKey, secret, from);
    const isKnown = this.keyOf(apiKey, secret, this.services.now()) !== undefined;
    return isKnown || this.mayGuess(NO_ENDPOINT, from.address) ? this.onceCurrent(admit) : admit();
  }

  private authorizeStreamWith(apiKey: string, secret: string, from: StreamOrigin): ApiKey {
    const now = this.services.now();
    const key = this.keyOf(apiKey, secret, now);
    if (key === undefined) {
      this.windows.failures.take(addressScope(from.address), NO_ENDPOINT, now);
      throw conclude(this.windows.failures, new ApiError('UNAUTHORIZED')).error;
    }
    if (!this.allowLists.allow(key, from.address)) {
      throw new ApiError('IP_NOT_ALLOWED');
    }
    if (isBrowserRefused(from.origin, from.host, this.ownSite, this.options.isSandbox)) {
      throw new ApiError('BROWSER_NOT_ALLOWED');
    }
    this.services.keyUses.note(key, now);
    return key;
  }

  /**
   * The session that a stream was opened with; a promise where it has to be looked up, or where there are other
   * nodes.
   * @throws ApiError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, BROWSER_NOT_ALLOWED; DatabaseDownError, CommandNotAppliedError
   */
  authorizeStreamBySession(from: StreamOrigin): SessionCaller | Promise<SessionCaller> {
    const admit = (session: Session | undefined) =>
      session === undefined
        ? this.authorizeStreamOf(undefined, from)
        : this.onceCurrent(() => this.authorizeStreamOf(session, from));
    if (from.session === undefined) return admit(undefined);
    const mayGuess = () => this.mayGuess(NO_ENDPOINT, from.address);
    return this.lookups.find(from.session, addressScope(from.address), mayGuess, admit);
  }

  /** Does it once this node has applied all that any had acknowledged: at once where it is alone. */
  private onceCurrent<Result>(work: () => Result): Result | Promise<Result> {
    const current = this.services.replica.whenCurrent();
    return current === undefined ? work() : current.then(work);
  }

  /**
   * Whether an address has wrong credentials left. Once it has not, none of them costs the log that nodes share a
   * batch, or the database a query.
   */
  private mayGuess(endpoint: number, address: string): boolean {
    return !this.windows.failures.isSpent(endpoint, addressScope(address), this.services.now());
  }

  private authorizeStreamOf(
    session: Session | undefined,
    { address, origin, host }: StreamOrigin,
  ): SessionCaller {
    const caller = this.callerOf(session);
    if (caller === undefined) {
      this.windows.failures.take(addressScope(address), NO_ENDPOINT, this.services.now());
      throw conclude(this.windows.failures, new ApiError('UNAUTHORIZED')).error;
    }
    if (origin === null || !isOwnSite(origin.toLowerCase(), host, this.ownSite)) throw foreign();
    return caller;
  }

  /** Who is at the door of people's endpoints. @throws ApiError BROWSER_NOT_ALLOWED from another site's page */
  visitOf(request: Request, peers: PeerSource): Visit {
    const { headers } = request;
    // What has no Origin is no page that sends something.
    if (isForeignPage(headers, true, this.ownSite)) throw foreign();
    const address = this.addressOf(request, peers);
    const origin = headers.get('origin')?.toLowerCase();
    return { address, scope: addressScope(address), origin };
  }

  /** Key headers decide where there are any, else the session of the cookie. */
  private authorizeWithoutKey(
    request: Request,
    peers: PeerSource,
    endpoint: number,
    access: Access,
  ): Authorized | Promise<Authorized> {
    const { headers } = request;
    const secret =
      headers.has('authorization') || headers.has('x-api-secret')
        ? undefined
        : sessionSecret(headers.get('cookie'));
    const admit = (session: Session | undefined) =>
      this.authorizeSession(request, peers, endpoint, access, session);
    if (secret === undefined) return admit(undefined);
    const address = this.addressOf(request, peers);
    return this.lookups.find(
      secret,
      addressScope(address),
      () => this.mayGuess(endpoint, address),
      admit,
      (error) => this.authorizeNone(request, peers, endpoint, error),
    );
  }

  /** Whose session or key cannot be looked up counts by address, as wrong credentials do. */
  private authorizeNone(
    request: Request,
    peers: PeerSource,
    endpoint: number,
    error: unknown,
  ): Authorized {
    const scope = addressScope(this.addressOf(request, peers));
    this.windows.failures.take(scope, endpoint, this.services.now());
    return conclude(this.windows.failures, error);
  }

  private authorizeSession(
    request: Request,
    peers: PeerSource,
    endpoint: number,
    access: Access,
    session: Session | undefined,
  ): Authorized {
    const now = this.services.now();
    const caller = this.callerOf(session);
    if (caller === undefined) {
      return this.authorizeNone(request, peers, endpoint, new ApiError('UNAUTHORIZED'));
    }
    const { account } = caller;
    this.windows.sessions.take(account.id, endpoint, now, account.limitClass);
    const error = this.windows.sessions.allowed
      ? this.sessionRefusal(request, caller, access)
      : undefined;
    return conclude(this.windows.sessions, error, caller);
  }

  private sessionRefusal(
    { method, headers }: Request,
    { account, permissions }: SessionCaller,
    access: Access,
  ): ApiError | undefined {
    if (access !== 'session' && (permissions & Permission[permissionFor(access)]) === 0) {
      const required = permissionFor(access);
      return new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required });
    }
    const refusal = refusalOfFrozen(account, access);
    if (refusal !== undefined) return refusal;
    const isRead = method === 'GET' || method === 'HEAD';
    return isForeignPage(headers, isRead, this.ownSite) ? foreign() : undefined;
  }

  private callerOf(session: Session | undefined): SessionCaller | undefined {
    if (session === undefined) return undefined;
    const account = this.state.accountsById.get(session.accountId);
    return account === undefined
      ? undefined
      : { session, account, permissions: session.permissions };
  }

  private authenticate(headers: Headers, now: number): ApiKey | undefined {
    const apiKey = parseBearer(headers.get('authorization'));
    const secret = headers.get('x-api-secret');
    if (apiKey === undefined || secret === null) return undefined;
    return this.keyOf(apiKey, secret, now);
  }

  /** Unknown key, wrong secret, expired, revoked: one answer, after the same work. */
  private keyOf(apiKey: string, secret: string, now: number): ApiKey | undefined {
    const key = this.keys.find(apiKey, secret);
    if (key === undefined) return undefined;
    return isInForce(key, Math.max(now, this.state.time)) ? key : undefined;
  }

  private refusal(
    request: Request,
    peers: PeerSource,
    key: ApiKey,
    account: Account,
    access: Access,
  ): ApiError | undefined {
    const required = permissionFor(access);
    if ((key.permissions & Permission[required]) === 0) {
      return new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required });
    }
    if (key.addresses.length > 0 && !this.allowLists.allow(key, this.addressOf(request, peers))) {
      return new ApiError('IP_NOT_ALLOWED');
    }
    const frozen = refusalOfFrozen(account, access);
    if (frozen !== undefined) return frozen;
    const { headers } = request;
    const origin = headers.get('origin');
    const isRefused =
      origin !== null &&
      isBrowserRefused(origin, headers.get('host'), this.ownSite, this.options.isSandbox);
    return isRefused ? new ApiError('BROWSER_NOT_ALLOWED') : undefined;
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
