import { CommandKind } from '../../engine/command.ts';
import { type ApiKey, isInForce } from '../../engine/ledger/accounts.ts';
import type { State } from '../../engine/state.ts';
import { addressScope } from '../http/request/client-address.ts';
import { ApiError } from '../http/response/errors.ts';
import type { Windows } from '../limits/windows.ts';
import { rejectionError } from '../orders/rejections.ts';
import type { Services } from '../services.ts';
import { expiryOf, type SignedRequest, verifySignature } from './signatures.ts';
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

  constructor(
    private readonly services: Services,
    private readonly windows: Pick<Windows, 'failures' | 'rejections'>,
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
    const known = this.state.keysByApiKey.get(apiKey);
    if (!this.mayVerify(known, endpoint, scope, now)) {
      throw new ApiError('RATE_LIMIT_EXCEEDED', undefined, { retryAfter: RETRY_AFTER_SECONDS });
    }
    if (!verifySignature(known?.publicKey, text, signature)) return undefined;
    const key = known!;
    if (this.lastScopes.get(key) !== scope) this.lastScopes.set(key, scope);
    return isInForce(key, Math.max(now, this.state.time)) ? key : undefined;
  }

  verified(key: ApiKey, signed: SignedRequest, text: Uint8Array): VerifiedRequest {
    return { key, hash: hashText(text), expiresAt: expiryOf(signed) };
  }

  /**
   * Uses a request in the log, which decides for all nodes which of several copies is the first.
   * @throws ApiError UNAUTHORIZED, INVALID_REQUEST, RATE_LIMIT_EXCEEDED; CommandNotAppliedError, OutcomeUnknownError
   */
  async use({ key, hash, expiresAt }: VerifiedRequest): Promise<void> {
    const kind = CommandKind.useSignature;
    const actor = { account: key.account.index, key: key.index };
    const outcome = await this.services.replica.execute({ kind, ...actor, hash, expiresAt });
    if (outcome.kind === 'rejected') throw rejectionError(outcome, this.state);
  }

  /**
   * A check costs as much as serving a request, so an address that sends wrong credentials or floods the exchange with
   * rejected requests gets no more checks. A key's own address is exempt from the first, so that no one who shares it
   * locks the key out.
   */
  private mayVerify(
    key: ApiKey | undefined,
    endpoint: number,
    scope: string,
    now: number,
  ): boolean {
    const { failures, rejections } = this.windows;
    if (rejections.isExhausted(0, scope, now)) return false;
    if (!failures.isExhausted(endpoint, scope, now)) return true;
    return key !== undefined && this.lastScopes.get(key) === scope;
  }

  private get state(): State {
    return this.services.replica.exchange.state;
  }
}

/** The length of a window: the longest time until the next. */
const RETRY_AFTER_SECONDS = 60;
