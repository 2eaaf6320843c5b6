import { OperatorEndpoints } from './api/operator-endpoints.ts';
import { newClientOrderId } from './client-order-id.ts';
import { type ClientNumber, createCodec } from './numbers.ts';
import { RestClient, type RestClientOptions } from './rest-client.ts';
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
export class Client<Exact extends boolean = false> extends OperatorEndpoints<ClientNumber<Exact>> {
  private readonly rest: RestClient;

  constructor(private readonly options: ClientOptions<Exact>) {
    super();
    const { exactNumbers, retries: _, waitToPlace: __, ...rest } = options;
    this.rest = new RestClient({ ...rest, json: createCodec(exactNumbers === true) });
  }

  /** Opens a socket that trades with the credentials and number format of this client. Close it after use. */
  trading(options: Partial<TradingOptions<Exact>> = {}): Trading<Exact> {
    return new Trading({ ...this.options, ...options });
  }

  protected override async call<Data>(
    { method, path, query = [] }: Route,
    parameters: Readonly<Record<string, unknown>>,
    { signal }: CallOptions = {},
  ): Promise<Data> {
    const { url, rest } = splitPath(path, parameters);
    const hasBody = method === 'POST' || method === 'PATCH';
    const [queryFields, body] = splitQuery(rest, hasBody ? query : Object.keys(rest));
    if (method === 'POST' && path === PLACE_ORDER) body.clientOrderId ??= newClientOrderId();
    const parts = { query: queryFields, signal, ...(hasBody ? { body } : {}) };
    const send = () => this.rest.request<Data>(method, url, parts);
    const isIdempotent = method === 'GET' || (method === 'POST' && path === PLACE_ORDER);
    return retryTransient(send, retryLimits(method, path, isIdempotent, this.options), signal);
  }
}

/** Fills path parameters, as in `/api/orders/{id}`; returns the URL and the other parameters. */
function splitPath(path: string, parameters: Readonly<Record<string, unknown>>) {
  const rest = { ...parameters };
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = `${rest[name] ?? ''}`;
    // An empty value or dots would name another path.
    if (/^\.*$/.test(value)) throw new RangeError(`${name} must not be "${value}".`);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { url, rest };
}

/** Splits parameters into query and body. */
function splitQuery(parameters: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const query: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (!names.includes(name)) body[name] = value;
    else if (value !== undefined && value !== null) query[name] = `${value}`;
  }
  return [query, body] as const;
}
