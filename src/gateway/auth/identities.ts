import { type Account, type ApiKey, isInForce } from '../../engine/ledger/accounts.ts';
import type { State } from '../../engine/state.ts';
import { parseBearer } from '../../users/credentials/api-keys.ts';
import type { Session } from '../../users/users.ts';
import { addressScope } from '../http/request/client-address.ts';
import { ApiError } from '../http/response/errors.ts';
import type { AddressWindows } from '../limits/rate-limit.ts';
import type { Services } from '../services.ts';
import type { SessionCaller } from './caller.ts';
import { KnownKeys } from './known-keys.ts';
import { type Access, isOperatorAccess } from './permissions.ts';
import { SessionLookups } from './session-lookups.ts';

/** Finds the API key or session of credentials. */
export class Identities {
  private readonly keys: KnownKeys;
  private readonly lookups: SessionLookups;

  /** @param failures The windows in which wrong credentials are counted. */
  constructor(
    private readonly services: Services,
    private readonly failures: AddressWindows,
  ) {
    this.keys = new KnownKeys(this.state);
    this.lookups = new SessionLookups(services.users.sessions);
  }

  /** Returns the active key in the headers of a request, undefined if there is none. */
  readKey(headers: Headers, now: number): ApiKey | undefined {
    const apiKey = parseBearer(headers.get('authorization'));
    const secret = headers.get('x-api-secret');
    if (apiKey === undefined || secret === null) return undefined;
    return this.findKey(apiKey, secret, now);
  }

  /** Returns the active key; undefined, after the same work, if it is unknown, expired, revoked or its secret wrong. */
  findKey(apiKey: string, secret: string, now: number): ApiKey | undefined {
    const key = this.keys.find(apiKey, secret);
    if (key === undefined) return undefined;
    return isInForce(key, Math.max(now, this.state.time)) ? key : undefined;
  }

  /** Finds the session of a cookie: see `SessionLookups.find`. @param address The client's address. */
  findSession<Result>(
    secret: string,
    endpoint: number,
    address: string,
    authorize: (session: Session | undefined) => Result | Promise<Result>,
    fail?: (error: unknown) => Result,
  ): Result | Promise<Result> {
    const mayGuess = () => this.mayGuess(endpoint, address);
    return this.lookups.find(secret, addressScope(address), mayGuess, authorize, fail);
  }

  /** Returns the caller of a session, undefined if there is no session or its account does not exist. */
  toCaller(session: Session | undefined): SessionCaller | undefined {
    if (session === undefined) return undefined;
    const account = this.state.accountsById.get(session.accountId);
    return account === undefined
      ? undefined
      : { session, account, permissions: session.permissions };
  }

  /**
   * Returns the caller with the account that the browser has selected: the user's main account or one of its sub-accounts.
   * Operators always act as their main account.
   */
  select(caller: SessionCaller, { headers }: Request, access: Access): SessionCaller | ApiError {
    const selected = isOperatorAccess(access) ? null : headers.get(SELECTED_ACCOUNT);
    return selected === null ? caller : this.selectAccount(caller, selected);
  }

  /** Returns the caller with another account of its group, by account id. */
  selectAccount(caller: SessionCaller, selected: string): SessionCaller | ApiError {
    const { account: main } = caller;
    const account = this.state.accountsById.get(selected);
    const isOwn = account === main || (account !== undefined && account.main === main);
    return isOwn ? { ...caller, account } : notSelectable();
  }

  /**
   * Returns whether an address is below its limit of wrong credentials. Above it, unknown credentials are rejected
   * without a round trip to the cluster or a database query.
   */
  mayGuess(endpoint: number, address: string): boolean {
    return !this.failures.isExhausted(endpoint, addressScope(address), this.services.now());
  }

  private get state(): State {
    return this.services.replica.exchange.state;
  }
}

const SELECTED_ACCOUNT = 'x-account';

/** Returns the error if a request selects another account than that of its key, which never acts for another. */
export function selectionError(headers: Headers, { id }: Account): ApiError | undefined {
  const selected = headers.get(SELECTED_ACCOUNT);
  return selected === null || selected === id ? undefined : notSelectable();
}

/** Returns the error for an account that the caller cannot select, whether or not it exists. */
export function notSelectable(): ApiError {
  const message =
    'The selected account is not one of yours. With a session send an accountId of GET /api/accounts; a key acts only for its own account.';
  return new ApiError('INSUFFICIENT_PERMISSIONS', message, { rule: 'ownAccount' });
}
