import { EndpointClient } from './endpoint-client.ts';
import { type ClientNumber, createCodec } from './numbers.ts';
import type { RestClientOptions } from './rest-client.ts';
import { type Retries, retryTransient } from './retry.ts';
import type { CallOptions, Route } from './route.ts';

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

const DEFAULT_RETRIES = 3;
const PLACE_ORDER = '/api/orders';
const PLACEMENTS: readonly string[] = [PLACE_ORDER, '/api/orders/batch', '/api/orders/oco'];

/**
 * Client of the REST API, with one method per endpoint. Reads are retried if there is no response, or if the exchange
 * is overloaded or limits the rate. `placeOrder` is retried if there is no response: its `clientOrderId`, generated
 * if not given, makes sure that the order is placed once. No other request is retried.
 *
 * Every method throws ApiRequestError if the exchange rejects the request, UnreachableError if there is no response,
 * and RangeError if a string given as a number is not one.
 */
export class Client<Exact extends boolean = false> extends EndpointClient<ClientNumber<Exact>> {
  private readonly retries: number;
  private readonly waitToPlace: boolean;

  constructor(options: ClientOptions<Exact>) {
    const { exactNumbers, retries = DEFAULT_RETRIES, waitToPlace = false, ...rest } = options;
    super({ ...rest, json: createCodec(exactNumbers === true) });
    this.retries = retries;
    this.waitToPlace = waitToPlace;
  }

  protected override async call<Data>(
    route: Route,
    parameters: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<Data> {
    const sent = isPlaceOrder(route)
      ? { ...parameters, clientOrderId: parameters.clientOrderId ?? newId() }
      : parameters;
    const send = () => super.call<Data>(route, sent, options);
    return retryTransient(send, this.retryLimits(route), options.signal);
  }

  private retryLimits(route: Route): Retries {
    const isRead = route.method === 'GET';
    const isRetried = isRead || (this.waitToPlace && isPlacement(route));
    return {
      afterNoResponse: isRead || isPlaceOrder(route) ? this.retries : 0,
      afterRejection: isRetried ? this.retries : 0,
    };
  }
}

function isPlaceOrder({ method, path }: Route): boolean {
  return method === 'POST' && path === PLACE_ORDER;
}

function isPlacement({ method, path }: Route): boolean {
  return method === 'POST' && PLACEMENTS.includes(path);
}

/** Returns a random id. `randomUUID` is not available on pages without HTTPS. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
