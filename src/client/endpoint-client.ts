import { OperatorEndpoints } from './api/operator-endpoints.ts';
import { RestClient, type RestClientOptions } from './rest-client.ts';
import type { CallOptions, Route } from './route.ts';

/** Client with one method per endpoint, which sends every request once; prices and amounts have the type N. */
export abstract class EndpointClient<N> extends OperatorEndpoints<N> {
  private readonly rest: RestClient;

  constructor(options: RestClientOptions) {
    super();
    this.rest = new RestClient(options);
  }

  protected override async call<Data>(
    { method, path, query = [] }: Route,
    parameters: Readonly<Record<string, unknown>>,
    { signal, deadline }: CallOptions = {},
  ): Promise<Data> {
    const { url, rest } = splitPath(path, parameters);
    const hasBody = method === 'POST' || method === 'PATCH';
    const [queryFields, body] = splitQuery(rest, hasBody ? query : Object.keys(rest));
    const common = { template: path, query: queryFields, signal, deadline };
    const parts = hasBody ? { ...common, body } : common;
    return this.rest.request<Data>(method, url, parts);
  }

  protected override async download(
    { path }: Route,
    parameters: Readonly<Record<string, unknown>>,
    { signal, deadline }: CallOptions = {},
  ): Promise<Response> {
    const { url, rest } = splitPath(path, parameters);
    const [query] = splitQuery(rest, Object.keys(rest));
    return this.rest.download(url, { query, signal, deadline });
  }
}

/** Fills path parameters, as in `/api/orders/{id}`; returns the URL and the other parameters. */
function splitPath(path: string, parameters: Readonly<Record<string, unknown>>) {
  const rest = { ...parameters };
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = `${rest[name] ?? ''}`;
    // An empty value, . and .. would name another path.
    if (/^\.{0,2}$/.test(value)) throw new RangeError(`${name} must not be "${value}".`);
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
