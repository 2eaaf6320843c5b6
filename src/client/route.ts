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
  /**
   * The time after which orders of the request are never placed or amended, milliseconds since 1970, at most a minute
   * ahead. Needs a clock that agrees with that of the exchange. Other requests ignore it, unless they are signed.
   */
  readonly deadline?: number;
}
