import { OperatorEndpoints } from './api/operator-endpoints.ts';
import { codecOf, type NumberOf } from './numbers.ts';
import { RestClient, type RestClientOptions } from './rest-client.ts';
import { retried } from './retry.ts';
import type { CallOptions, Route } from './route.ts';

export interface ClientOptions<Exact extends boolean = boolean>
  extends Omit<RestClientOptions, 'json'> {
  /** Prices and amounts of answers as texts with their exact digits, not as doubles. */
  readonly exactNumbers?: Exact;
  /** How often to try again what does no harm twice, where there was no answer; 3 unless given. */
  readonly retries?: number;
}

const RETRIES = 3;

/**
 * The REST interface of an exchange, a method for each endpoint. What only reads, and placing an order,
 * is tried again where the exchange did not answer, is overloaded or has had too many requests: an order
 * has a `clientOrderId` for that, made here where none is given, so that it is placed once. Nothing else
 * is sent twice. Every method throws ApiRequestError where the exchange refuses, UnreachableError where
 * no answer came, and RangeError for a text that is no number.
 */
export class Client<Exact extends boolean = false> extends OperatorEndpoints<NumberOf<Exact>> {
  private readonly rest: RestClient;
  private readonly retries: number;

  constructor({ exactNumbers, retries = RETRIES, ...options }: ClientOptions<Exact>) {
    super();
    this.rest = new RestClient({ ...options, json: codecOf(exactNumbers === true) });
    this.retries = retries;
  }

  protected override async call<Data>(
    { method, path, query = [] }: Route,
    parameters: Readonly<Record<string, unknown>>,
    { signal }: CallOptions = {},
  ): Promise<Data> {
    const isPlacement = method === 'POST' && path === '/api/orders';
    const { url, rest } = splitPath(path, parameters);
    const hasBody = method === 'POST' || method === 'PATCH';
    const [asked, body] = splitQuery(rest, hasBody ? query : Object.keys(rest));
    if (isPlacement) body.clientOrderId ??= newId();
    const parts = { query: asked, signal, ...(hasBody ? { body } : {}) };
    const isSafeTwice = method === 'GET' || isPlacement;
    return retried(
      () => this.rest.request<Data>(method, url, parts),
      isSafeTwice ? this.retries : 0,
      signal,
    );
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
