/** The window of an endpoint, in which requests are counted. */
export interface RateLimit {
  /** Maximum requests per window. */
  readonly limit: number;
  /** Requests left until the window ends. */
  readonly remaining: number;
  /** The end of the window, milliseconds since 1970 by the exchange's clock. */
  readonly resetMs: number;
}

/**
 * Called with the state of a rate limit after a request.
 * @param endpoint Its method and path, such as `DELETE /api/orders/{id}`; also for operations over sockets, which count
 * in the same window.
 */
export type OnRateLimit = (endpoint: string, state: RateLimit) => void;

/** Returns the rate limit in the headers of a response; undefined if they have none. */
export function readRateLimit(headers: Headers): RateLimit | undefined {
  return toRateLimit({
    limit: headers.get('x-ratelimit-limit'),
    remaining: headers.get('x-ratelimit-remaining'),
    reset: headers.get('x-ratelimit-reset'),
  });
}

/** Returns the rate limit with fields as the exchange sends them, as numbers or text; undefined if one is missing. */
export function toRateLimit(sent: unknown): RateLimit | undefined {
  const { limit, remaining, reset } = (sent ?? {}) as Record<string, unknown>;
  const isComplete = [limit, remaining, reset].every((value) => /^\d+$/.test(`${value}`));
  return isComplete
    ? { limit: Number(limit), remaining: Number(remaining), resetMs: Number(reset) * 1000 }
    : undefined;
}
