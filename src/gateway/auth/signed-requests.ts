import { CommandKind } from '../../engine/command.ts';
import { type ApiKey, isInForce } from '../../engine/ledger/accounts.ts';
import { RejectionCode } from '../../engine/rejection.ts';
import type { State } from '../../engine/state.ts';
import { addressScope } from '../http/request/client-address.ts';
import { ApiError } from '../http/response/errors.ts';
import { KEY_SLOTS, type Windows } from '../limits/windows.ts';
import { rejectionError } from '../orders/rejections.ts';
import type { Services } from '../services.ts';
import {
  HEADERS,
  randomPublicKey,
  type SignatureNames,
  type SignedRequest,
  staleTimestamp,
  usedSignature,
  verifySignature,
  windowEnd,
} from './signatures.ts';
import { hashText } from './signed-text.ts';

/** A request whose signature was verified. */
export interface VerifiedRequest {
  readonly key: ApiKey;
  readonly hash: Uint8Array;
  /** End of its window, milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Finds the keys of signed requests, and uses each request that changes something once. */
export class SignedRequests {
  /** The address scope from which each key last sent a valid signature. */
  private readonly lastScopes = new WeakMap<ApiKey, string>();

  /**
   * Stand for keys that are unknown or have a secret, in turn, so that those take the same work. Their public keys are random
   * and several, because the time of a check depends on the key and the text.
   */
  private readonly noKeys = Array.from(
    { length: NO_KEYS },
    () => ({ publicKey: randomPublicKey() }) as ApiKey,
  );
  private turn = 0;

  constructor(
    private readonly services: Services,
    private readonly windows: Pick<Windows, 'accounts' | 'failures' | 'rejections'>,
  ) {}

  /**
   * Returns the key that signed a text; undefined, after the same work, if the key is unknown, expired or revoked, has a
   * secret instead, or its signature is wrong.
   * @param address The client's address.
   * @throws ApiError RATE_LIMIT_EXCEEDED if the address has sent too much to have another signature checked
   */
  find(
    { apiKey, signature }: SignedRequest,
    text: Uint8Array,
    endpoint: number,
    address: string,
  ): ApiKey | undefined {
    const now = this.services.now();
    const scope = addressScope(address);
    const named = this.state.keysByApiKey.get(apiKey);
    this.turn = (this.turn + 1) % NO_KEYS;
    const noKey = this.noKeys[this.turn]!;
    const key = named?.publicKey === undefined ? noKey : named;
    if (!this.mayVerify(key, endpoint, scope, now)) throw tooMany();
    if (!verifySignature(key.publicKey!, text, signature) || key === noKey) {
      if (this.windows.failures.isExhausted(endpoint, scope, now)) this.lastScopes.delete(key);
      return undefined;
    }
    if (this.lastScopes.get(key) !== scope) this.lastScopes.set(key, scope);
    return isInForce(key, Math.max(now, this.state.time)) ? key : undefined;
  }

  /**
   * Returns the key that a request claims to be from, if it was used from the address before and its account is over its
   * limit: the request is rejected without the cost of a check.
   */
  findExhausted({ apiKey }: SignedRequest, endpoint: number, address: string): ApiKey | undefined {
    const key = this.state.keysByApiKey.get(apiKey);
    if (key === undefined || this.lastScopes.get(key) !== addressScope(address)) return undefined;
    const { index, limitClass } = key.account;
    const slot = KEY_SLOTS[endpoint]!;
    const now = this.services.now();
    return this.windows.accounts.isExhausted(index, slot, limitClass, now) ? key : undefined;
  }

  verified(key: ApiKey, signed: SignedRequest, text: Uint8Array): VerifiedRequest {
    return { key, hash: hashText(text), expiresAt: windowEnd(signed) };
  }

  /**
   * Uses a request in the log, which decides for all nodes which of several copies is the first.
   * @throws ApiError UNAUTHORIZED, INVALID_REQUEST, RATE_LIMIT_EXCEEDED; CommandNotAppliedError, OutcomeUnknownError
   */
  async use(
    { key, hash, expiresAt }: VerifiedRequest,
    names: SignatureNames = HEADERS,
  ): Promise<void> {
    const kind = CommandKind.useSignature;
    const actor = { account: key.account.index, key: key.index };
    const outcome = await this.services.replica.execute({ kind, ...actor, hash, expiresAt });
    if (outcome.kind !== 'rejected') return;
    const { code } = outcome;
    if (code === RejectionCode.signatureUsed) throw usedSignature(names);
    if (code === RejectionCode.signatureExpired) throw staleTimestamp(this.state.time, names);
    if (code === RejectionCode.limitReached) throw tooMany();
    throw rejectionError(outcome, this.state);
  }

  /**
   * A check costs more than serving a request, so an address that sends wrong credentials or floods the exchange with
   * rejected requests gets no more of them. The address that a key was last used from is exempt, so that no one who
   * shares it locks the key out.
   */
  private mayVerify(key: ApiKey, endpoint: number, scope: string, now: number): boolean {
    if (this.lastScopes.get(key) === scope) return true;
    const { failures, rejections } = this.windows;
    return !failures.isExhausted(endpoint, scope, now) && !rejections.isExhausted(0, scope, now);
  }

  private get state(): State {
    return this.services.replica.exchange.state;
  }
}

const NO_KEYS = 256;
/** The length of a rate-limit window. */
const RETRY_AFTER_SECONDS = 60;

function tooMany(): ApiError {
  return new ApiError('RATE_LIMIT_EXCEEDED', undefined, { retryAfter: RETRY_AFTER_SECONDS });
}
