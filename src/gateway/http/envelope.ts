/** Responses with the headers that each of them must carry (REST-SPEC.md section 8, API.md section 1). */
import { randomBytes } from 'node:crypto';

/** What a caller may still do in the window that its request counted in. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, in whole Unix seconds, rounded up. */
  readonly resetSeconds: number;
}

// A Response copies the headers it is given, so one set of them serves all: a third faster than
// headers from an object, pairs or a Headers of their own. JSON has no charset parameter (RFC 8259).
const HEADERS = new Headers({ 'Content-Type': 'application/json', 'X-API-Version': '1' });
// What stands there of the last response: setting a header costs more than looking whether it changes.
let shownLimit = -1;
let shownRemaining = -1;
let shownReset = -1;

/** `extraHeaders`: such as Allow or Retry-After; they also replace the headers set here. */
export function respond(
  status: number,
  body: string | Blob | null,
  rateLimit: RateLimitState,
  requestId: string,
  extraHeaders?: Readonly<Record<string, string>>,
): Response {
  showRateLimit(rateLimit);
  HEADERS.set('X-Request-Id', requestId);
  const response = new Response(body, { status, headers: HEADERS });
  for (const name in extraHeaders) response.headers.set(name, extraHeaders[name]!);
  return response;
}

function showRateLimit({ limit, remaining, resetSeconds }: RateLimitState): void {
  if (limit !== shownLimit) {
    shownLimit = limit;
    HEADERS.set('X-RateLimit-Limit', String(limit));
  }
  if (remaining !== shownRemaining) {
    shownRemaining = remaining;
    HEADERS.set('X-RateLimit-Remaining', String(remaining));
  }
  if (resetSeconds !== shownReset) {
    shownReset = resetSeconds;
    HEADERS.set('X-RateLimit-Reset', String(resetSeconds));
  }
}

/** The success envelope around `data`, the JSON text of an object. */
export function successBody(data: string): string {
  return `{"success":true,"data":${data}}`;
}

const PROCESS_PREFIX = randomBytes(8).toString('hex');
let requests = 0;

/** Differs from every other one, those of other processes and earlier runs included. */
export function newRequestId(): string {
  return `${PROCESS_PREFIX}-${(requests++).toString(36)}`;
}
