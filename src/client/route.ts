import type { Method } from './rest-client.ts';

/** Where a method of the client sends its request. */
export interface Route {
  readonly method: Method;
  /** With the parameters that are part of it, such as `/api/orders/{id}`. */
  readonly path: string;
  /** Which parameters go into the query beside a body; without a body all of them do. */
  readonly query?: readonly string[];
}

export interface CallOptions {
  /** Gives the request, and every retry of it, up. */
  readonly signal?: AbortSignal;
}
