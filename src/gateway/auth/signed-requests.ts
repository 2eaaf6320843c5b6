import { randomBytes } from 'node:crypto';
import { CommandKind } from '../../engine/command.ts';
import { type Account, type ApiKey, isInForce } from '../../engine/ledger/accounts.ts';
import { RejectionCode } from '../../engine/rejection.ts';
import type { State } from '../../engine/state.ts';
import { generateCredentials } from '../../users/credentials/api-keys.ts';
import { addressScope } from '../http/request/client-address.ts';
import { ApiError } from '../http/response/errors.ts';
import { KEY_SLOTS, type Windows } from '../limits/windows.ts';
import { rejectionError } from '../orders/rejections.ts';
import type { Services } from '../services.ts';
import {
  HEADERS,
  type RequestSignature,
  randomPublicKey,
  type SignatureNames,
  staleTimestamp,
  usedSignature,
  verifySignature,
} from './signatures.ts';
import { HMAC_BYTES } from './signed-payloads.ts';
import { hashText } from './signed-text.ts';

/** A request whose signature was verified. */
export interface VerifiedRequest {
  readonly key: ApiKey;
  /** The bytes that were signed. */
  readonly text: Uint8Array;
  /** End of its window, milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Finds the keys of signed requests, and uses each request that changes something once. */
export class SignedRequests {
  /** The address scope from which each key last sent a valid signature. */
  private readonly lastScopes = new WeakMap<ApiKey, string>();

  /**
   * Stand for keys that are unknown or are not of the signature's kind, in turn, so that those take the same work. Their
   * credentials are random and several, because the time of a check depends on the key and the text. Created by the first signed
   * request, whatever its key.
   */
  private noKeys: readonly ApiKey[] = [];
  private turn = 0;

  constructor(
    private readonly services: Services,
    private readonly windows: Pick<Windows, 'accounts' | 'failures' | 'rejections'>,
  ) {}

  /**
   * Returns the key that signed a text; undefined, after the same work, if the key is unknown, expired or revoked, is not of
   * the signature's kind, or its signature is wrong.
   * @param address The client's address.
   * @throws ApiError RATE_LIMIT_EXCEEDED if the address has sent too much to have another signature checked
   */
  find(
    { apiKey, signature }: RequestSignature,
    text: Uint8Array,
    endpoint: number,
    address: string,
  ): ApiKey | undefined {
    const now = this.services.now();
    const scope = addressScope(address);
    const named = this.state.keysByApiKey.get(apiKey);
    this.turn = (this.turn + 1) % NO_KEYS;
    if (this.noKeys.length === 0) this.noKeys = createNoKeys(this.services.sealedSecrets);
    const noKey = this.noKeys[this.turn]!;
    const isHmac = signature.length === HMAC_BYTES;
    const hasKind = (isHmac ? named?.sealedSecret : named?.publicKey) !== undefined;
    const key = hasKind ? named! : noKey;
    if (!this.mayVerify(key, endpoint, scope, now)) throw tooMany();
    const isRight = isHmac
      ? (this.services.sealedSecrets?.verify(key, text, signature) ?? false)
      : verifySignature(key.publicKey!, text, signature);
    if (!isRight || key === noKey) {
      if (this.windows.failures.isExhausted(endpoint, scope, now)) this.lastScopes.delete(key);
      return undefined;
    }
    if (this.lastScopes.get(key) !== scope) this.lastScopes.set(key, scope);
    return isInForce(key, Math.max(now, this.state.time)) ? key : undefined;
  }

  /** Does the same as `find`; if there is no key, again once this node is current: another one may just have created it. */
  findCurrent(
    signed: RequestSignature,
    text: Uint8Array,
    endpoint: number,
    address: string,
  ): ApiKey | undefined | Promise<ApiKey | undefined> {
    const key = this.find(signed, text, endpoint, address);
    if (key !== undefined) return key;
    const { replica, now } = this.services;
    if (this.windows.failures.isExhausted(endpoint, addressScope(address), now())) return undefined;
    const current = replica.whenCurrent();
    return current?.then(() => this.find(signed, text, endpoint, address));
  }

  /**
   * Returns the key that a request claims to be from, if it was used from the address before and its account is over its
   * limit: the request is rejected without the cost of a check.
   */
  findExhausted(
    { apiKey }: RequestSignature,
    endpoint: number,
    address: string,
  ): ApiKey | undefined {
    const key = this.state.keysByApiKey.get(apiKey);
    if (key === undefined || this.lastScopes.get(key) !== addressScope(address)) return undefined;
    const { index, limitClass } = key.account;
    const slot = KEY_SLOTS[endpoint]!;
    const now = this.services.now();
    return this.windows.accounts.isExhausted(index, slot, limitClass, now) ? key : undefined;
  }

  /**
   * Uses a request in the log, which decides for all nodes which of several copies is the first.
   * @throws ApiError UNAUTHORIZED, INVALID_REQUEST, RATE_LIMIT_EXCEEDED; CommandNotAppliedError, OutcomeUnknownError
   */
  async use(
    { key, text, expiresAt }: VerifiedRequest,
    names: SignatureNames = HEADERS,
  ): Promise<void> {
    const kind = CommandKind.useSignature;
    const actor = { account: key.account.index, key: key.index };
    const hash = hashText(text);
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

/** So many that they are in the caches of the processor as rarely as real keys. */
const NO_KEYS = 2048;
/** Fewer, because one takes long to make. */
const NO_PUBLIC_KEYS = 256;
const NO_ACCOUNT = { id: '' } as Account;
/** The length of a rate-limit window. */
const RETRY_AFTER_SECONDS = 60;

function createNoKeys(sealedSecrets: Services['sealedSecrets']): ApiKey[] {
  const publicKeys = Array.from({ length: NO_PUBLIC_KEYS }, randomPublicKey);
  return Array.from({ length: NO_KEYS }, (_, index) => {
    const { apiKey, apiSecret } = generateCredentials(randomBytes);
    const sealedSecret = sealedSecrets?.seal(apiKey, NO_ACCOUNT.id, apiSecret);
    const publicKey = publicKeys[index % NO_PUBLIC_KEYS];
    return { apiKey, account: NO_ACCOUNT, publicKey, sealedSecret } as ApiKey;
  });
}

function tooMany(): ApiError {
  return new ApiError('RATE_LIMIT_EXCEEDED', undefined, { retryAfter: RETRY_AFTER_SECONDS });
}
