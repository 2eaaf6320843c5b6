import * as logger from '../../../monitoring/logger.ts';
import type { Decision } from '../../auth/decision.ts';
import { newRequestId, respond } from './envelope.ts';
import { ApiError, errorBody } from './errors.ts';
import { knownError } from './known-errors.ts';

const RETRY_UNAVAILABLE_SECONDS = 1;
const RETRY_CLOCK_OFF_SECONDS = 10;

type Headers = Readonly<Record<string, string>>;

/** For responses that browsers and proxies must not cache. */
export const NO_STORE: Headers = { 'Cache-Control': 'no-store' };

/** Returns the response to a request; a HEAD request gets it without its body. */
export function toResponse(
  request: Request,
  status: number,
  body: string | Blob,
  { rateLimit }: Decision,
  headers?: Headers,
  requestId = newRequestId(),
): Response {
  if (request.method !== 'HEAD') return respond(status, body, rateLimit, requestId, headers);
  // HEAD reports the length of the body that GET would have (RFC 9110, 8.6).
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.size;
  return respond(status, null, rateLimit, requestId, {
    ...headers,
    'Content-Length': `${length}`,
  });
}

/** Returns the response to a failed request. An error that is not known is logged and becomes INTERNAL_ERROR. */
export function toErrorResponse(
  request: Request,
  thrown: unknown,
  decision: Decision,
  headers: Headers = {},
): Response {
  const requestId = newRequestId();
  const known = knownError(thrown);
  let error: ApiError;
  if (known !== undefined) error = known;
  else {
    // The client gets only the request's id; the operator finds the error under it in the log.
    logger.error('request failed', thrown, { requestId });
    error = new ApiError('INTERNAL_ERROR');
  }
  const retryAfter = retryAfterSeconds(error);
  const all =
    retryAfter === undefined
      ? { ...headers, ...NO_STORE }
      : { ...headers, ...NO_STORE, 'Retry-After': `${retryAfter}` };
  // RATE_LIMIT_EXCEEDED may come from another limit than the window, so report nothing remaining.
  const isLimited = error.code === 'RATE_LIMIT_EXCEEDED';
  const reported = isLimited
    ? { ...decision, rateLimit: { ...decision.rateLimit, remaining: 0 } }
    : decision;
  return toResponse(request, error.status, errorBody(error), reported, all, requestId);
}

function retryAfterSeconds(error: ApiError): number | undefined {
  if (error.code === 'CLOCK_OFF') return RETRY_CLOCK_OFF_SECONDS;
  if (error.status === 503) return RETRY_UNAVAILABLE_SECONDS;
  return error.code === 'RATE_LIMIT_EXCEEDED' ? Number(error.details.retryAfter) : undefined;
}
