import type { Account, ApiKey } from '../../engine/ledger/accounts.ts';
import { parseBearer } from '../../users/credentials/api-keys.ts';
import type { Session } from '../../users/users.ts';
import { isAvailable } from '../endpoints/endpoint.ts';
import type { RequestOrigin } from '../http/request/call.ts';
import {
  AddressList,
  addressScope,
  clientAddress,
  type PeerSource,
} from '../http/request/client-address.ts';
import { ApiError } from '../http/response/errors.ts';
import type { EndpointLimit, RateLimitMode } from '../limits/rate-limit.ts';
import { type BinanceWindows, KEY_SLOTS, Windows } from '../limits/windows.ts';
import type { Services } from '../services.ts';
import { AllowLists } from './allow-lists.ts';
import type { Caller, SessionCaller } from './caller.ts';
import { sessionSecret } from './cookies.ts';
import { type Decision, foreignPageError, frozenError, toDecision } from './decision.ts';
import { Identities, selectionError } from './identities.ts';
import { OperationAuthorization } from './operation-authorization.ts';
import { isBrowserRejected, isForeignPage, type OwnSite } from './origin.ts';
import { type Access, missingPermission, missingSessionPermission } from './permissions.ts';
import { readSignedHeaders, type SignatureNames, type SignedRequest } from './signatures.ts';
import type { SignedPayload } from './signed-payloads.ts';
import { SignedRequests, type VerifiedRequest } from './signed-requests.ts';
import { readTarget, signedText } from './signed-text.ts';
import { type SignedAuth, StreamAuthorization, type StreamOrigin } from './stream-authorization.ts';

export type { StreamOrigin } from './stream-authorization.ts';

export interface AuthorizationOptions {
  readonly rateLimits: RateLimitMode;
  readonly trustedProxies: readonly string[];
  readonly isSandbox: boolean;
  readonly baseUrl: string;
  /** The base URL if the operator configured it. */
  readonly publicUrl?: string | undefined;
}

/**
 * Authorizes requests and streams. Checks credentials (401), then the rate limit (429), then the permission (403).
 * Every response reports the window that its request was counted in.
 */
export class Authorization {
  readonly operations: OperationAuthorization;
  private readonly windows: Windows;
  private readonly identities: Identities;
  private readonly signedRequests: SignedRequests;
  readonly streams: StreamAuthorization;
  private readonly trustedProxies: AddressList;
  private readonly allowLists = new AllowLists();
  private readonly ownSite: OwnSite;

  constructor(
    private readonly services: Services,
    readonly options: AuthorizationOptions,
  ) {
    this.windows = new Windows(services, options.rateLimits);
    this.operations = new OperationAuthorization(services, this.windows, this.allowLists);
    this.identities = new Identities(services, this.windows.failures);
    this.trustedProxies = new AddressList(options.trustedProxies);
    const { baseUrl, publicUrl } = options;
    this.ownSite = { url: new URL(baseUrl), isNamed: publicUrl !== undefined };
    this.signedRequests = new SignedRequests(services, this.windows);
    this.streams = new StreamAuthorization(
      services,
      this.identities,
      this.signedRequests,
      this.windows.failures,
      this.allowLists,
      this.ownSite,
      options.isSandbox,
    );
  }

  /** Stops sharing rate-limit counts with other nodes. */
  close(): void {
    this.windows.close();
  }

  /** The limits of the Binance dialect. */
  get binanceWindows(): BinanceWindows {
    return this.windows.binance;
  }

  /** Returns the origin of a request to the Binance dialect, whose credentials are checked like those of a stream. */
  readOrigin(request: Request, peers: PeerSource): StreamOrigin {
    const { headers } = request;
    const address = this.clientAddress(request, peers);
    return { address, origin: headers.get('origin'), host: headers.get('host') };
  }

  /** Counts a rejected request. @returns A delay for its response if its address floods the exchange with such requests */
  paceRejection(request: Request, peers: PeerSource): Promise<void> | undefined {
    return this.operations.paceRejection(this.clientAddress(request, peers));
  }

  /** Authorizes a request that needs no credentials; it is counted by its address. */
  authorizePublic(request: Request, peers: PeerSource, endpoint: number): Decision {
    const scope = addressScope(this.clientAddress(request, peers));
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
    const key = this.identities.readKey(headers, this.services.now());
    if (key !== undefined) return this.authorizeKey(request, peers, endpoint, access, key);
    const hasKey = headers.has('authorization') && headers.has('x-api-secret');
    const current =
      hasKey && this.identities.mayGuess(endpoint, this.clientAddress(request, peers))
        ? this.services.replica.whenCurrent()
        : undefined;
    if (current === undefined) return this.authorizeWithoutKey(request, peers, endpoint, access);
    const retry = () => {
      const found = this.identities.readKey(headers, this.services.now());
      return found === undefined
        ? this.authorizeWithoutKey(request, peers, endpoint, access)
        : this.authorizeKey(request, peers, endpoint, access, found);
    };
    // If this node cannot catch up, it cannot know whether the key exists, so the error is not UNAUTHORIZED.
    return current.then(retry, (error) => this.rejectByAddress(request, peers, endpoint, error));
  }

  /** Reads the signature of a request. @returns A decision if the request is rejected without reading its body */
  readSigned(request: Request, peers: PeerSource, endpoint: number): SignedRequest | Decision {
    const { headers } = request;
    try {
      const apiKey = parseBearer(headers.get('authorization')) ?? '';
      const { now, faults } = this.services;
      return readSignedHeaders(headers, apiKey, now(), faults?.skews.get(request));
    } catch (error) {
      return this.rejectByAddress(request, peers, endpoint, error);
    }
  }

  /** Authorizes a request by its signature, which covers the body. */
  async authorizeSigned(
    request: Request,
    peers: PeerSource,
    endpoint: number,
    access: Access,
    signed: SignedRequest,
    body: Uint8Array | undefined,
  ): Promise<Decision> {
    const text = signedText(request.method, readTarget(request), signed, body);
    const address = this.clientAddress(request, peers);
    const exhausted = this.signedRequests.findExhausted(signed, endpoint, address);
    if (exhausted !== undefined) {
      this.count(exhausted, endpoint);
      const decision = toDecision(this.windows.accounts);
      // A new window may just have begun.
      if (decision.error !== undefined) return decision;
    }
    try {
      const key = await this.signedRequests.findCurrent(signed, text, endpoint, address);
      if (key === undefined) throw new ApiError('UNAUTHORIZED');
      const decision = this.authorizeKey(request, peers, endpoint, access, key);
      const { expiresAt } = signed;
      decision.signed = { request: { key, text, expiresAt }, body };
      return decision;
    } catch (error) {
      return this.rejectByAddress(request, peers, endpoint, error);
    }
  }

  /** Uses a signed request that changes something: see `SignedRequests.use`. @param names For errors; headers by default */
  useSignature(request: VerifiedRequest, names?: SignatureNames): Promise<void> {
    return this.signedRequests.use(request, names);
  }

  private authorizeKey(
    request: Request,
    peers: PeerSource,
    endpoint: number,
    access: Access,
    key: ApiKey,
  ): Decision {
    const { account } = key;
    const now = this.count(key, endpoint);
    const error = this.windows.accounts.allowed
      ? this.keyError(request, peers, key, account, access)
      : undefined;
    const decision = toDecision(this.windows.accounts, error, key);
    if (key.addresses.length > 0) decision.address = this.clientAddress(request, peers);
    if (decision.error === undefined) this.services.keyUses.note(key, now);
    return decision;
  }

  /** Counts a request of a key in its account's window. @returns The time */
  private count({ account }: ApiKey, endpoint: number): number {
    const now = this.services.now();
    this.windows.accounts.take(account.index, KEY_SLOTS[endpoint]!, account.limitClass, now);
    return now;
  }

  /** Returns the limits of an API key, on the endpoints that its permissions allow. */
  listLimits({ account, permissions }: ApiKey): EndpointLimit[] {
    return this.windows.listLimits(
      account,
      (endpoint) =>
        isAvailable(endpoint, this.options.isSandbox) &&
        missingPermission(permissions, endpoint.access) === undefined,
    );
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
   * Counts a request for a past state, in addition to its endpoint's window.
   * @returns The name of the reader.
   * @throws ApiError RATE_LIMIT_EXCEEDED
   */
  countPast(request: Request, peers: PeerSource, { caller }: Decision): string {
    const { past } = this.windows;
    const scope = addressScope(this.clientAddress(request, peers));
    const reader = caller === undefined ? scope : `account ${caller.account.index}`;
    past.take(reader, 0, this.services.now(), caller?.account.limitClass);
    const { error } = toDecision(past);
    if (error !== undefined) throw error;
    return reader;
  }

  /**
   * Checks an authorized caller again, because a body may arrive long after its headers, when the key or session may
   * have ended, or the allowlist may have been changed. Returns a promise only if a session must be looked up.
   * @param address The client's address when it was authorized, if it is known: the connection may be closed by now
   */
  recheck(
    request: Request,
    caller: Caller,
    access: Access,
    peers: PeerSource,
    address: string | undefined,
  ): ApiError | undefined | Promise<ApiError | undefined> {
    if (!('session' in caller)) {
      const isListed = caller.addresses.length > 0;
      const from = address ?? (isListed ? this.clientAddress(request, peers) : '');
      return this.operations.recheck(caller, access, from);
    }
    const { sessions } = this.services.users;
    const secret = sessionSecret(request.headers.get('cookie'))!;
    const check = (session: Session | undefined) =>
      session === undefined ? new ApiError('UNAUTHORIZED') : frozenError(caller.account, access);
    const session = sessions.cached(secret);
    return session === undefined ? sessions.find(secret).then(check) : check(session);
  }

  authorizeStream(apiKey: string, secret: string, from: StreamOrigin): ApiKey | Promise<ApiKey> {
    return this.streams.authorizeByKey(apiKey, secret, from);
  }

  /** Authorizes a stream by a signature: see `StreamAuthorization`. */
  authorizeStreamBySignature(sent: SignedAuth, from: StreamOrigin): Promise<ApiKey> {
    return this.streams.authorizeBySignature(sent, from);
  }

  /** Checks a message of a dialect by its signature: see `StreamAuthorization`. */
  verifyStreamPayload(
    payload: SignedPayload,
    from: StreamOrigin,
  ): VerifiedRequest | Promise<VerifiedRequest> {
    return this.streams.verifyPayload(payload, from);
  }

  authorizeStreamBySession(from: StreamOrigin): SessionCaller | Promise<SessionCaller> {
    return this.streams.authorizeBySession(from);
  }

  /** Returns the origin of a request to a user endpoint. @throws ApiError BROWSER_NOT_ALLOWED from another site's page */
  readRequestOrigin(request: Request, peers: PeerSource): RequestOrigin {
    const { headers } = request;
    // Checked as a read, because a request without an Origin does not come from a web page.
    if (isForeignPage(headers, true, this.ownSite)) throw foreignPageError();
    const address = this.clientAddress(request, peers);
    const origin = headers.get('origin')?.toLowerCase();
    return { address, scope: addressScope(address), origin, headers };
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
    return this.identities.findSession(
      secret,
      endpoint,
      this.clientAddress(request, peers),
      authorize,
      (error) => this.rejectByAddress(request, peers, endpoint, error),
    );
  }

  /** Rejects a request with wrong credentials, or whose credentials cannot be looked up; counts it by its address. */
  rejectByAddress(request: Request, peers: PeerSource, endpoint: number, error: unknown): Decision {
    const scope = addressScope(this.clientAddress(request, peers));
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
    const caller = this.identities.toCaller(session);
    if (caller === undefined) {
      return this.rejectByAddress(request, peers, endpoint, new ApiError('UNAUTHORIZED'));
    }
    const { account } = caller;
    this.windows.sessions.take(account.id, endpoint, now, account.limitClass);
    const selected = this.identities.select(caller, request, access);
    if (selected instanceof ApiError) return toDecision(this.windows.sessions, selected);
    const error = this.windows.sessions.allowed
      ? this.sessionError(request, selected, access)
      : undefined;
    return toDecision(this.windows.sessions, error, selected);
  }

  private sessionError(
    { method, headers }: Request,
    { account, permissions }: SessionCaller,
    access: Access,
  ): ApiError | undefined {
    const required = missingSessionPermission(permissions, access);
    if (required !== undefined) {
      return new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required });
    }
    const frozen = frozenError(account, access);
    if (frozen !== undefined) return frozen;
    const isRead = method === 'GET' || method === 'HEAD';
    return isForeignPage(headers, isRead, this.ownSite) ? foreignPageError() : undefined;
  }

  private keyError(
    request: Request,
    peers: PeerSource,
    key: ApiKey,
    account: Account,
    access: Access,
  ): ApiError | undefined {
    const required = missingPermission(key.permissions, access);
    if (required !== undefined) {
      return new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required });
    }
    if (
      key.addresses.length > 0 &&
      !this.allowLists.allow(key, this.clientAddress(request, peers))
    ) {
      return new ApiError('IP_NOT_ALLOWED');
    }
    const { headers } = request;
    const unusable = frozenError(account, access) ?? selectionError(headers, account);
    if (unusable !== undefined) return unusable;
    const origin = headers.get('origin');
    const isRejected =
      origin !== null &&
      isBrowserRejected(origin, headers.get('host'), this.ownSite, this.options.isSandbox);
    return isRejected ? new ApiError('BROWSER_NOT_ALLOWED') : undefined;
  }

  /** Returns the client's address; for a closed connection an empty text, which no list includes. */
  private clientAddress(request: Request, peers: PeerSource): string {
    const peer = peers.requestIP(request)?.address ?? '';
    const forwardedFor =
      this.options.trustedProxies.length === 0 ? null : request.headers.get('x-forwarded-for');
    return clientAddress(peer, forwardedFor, this.trustedProxies);
  }
}
