import { newClientOrderId } from './client-order-id.ts';
import { EndpointClient } from './endpoint-client.ts';
import { type ClientNumber, createCodec } from './numbers.ts';
import type { RestClientOptions } from './rest-client.ts';
import { PLACE_ORDER, retryLimits, retryTransient } from './retry.ts';
import type { CallOptions, Route } from './route.ts';
import { Trading, type TradingOptions } from './trading/trading.ts';

export interface ClientOptions<Exact extends boolean = boolean>
  extends Omit<RestClientOptions, 'json'> {
  /** Whether responses have prices and amounts as exact decimal strings instead of doubles. */
  readonly exactNumbers?: Exact;
  /** Maximum retries of idempotent requests without a response; default 3. */
  readonly retries?: number;
  /**
   * Whether orders are retried after RATE_LIMIT_EXCEEDED and OVERLOADED, up to a minute later, when their price may be
   * stale. By default they are not, and the error is thrown at once.
   */
  readonly waitToPlace?: boolean;
}

/**
 * Client of the REST API, with one method per endpoint. Reads are retried if there is no response, or if the exchange
 * is overloaded or limits the rate. `placeOrder` is retried if there is no response: its `clientOrderId`, generated
 * if not given, makes sure that the order is placed once. No other request is retried.
 *
 * Every method throws ApiRequestError if the exchange rejects the request, UnreachableError if there is no response,
 * and RangeError if a string given as a number is not one.
 */
export class Client<Exact extends boolean = false> extends EndpointClient<ClientNumber<Exact>> {
  constructor(private readonly options: ClientOptions<Exact>) {
    const { exactNumbers, retries: _, waitToPlace: __, ...rest } = options;
    super({ ...rest, json: createCodec(exactNumbers === true) });
  }

  /** Opens a socket that trades with the credentials and number format of this client. Close it after use. */
  trading(options: Partial<TradingOptions<Exact>> = {}): Trading<Exact> {
    return new Trading({ ...this.options, ...options });
  }

  protected override async call<Data>(
    route: Route,
    parameters: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<Data> {
    const { method, path } = route;
    const isPlacing = method === 'POST' && path === PLACE_ORDER;
    const sent = isPlacing
      ? { ...parameters, clientOrderId: parameters.clientOrderId ?? newClientOrderId() }
      : parameters;
    const send = () => super.call<Data>(route, sent, options);
    const limits = retryLimits(method, path, method === 'GET' || isPlacing, this.options);
    return retryTransient(send, limits, options.signal);
  }
}
