import type { Method } from './rest-client.ts';

/** The endpoint of a client method. */
export interface Route {
  readonly method: Method;
  /** Path with its parameters, such as `/api/orders/{id}`. */
  readonly path: string;
  /** Query parameters of requests with a body; without a body all parameters are. */
  readonly query?: readonly string[];
}

export interface CallOptions {
  /** Aborts the request and its retries. */
  readonly signal?: AbortSignal;
}
