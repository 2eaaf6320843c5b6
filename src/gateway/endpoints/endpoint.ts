import type { Access } from '../auth/permissions.ts';
import type { Call } from '../http/request/call.ts';
import type { Handler } from '../openapi/description.ts';

/** Returns a value that changes whenever the response may change. */
export type Version = (call: Call) => string | number;

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly access: Access;
  /** Requests per minute: counted by address if public, else by account. */
  readonly limit: number;
  /** Requests per minute of a user with a session, if not `limit`. */
  readonly sessionLimit?: number;
  /** An endpoint without a description does not compile. */
  readonly handle: Handler;
  /** The route exists only in the sandbox. */
  readonly isSandboxOnly?: true;
  /** In the sandbox, the query parameter `at` shows the data as of a past moment. */
  readonly showsPast?: true;
  /** Replays the log: its requests also count as requests for past states. */
  readonly replaysLog?: true;
  /** Key of the response cache; responses without one are never cached. */
  readonly version?: Version;
  /** Places or amends orders: rejected while the exchange is overloaded. Cancellations never are. */
  readonly takesOrders?: true;
  /** Every order in its body counts as a request. */
  readonly countsOrders?: true;
  /** Shows market data, which a cluster node out of touch with the log must not present as current. */
  readonly showsMarkets?: true;
  /** Its response may take longer than an idle connection is kept open. */
  readonly isLong?: true;
  /** Serves users in browsers: it may set cookies, and its response must not be cached. */
  readonly isUserEndpoint?: true;
  /** The operation of `/ws` that calls the same handler. */
  readonly operation?: Operation;
}

export interface Operation {
  /** The value of `op`. */
  readonly name: string;
  /** Query parameters that the operation sets itself. */
  readonly query?: Readonly<Record<string, string>>;
}

/** Returns the path in the form of OpenAPI, such as `/api/orders/{id}`. */
export function pathTemplate({ path }: Pick<Endpoint, 'path'>): string {
  return path.replace(/:([^/]+)/g, '{$1}');
}

/** Returns whether browsers and proxies must not cache the endpoint's responses. Errors are never cached. */
export function isPrivate({
  access,
  isUserEndpoint,
}: Pick<Endpoint, 'access' | 'isUserEndpoint'>): boolean {
  return access !== 'public' || isUserEndpoint === true;
}

/** Returns whether an exchange of this kind has the endpoint. */
export function isAvailable({ isSandboxOnly }: Endpoint, isSandbox: boolean): boolean {
  return isSandbox || isSandboxOnly !== true;
}

/** Returns whether an endpoint reads a body; a body on GET and DELETE is ignored. */
export function hasBody({ method }: Endpoint): boolean {
  return method === 'POST' || method === 'PATCH';
}
