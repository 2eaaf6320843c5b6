import type { ApiKey } from '../../engine/ledger/accounts.ts';
import type { Session } from '../../users/users.ts';
import { addressScope } from '../http/request/client-address.ts';
import { ApiError } from '../http/response/errors.ts';
import type { AddressWindows } from '../limits/rate-limit.ts';
import { NO_ENDPOINT } from '../limits/windows.ts';
import type { Services } from '../services.ts';
import type { AllowLists } from './allow-lists.ts';
import type { SessionCaller } from './caller.ts';
import { foreignPageError, toDecision } from './decision.ts';
import { type Identities, notSelectable } from './identities.ts';
import { isBrowserRejected, isOwnSite, type OwnSite } from './origin.ts';
import { FIELDS, type RequestSignature, readSigned } from './signatures.ts';
import { readPayload, type SignedPayload } from './signed-payloads.ts';
import type { SignedRequests, VerifiedRequest } from './signed-requests.ts';
import { STREAM_AUTH, signedText } from './signed-text.ts';

/** The origin of a stream, from the request that opened it. */
export interface StreamOrigin {
  /** The client's own address, not that of a proxy. */
  readonly address: string;
  readonly origin: string | null;
  readonly host: string | null;
  /** The secret in the session cookie. */
  readonly session?: string | undefined;
  /** Id of the account that the stream is for; undefined for that of the credentials. */
  readonly account?: string | undefined;
  /** The lead of the clock that the client sees, milliseconds; undefined if it is the exchange's. */
  readonly skewMs?: number | undefined;
}

/** The fields of an `auth` message with a signature. */
export interface SignedAuth {
  readonly apiKey?: string;
  readonly timestamp?: string;
  readonly recvWindow?: string;
  readonly signature: string;
}

/** Authorizes streams by the API key that they send, or by the session that they were opened with. */
export class StreamAuthorization {
  constructor(
    private readonly services: Services,
    private readonly identities: Identities,
    private readonly signedRequests: SignedRequests,
    private readonly failures: AddressWindows,
    private readonly allowLists: AllowLists,
    private readonly ownSite: OwnSite,
    private readonly isSandbox: boolean,
  ) {}

  /**
   * Returns the key that a stream authenticates with. In a cluster it is a promise, because another node may just have
   * created or revoked the key. Wrong keys are counted like those of requests.
   * @throws ApiError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, IP_NOT_ALLOWED, BROWSER_NOT_ALLOWED; CommandNotAppliedError
   */
  authorizeByKey(apiKey: string, secret: string, from: StreamOrigin): ApiKey | Promise<ApiKey> {
    const authorize = () => this.toKey(apiKey, secret, from);
    const isKnown = this.identities.findKey(apiKey, secret, this.services.now()) !== undefined;
    return isKnown || this.identities.mayGuess(NO_ENDPOINT, from.address)
      ? this.onceCurrent(authorize)
      : authorize();
  }

  /**
   * Returns the key that signed a stream's `auth` message. The log decides that the message is used once: a thief of a
   * copy could otherwise trade on another stream.
   * @throws ApiError UNAUTHORIZED, INVALID_REQUEST, RATE_LIMIT_EXCEEDED, IP_NOT_ALLOWED, BROWSER_NOT_ALLOWED;
   * CommandNotAppliedError, OutcomeUnknownError
   */
  async authorizeBySignature(sent: SignedAuth, from: StreamOrigin): Promise<ApiKey> {
    const { apiKey = '', timestamp, recvWindow, signature } = sent;
    const values = { apiKey, timestamp, recvWindow, signature };
    const signed = readSigned(values, FIELDS, this.services.now(), from.skewMs);
    const text = signedText(STREAM_AUTH.method, STREAM_AUTH.target, signed);
    const request = await this.verify(signed, text, from);
    await this.signedRequests.use(request, FIELDS);
    return request.key;
  }

  /**
   * Checks a message of a dialect. The request is not used yet: a message that acts, or authenticates its connection, must
   * be used (`SignedRequests.use`), a read need not be.
   * @throws ApiError UNAUTHORIZED, INVALID_REQUEST, RATE_LIMIT_EXCEEDED, IP_NOT_ALLOWED, BROWSER_NOT_ALLOWED;
   * CommandNotAppliedError
   */
  verifyPayload(
    payload: SignedPayload,
    from: StreamOrigin,
  ): VerifiedRequest | Promise<VerifiedRequest> {
    return this.verify(readPayload(payload, this.services.now(), from.skewMs), payload.text, from);
  }

  /** Returns a promise only if another node may just have created the key. */
  private verify(
    signed: RequestSignature,
    text: Uint8Array,
    from: StreamOrigin,
  ): VerifiedRequest | Promise<VerifiedRequest> {
    const finding = this.signedRequests.findCurrent(signed, text, NO_ENDPOINT, from.address);
    const { expiresAt } = signed;
    const check = (key: ApiKey | undefined) => ({ key: this.checkKey(key, from), text, expiresAt });
    return finding instanceof Promise ? finding.then(check) : check(finding);
  }

  private toKey(apiKey: string, secret: string, from: StreamOrigin): ApiKey {
    return this.checkKey(this.identities.findKey(apiKey, secret, this.services.now()), from);
  }

  /**
   * Returns a key that may be used from there.
   * @param key Undefined if there is no such key; this is counted like a wrong key.
   * @throws ApiError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, IP_NOT_ALLOWED, BROWSER_NOT_ALLOWED
   */
  checkKey(key: ApiKey | undefined, from: StreamOrigin): ApiKey {
    const now = this.services.now();
    if (key === undefined) {
      this.failures.take(addressScope(from.address), NO_ENDPOINT, now);
      throw toDecision(this.failures, new ApiError('UNAUTHORIZED')).error;
    }
    if (!this.allowLists.allow(key, from.address)) {
      throw new ApiError('IP_NOT_ALLOWED');
    }
    if (isBrowserRejected(from.origin, from.host, this.ownSite, this.isSandbox)) {
      throw new ApiError('BROWSER_NOT_ALLOWED');
    }
    if (from.account !== undefined && from.account !== key.account.id) throw notSelectable();
    this.services.keyUses.note(key, now);
    return key;
  }

  /**
   * Returns the session that a stream was opened with. It is a promise if the session must be looked up, and in a
   * cluster.
   * @throws ApiError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, BROWSER_NOT_ALLOWED; DatabaseDownError, CommandNotAppliedError
   */
  authorizeBySession(from: StreamOrigin): SessionCaller | Promise<SessionCaller> {
    const authorize = (session: Session | undefined) =>
      session === undefined
        ? this.toCaller(undefined, from)
        : this.onceCurrent(() => this.toCaller(session, from));
    if (from.session === undefined) return authorize(undefined);
    return this.identities.findSession(from.session, NO_ENDPOINT, from.address, authorize);
  }

  /** Runs `work` after this node has applied everything that any node had acknowledged; a single node runs it at once. */
  private onceCurrent<Result>(work: () => Result): Result | Promise<Result> {
    const current = this.services.replica.whenCurrent();
    return current === undefined ? work() : current.then(work);
  }

  private toCaller(
    session: Session | undefined,
    { address, origin, host, account }: StreamOrigin,
  ): SessionCaller {
    const caller = this.identities.toCaller(session);
    if (caller === undefined) {
      this.failures.take(addressScope(address), NO_ENDPOINT, this.services.now());
      throw toDecision(this.failures, new ApiError('UNAUTHORIZED')).error;
    }
    if (origin === null || !isOwnSite(origin.toLowerCase(), host, this.ownSite)) {
      throw foreignPageError();
    }
    if (account === undefined) return caller;
    const selected = this.identities.selectAccount(caller, account);
    if (selected instanceof ApiError) throw selected;
    return selected;
  }
}
