import type { ApiKey } from '../../engine/ledger/accounts.ts';
import type { Authorization, StreamOrigin } from '../auth/authorization.ts';
import { FIELDS } from '../auth/signatures.ts';
import type { VerifiedRequest } from '../auth/signed-requests.ts';
import { ApiError } from '../http/response/errors.ts';
import { ResponseCache } from '../http/response/response-cache.ts';
import type { Services } from '../services.ts';
import { BinanceCall } from './call.ts';
import type { BinanceEndpoint } from './endpoint.ts';
import { BASE_WEIGHT, BinanceLimits, type Usage } from './limits.ts';
import type { Parameters } from './parameters.ts';
import { BINANCE_PATH } from './path.ts';
import { Security, SIGNATURE_PARAMETERS } from './security.ts';
import { Symbols } from './symbols.ts';
import { UserData } from './user-data/user-data.ts';

/**
 * The Binance Spot dialect: requests as Binance documents them, translated to the operations of this exchange. Both its
 * REST API and its WebSocket API run their endpoints here.
 */
export class Dialect {
  readonly symbols: Symbols;
  readonly limits: BinanceLimits;
  /** Shared with the exchange's own API. */
  readonly responseCache = new ResponseCache();
  readonly userData: UserData;
  private readonly security: Security;

  constructor(
    readonly services: Services,
    readonly authorization: Authorization,
  ) {
    this.symbols = new Symbols(() => services.replica.exchange);
    this.limits = new BinanceLimits(authorization.binanceWindows, services.now);
    this.security = new Security(services, authorization);
    this.userData = new UserData(services, authorization, this.symbols);
  }

  /**
   * Counts the rest of a request's weight, once its parameters have been read.
   * @param scope Of the client's address.
   * @param first What the address has used, with BASE_WEIGHT of this request.
   * @throws BinanceError -1003, and those of parameters that decide the weight
   */
  open({ weight }: BinanceEndpoint, given: Parameters, scope: string, first: Usage): BinanceCall {
    const call = new BinanceCall(this, given, scope);
    const rest = (typeof weight === 'number' ? weight : weight(given)) - BASE_WEIGHT;
    call.weight = rest === 0 ? first : this.limits.takeWeight(scope, rest);
    return call;
  }

  /**
   * Authorizes a request and runs its endpoint. Returns the response as JSON; a promise only if it is not there yet, because
   * awaiting a value would cost a turn of the microtask queue.
   * @param payload Returns the bytes that the signature covers.
   * @throws BinanceError or ApiError
   */
  run(
    call: BinanceCall,
    endpoint: BinanceEndpoint,
    apiKey: string | undefined,
    payload: () => Uint8Array,
    from: StreamOrigin,
  ): string | Promise<string> {
    const { access, showsMarkets, handle } = endpoint;
    call.skewMs = from.skewMs ?? 0;
    call.address = from.address;
    if (showsMarkets && this.services.replica.isStale) throw new ApiError('STALE');
    if (access === 'public') return this.handleCached(call, endpoint);
    // Some clients sign requests that need no signature.
    call.given.ignore(...SIGNATURE_PARAMETERS);
    if (access === 'key') {
      call.caller = this.security.findKey(apiKey, from);
      return handle(call);
    }
    const verifying = this.security.verify(apiKey, call.given, payload(), from);
    const runSigned = (signed: VerifiedRequest) => {
      call.signed = signed;
      call.caller = signed.key;
      // An order that the log reaches later is not executed.
      call.deadline = { at: signed.expiresAt, names: FIELDS };
      return this.runAuthorized(call, endpoint, access);
    };
    return verifying instanceof Promise ? verifying.then(runSigned) : runSigned(verifying);
  }

  /** Handles a call, or returns the cached response if the endpoint's data has not changed. */
  private handleCached(
    call: BinanceCall,
    { path, handle, version }: BinanceEndpoint,
  ): string | Promise<string> {
    if (version === undefined) return handle(call);
    const key = `${BINANCE_PATH}${path}?${call.given.all}`;
    return this.responseCache.get(key, version(call), () => handle(call));
  }

  /** Returns the request that was signed: see `Security.verify`. */
  verify(
    apiKey: string | undefined,
    given: Parameters,
    payload: Uint8Array,
    from: StreamOrigin,
  ): VerifiedRequest | Promise<VerifiedRequest> {
    return this.security.verify(apiKey, given, payload, from);
  }

  /** Runs an endpoint for the key with which a connection is logged on. @throws BinanceError or ApiError */
  runLoggedOn(
    call: BinanceCall,
    endpoint: BinanceEndpoint,
    access: 'read' | 'trade' | 'place',
    key: ApiKey,
    { address }: StreamOrigin,
  ): string | Promise<string> {
    call.address = address;
    call.deadline = this.security.readDeadline(call.given, call.skewMs);
    call.caller = key;
    return this.runAuthorized(call, endpoint, access);
  }

  /** Runs an endpoint for a caller that is known. @throws BinanceError or ApiError */
  private runAuthorized(
    call: BinanceCall,
    { orders, takesOrders, handle }: BinanceEndpoint,
    access: 'read' | 'trade' | 'place',
  ): string | Promise<string> {
    const { operations } = this.authorization;
    const error = operations.authorize(call.key!, access, call.address);
    if (error !== undefined) throw error;
    const rejecting = takesOrders ? operations.intake.check({ takesOrders }) : undefined;
    if (rejecting !== undefined) return rejecting;
    if (orders !== undefined) call.orderCounts = this.limits.takeOrders(call.account, orders);
    if (access !== 'read') return handle(call);
    // A private read sees everything that any node has acknowledged before it, including a revocation of its key.
    const current = this.services.replica.whenCurrent();
    if (current === undefined) return handle(call);
    return current.then(() => {
      const lateError = operations.recheck(call.key!, access, call.address);
      if (lateError !== undefined) throw lateError;
      return handle(call);
    });
  }
}
