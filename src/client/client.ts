import { OperatorEndpoints } from './api/operator-endpoints.ts';
import { codecOf, type NumberOf } from './numbers.ts';
import { type Method, RestClient, type RestClientOptions } from './rest-client.ts';
import { type Retries, retried } from './retry.ts';
import type { CallOptions, Route } from './route.ts';

export interface ClientOptions<Exact extends boolean = boolean>
  extends Omit<RestClientOptions, 'json'> {
  /** Prices and amounts of answers as texts with their exact digits, not as doubles. */
  readonly exactNumbers?: Exact;
  /** How often to try again what does no harm twice, where there was no answer; 3 unless given. */
  readonly retries?: number;
  /**
   * Whether orders are sent again, too, where the exchange refused them for now, up to a minute later: the
   * price may be stale by then. Unless given they are not, and the error is thrown at once.
   */
  readonly waitToPlace?: boolean;
}

const RETRIES = 3;
const ONE_ORDER = '/api/orders';
const PLACEMENTS: readonly string[] = [ONE_ORDER, '/api/orders/batch', '/api/orders/oco'];

/**
 * The REST interface of an exchange, a method for each endpoint. What only reads is tried again where the
 * exchange did not answer, is overloaded or has had too many requests; `placeOrder` where it did not answer:
 * an order has a `clientOrderId` for that, made here where none is given, so that it is placed once. Nothing
 * else is sent twice. Every method throws ApiRequestError where the exchange refuses, UnreachableError where
 * no answer came, and RangeError for a text that is no number.
 */
export class Client<Exact extends boolean = false> extends OperatorEndpoints<NumberOf<Exact>> {
  private readonly rest: RestClient;
  private readonly retries: number;
  private readonly waitToPlace: boolean;

  constructor(options: ClientOptions<Exact>) {
    super();
    const { exactNumbers, retries = RETRIES, waitToPlace = false, ...rest } = options;
    this.rest = new RestClient({ ...rest, json: codecOf(exactNumbers === true) });
    this.retries = retries;
    this.waitToPlace = waitToPlace;
  }

  protected override async call<Data>(
    { method, path, query = [] }: Route,
    parameters: Readonly<Record<string, unknown>>,
    { signal }: CallOptions = {},
  ): Promise<Data> {
    const { url, rest } = splitPath(path, parameters);
    const hasBody = method === 'POST' || method === 'PATCH';
    const [asked, body] = splitQuery(rest, hasBody ? query : Object.keys(rest));
    if (method === 'POST' && path === ONE_ORDER) body.clientOrderId ??= newId();
    const parts = { query: asked, signal, ...(hasBody ? { body } : {}) };
    const send = () => this.rest.request<Data>(method, url, parts);
    return retried(send, this.retriesOf(method, path), signal);
  }

  private retriesOf(method: Method, path: string): Retries {
    const isRead = method === 'GET';
    const waits = isRead || (this.waitToPlace && method === 'POST' && PLACEMENTS.includes(path));
    return {
      afterSilence: isRead || (method === 'POST' && path === ONE_ORDER) ? this.retries : 0,
      afterRefusal: waits ? this.retries : 0,
    };
  }
}

/** Fills `/api/orders/{id}`. */
function splitPath(path: string, parameters: Readonly<Record<string, unknown>>) {
  const rest = { ...parameters };
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = `${rest[name] ?? ''}`;
    // Empty or of dots, it would be the path of something else.
    if (/^\.*$/.test(value)) throw new RangeError(`${name} is "${value}": give the id.`);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { url, rest };
}

/** What belongs into the query, and the rest. */
function splitQuery(parameters: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const query: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (!names.includes(name)) body[name] = value;
    else if (value !== undefined && value !== null) query[name] = `${value}`;
  }
  return [query, body] as const;
}

/** Not `randomUUID`, which pages without HTTPS have not. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
