/** Responses with the headers that every response has. */
import { randomBytes } from 'node:crypto';

/** The state of the rate-limit window that a request was counted in. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** End of the window, Unix seconds, rounded up. */
  readonly resetSeconds: number;
}

// A Response copies its headers, so all responses share this object, which is a third faster than creating headers
// for each. JSON has no charset parameter (RFC 8259).
const HEADERS = new Headers({ 'Content-Type': 'application/json', 'X-API-Version': '1' });
// The values in HEADERS, because comparing a value is cheaper than setting a header.
let lastLimit = -1;
let lastRemaining = -1;
let lastReset = -1;

/** Returns a response. @param extraHeaders Added to the common headers, and replacing those of the same name. */
export function respond(
  status: number,
  body: string | Blob | null,
  rateLimit: RateLimitState,
  requestId: string,
  extraHeaders?: Readonly<Record<string, string>>,
): Response {
  setRateLimit(rateLimit);
  HEADERS.set('X-Request-Id', requestId);
  const response = new Response(body, { status, headers: HEADERS });
  for (const name in extraHeaders) response.headers.set(name, extraHeaders[name]!);
  return response;
}

function setRateLimit({ limit, remaining, resetSeconds }: RateLimitState): void {
  if (limit !== lastLimit) {
    lastLimit = limit;
    HEADERS.set('X-RateLimit-Limit', String(limit));
  }
  if (remaining !== lastRemaining) {
    lastRemaining = remaining;
    HEADERS.set('X-RateLimit-Remaining', String(remaining));
  }
  if (resetSeconds !== lastReset) {
    lastReset = resetSeconds;
    HEADERS.set('X-RateLimit-Reset', String(resetSeconds));
  }
}

/** Returns the body of a success response. @param data A JSON object. */
export function successBody(data: string): string {
  return `{"success":true,"data":${data}}`;
}

const PROCESS_PREFIX = randomBytes(8).toString('hex');
let requests = 0;

/** Returns an id that is unique across all processes and runs. */
export function newRequestId(): string {
  return `${PROCESS_PREFIX}-${(requests++).toString(36)}`;
}
