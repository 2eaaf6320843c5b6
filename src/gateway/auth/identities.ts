import { type ApiKey, isInForce } from '../../engine/ledger/accounts.ts';
import type { State } from '../../engine/state.ts';
import type { Session } from '../../users/users.ts';
import { addressScope } from '../http/request/client-address.ts';
import type { AddressWindows } from '../limits/rate-limit.ts';
import type { Services } from '../services.ts';
import type { SessionCaller } from './caller.ts';
import { parseBearer } from './credentials.ts';
import { KnownKeys } from './known-keys.ts';
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
