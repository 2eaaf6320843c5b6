import { type Account, type ApiKey, isInForce } from '../../engine/ledger/accounts.ts';
import type { State } from '../../engine/state.ts';
import { Permission } from '../../engine/terms.ts';
import type { Session } from '../../users/sessions.ts';
import type { Visit } from '../http/call.ts';
import {
  AddressList,
  addressScope,
  clientAddress,
  type PeerSource,
} from '../http/client-address.ts';
import { ApiError } from '../http/errors.ts';
import type { RateLimitMode } from '../limits/rate-limit.ts';
import { KEY_SLOTS, NO_ENDPOINT, Windows } from '../limits/windows.ts';
import type { Services } from '../services.ts';
import { AllowLists } from './allow-lists.ts';
import type { Caller, SessionCaller } from './caller.ts';
import { sessionSecret } from './cookies.ts';
import { parseBearer } from './credentials.ts';
import { type Decision, foreignPageError, frozenError, toDecision } from './decision.ts';
import { KnownKeys } from './known-keys.ts';
import { isBrowserRejected, isForeignPage, isOwnSite, type OwnSite } from './origin.ts';
import { type Access, permissionFor } from './permissions.ts';
import { SessionLookups } from './session-lookups.ts';

export interface AuthorizationOptions {
  readonly rateLimits: RateLimitMode;
  readonly trustedProxies: readonly string[];
  readonly isSandbox: boolean;
  readonly baseUrl: string;
  /** The base URL if the operator configured it. */
  readonly publicUrl?: string | undefined;
}

/** The origin of a stream, from the request that opened it. */
export interface StreamOrigin {
  /** The client's own address, not that of a proxy. */
  readonly address: string;
  readonly origin: string | null;
  readonly host: string | null;
  /** The secret in the session cookie. */
  readonly session?: string | undefined;
}

/**
 * Authorizes requests and streams. Checks credentials (401), then the rate limit (429), then the permission (403).
 * Every response reports the window that its request was counted in.
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

  /** Stops sharing rate-limit counts with other nodes. */
  close(): void {
    this.windows.close();
  }

  /** Counts a rejected request. @returns Whether its address has so many in a minute that it floods the exchange. */
  countRejection(request: Request, peers: PeerSource): boolean {
    const scope = addressScope(this.addressOf(request, peers));
    return !this.windows.rejections.take(scope, 0, this.services.now());
  }

  /** Authorizes a request that needs no credentials; it is counted by its address. */
  authorizePublic(request: Request, peers: PeerSource, endpoint: number): Decision {
    const scope = addressScope(this.addressOf(request, peers));
    this.windows.addresses.take(scope, endpoint, this.services.now());
    return toDecision(this.windows.addresses);
  }

  /**
   * Authorizes a request by its API key or session. Returns a promise only if a session must be looked up, or if the
   * key is unknown and another node may just have created it.
   */
  authorizePrivate(
    request: Request,
    peers: PeerSource,
    endpoint: number,
    access: Access,
  ): Decision | Promise<Decision> {
    const { headers } = request;
    const key = this.authenticate(headers, this.services.now());
    if (key !== undefined) return this.authorizeKey(request, peers, endpoint, access, key);
    const hasKey = headers.has('authorization') && headers.has('x-api-secret');
    const current =
      hasKey && this.mayGuess(endpoint, this.addressOf(request, peers))
        ? this.services.replica.whenCurrent()
        : undefined;
    if (current === undefined) return this.authorizeWithoutKey(request, peers, endpoint, access);
    const retry = () => {
      const found = this.authenticate(headers, this.services.now());
      return found === undefined
        ? this.authorizeWithoutKey(request, peers, endpoint, access)
        : this.authorizeKey(request, peers, endpoint, access, found);
    };
    // If this node cannot catch up, it cannot know whether the key exists, so the error is not UNAUTHORIZED.
    return current.then(retry, (error) => this.rejectByAddress(request, peers, endpoint, error));
  }

  private authorizeKey(
    request: Request,
    peers: PeerSource,
    endpoint: number,
    access: Access,
    key: ApiKey,
  ): Decision {
    const now = this.services.now();
    const { account } = key;
    this.windows.accounts.take(account.index, KEY_SLOTS[endpoint]!, account.limitClass, now);
    const error = this.windows.accounts.allowed
      ? this.keyError(request, peers, key, account, access)
      : undefined;
    const decision = toDecision(this.windows.accounts, error, key);
    if (decision.error === undefined) this.services.keyUses.note(key, now);
    return decision;
  }

  /** Counts the orders in a body beyond the first. @throws ApiError RATE_LIMIT_EXCEEDED */
  countFurther(decision: Decision, endpoint: number, orders: number): void {
    const { windows, services } = this;
    const counted = windows.takeFurther(decision.caller!, endpoint, orders, services.now());
    const { rateLimit, error } = toDecision(counted);
    if (error !== undefined) throw error;
    decision.rateLimit = rateLimit;
  }

  /**
   * Checks an authorized caller again, because a body may arrive long after its headers, when the key or session may
   * have ended. Returns a promise only if a session must be looked up.
   */
  recheck(
    request: Request,
    caller: Caller,
    access: Access,
  ): ApiError | undefined | Promise<ApiError | undefined> {
    if (!('session' in caller)) {
      const hasEnded = !isInForce(caller, Math.max(this.services.now(), this.state.time));
      return hasEnded ? new ApiError('UNAUTHORIZED') : frozenError(caller.account, access);
    }
    const { sessions } = this.services.accounts;
    const secret = sessionSecret(request.headers.get('cookie'))!;
    const check = (session: Session | undefined) =>
      session === undefined ? new ApiError('UNAUTHORIZED') : frozenError(caller.account, access);
    const session = sessions.cached(secret);
    return session === undefined ? sessions.find(secret).then(check) : check(session);
  }

  /**
   * Returns the key that a stream authenticates with. In a cluster it is a promise, because another node may just have
   * created or revoked the key. Wrong keys are counted like those of requests.
   * @throws ApiError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, IP_NOT_ALLOWED, BROWSER_NOT_ALLOWED; CommandNotAppliedError
   */
  authorizeStream(apiKey: string, secret: string, from: StreamOrigin): ApiKey | Promise<ApiKey> {
    const authorize = () => this.authorizeStreamByKey(apiKey, secret, from);
    const isKnown = this.findKey(apiKey, secret, this.services.now()) !== undefined;
    return isKnown || this.mayGuess(NO_ENDPOINT, from.address)
      ? this.onceCurrent(authorize)
      : authorize();
  }

  private authorizeStreamByKey(apiKey: string, secret: string, from: StreamOrigin): ApiKey {
    const now = this.services.now();
    const key = this.findKey(apiKey, secret, now);
    if (key === undefined) {
      this.windows.failures.take(addressScope(from.address), NO_ENDPOINT, now);
      throw toDecision(this.windows.failures, new ApiError('UNAUTHORIZED')).error;
    }
    if (!this.allowLists.allow(key, from.address)) {
      throw new ApiError('IP_NOT_ALLOWED');
    }
    if (isBrowserRejected(from.origin, from.host, this.ownSite, this.options.isSandbox)) {
      throw new ApiError('BROWSER_NOT_ALLOWED');
    }
    this.services.keyUses.note(key, now);
    return key;
  }

  /**
   * Returns the session that a stream was opened with. It is a promise if the session must be looked up, and in a
   * cluster.
   * @throws ApiError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, BROWSER_NOT_ALLOWED; DatabaseDownError, CommandNotAppliedError
   */
  authorizeStreamBySession(from: StreamOrigin): SessionCaller | Promise<SessionCaller> {
    const authorize = (session: Session | undefined) =>
      session === undefined
        ? this.toStreamCaller(undefined, from)
        : this.onceCurrent(() => this.toStreamCaller(session, from));
    if (from.session === undefined) return authorize(undefined);
    const mayGuess = () => this.mayGuess(NO_ENDPOINT, from.address);
    return this.lookups.find(from.session, addressScope(from.address), mayGuess, authorize);
  }

  /** Runs `work` after this node has applied everything that any node had acknowledged; a single node runs it at once. */
  private onceCurrent<Result>(work: () => Result): Result | Promise<Result> {
    const current = this.services.replica.whenCurrent();
    return current === undefined ? work() : current.then(work);
  }

  /**
   * Returns whether an address is below its limit of wrong credentials. Above it, unknown credentials are rejected
   * without a round trip to the cluster or a database query.
   */
  private mayGuess(endpoint: number, address: string): boolean {
    return !this.windows.failures.isSpent(endpoint, addressScope(address), this.services.now());
  }

  private toStreamCaller(
    session: Session | undefined,
    { address, origin, host }: StreamOrigin,
  ): SessionCaller {
    const caller = this.toCaller(session);
    if (caller === undefined) {
      this.windows.failures.take(addressScope(address), NO_ENDPOINT, this.services.now());
      throw toDecision(this.windows.failures, new ApiError('UNAUTHORIZED')).error;
    }
    if (origin === null || !isOwnSite(origin.toLowerCase(), host, this.ownSite)) {
      throw foreignPageError();
    }
    return caller;
  }

  /** Returns the origin of a request to a user endpoint. @throws ApiError BROWSER_NOT_ALLOWED from another site's page */
  readVisit(request: Request, peers: PeerSource): Visit {
    const { headers } = request;
    // Checked as a read, because a request without an Origin does not come from a web page.
    if (isForeignPage(headers, true, this.ownSite)) throw foreignPageError();
    const address = this.addressOf(request, peers);
    const origin = headers.get('origin')?.toLowerCase();
    return { address, scope: addressScope(address), origin };
  }

  /** Authorizes by the session cookie, unless the request has key headers: those were wrong. */
  private authorizeWithoutKey(
    request: Request,
    peers: PeerSource,
    endpoint: number,
    access: Access,
  ): Decision | Promise<Decision> {
    const { headers } = request;
    const secret =
      headers.has('authorization') || headers.has('x-api-secret')
        ? undefined
        : sessionSecret(headers.get('cookie'));
    const authorize = (session: Session | undefined) =>
      this.authorizeSession(request, peers, endpoint, access, session);
    if (secret === undefined) return authorize(undefined);
    const address = this.addressOf(request, peers);
    return this.lookups.find(
      secret,
      addressScope(address),
      () => this.mayGuess(endpoint, address),
      authorize,
      (error) => this.rejectByAddress(request, peers, endpoint, error),
    );
  }

  /** Rejects a request with wrong credentials, or whose credentials cannot be looked up; counts it by its address. */
  private rejectByAddress(
    request: Request,
    peers: PeerSource,
    endpoint: number,
    error: unknown,
  ): Decision {
    const scope = addressScope(this.addressOf(request, peers));
    this.windows.failures.take(scope, endpoint, this.services.now());
    return toDecision(this.windows.failures, error);
  }

  private authorizeSession(
    request: Request,
    peers: PeerSource,
    endpoint: number,
    access: Access,
    session: Session | undefined,
  ): Decision {
    const now = this.services.now();
    const caller = this.toCaller(session);
    if (caller === undefined) {
      return this.rejectByAddress(request, peers, endpoint, new ApiError('UNAUTHORIZED'));
    }
    const { account } = caller;
    this.windows.sessions.take(account.id, endpoint, now, account.limitClass);
    const error = this.windows.sessions.allowed
      ? this.sessionError(request, caller, access)
      : undefined;
    return toDecision(this.windows.sessions, error, caller);
  }

  private sessionError(
    { method, headers }: Request,
    { account, permissions }: SessionCaller,
    access: Access,
  ): ApiError | undefined {
    if (access !== 'session' && (permissions & Permission[permissionFor(access)]) === 0) {
      const required = permissionFor(access);
      return new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required });
    }
    const frozen = frozenError(account, access);
    if (frozen !== undefined) return frozen;
    const isRead = method === 'GET' || method === 'HEAD';
    return isForeignPage(headers, isRead, this.ownSite) ? foreignPageError() : undefined;
  }

  private toCaller(session: Session | undefined): SessionCaller | undefined {
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
    return this.findKey(apiKey, secret, now);
  }

  /** Returns the active key; undefined, after the same work, if it is unknown, expired, revoked or its secret wrong. */
  private findKey(apiKey: string, secret: string, now: number): ApiKey | undefined {
    const key = this.keys.find(apiKey, secret);
    if (key === undefined) return undefined;
    return isInForce(key, Math.max(now, this.state.time)) ? key : undefined;
  }

  private keyError(
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
    const frozen = frozenError(account, access);
    if (frozen !== undefined) return frozen;
    const { headers } = request;
    const origin = headers.get('origin');
    const isRejected =
      origin !== null &&
      isBrowserRejected(origin, headers.get('host'), this.ownSite, this.options.isSandbox);
    return isRejected ? new ApiError('BROWSER_NOT_ALLOWED') : undefined;
  }

  /** Returns the client's address; for a closed connection an empty text, which no list includes. */
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
