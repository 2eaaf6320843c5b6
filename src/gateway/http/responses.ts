import * as logger from '../../monitoring/logger.ts';
import type { Authorized } from '../auth/authorization.ts';
import { newRequestId, respond } from './envelope.ts';
import { ApiError, errorBody } from './errors.ts';
import { knownError } from './known-errors.ts';

const RETRY_UNAVAILABLE_SECONDS = 1;
const RETRY_CLOCK_OFF_SECONDS = 10;

type Headers = Readonly<Record<string, string>>;

/** For answers that no browser and no proxy may keep. */
export const NO_STORE: Headers = { 'Cache-Control': 'no-store' };

/** The answer to a request; to HEAD the same without its body. */
export function answer(
  request: Request,
  status: number,
  body: string | Blob,
  { rateLimit }: Authorized,
  headers?: Headers,
  requestId = newRequestId(),
): Response {
  if (request.method !== 'HEAD') return respond(status, body, rateLimit, requestId, headers);
  // The length must be that of GET's body (RFC 9110, 8.6).
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.size;
  return respond(status, null, rateLimit, requestId, {
    ...headers,
    'Content-Length': `${length}`,
  });
}

/** The answer to a request that failed. What is not of the contract is logged and answered INTERNAL_ERROR. */
export function answerError(
  request: Request,
  thrown: unknown,
  authorized: Authorized,
  headers: Headers = {},
): Response {
  const requestId = newRequestId();
  const known = knownError(thrown);
  let error: ApiError;
  if (known !== undefined) error = known;
  else {
    // The client gets no more than the request's id; the operator finds the rest under it.
    logger.error('request failed', thrown, { requestId });
    error = new ApiError('INTERNAL_ERROR');
  }
  const retryAfter = retryAfterOf(error);
  const all =
    retryAfter === undefined
      ? { ...headers, ...NO_STORE }
      : { ...headers, ...NO_STORE, 'Retry-After': `${retryAfter}` };
  // Who has to wait for another reason than the window has nothing left either.
  const isLimited = error.code === 'RATE_LIMIT_EXCEEDED';
  const shown = isLimited
    ? { ...authorized, rateLimit: { ...authorized.rateLimit, remaining: 0 } }
    : authorized;
  return answer(request, error.status, errorBody(error), shown, all, requestId);
}

function retryAfterOf(error: ApiError): number | undefined {
  if (error.code === 'CLOCK_OFF') return RETRY_CLOCK_OFF_SECONDS;
  if (error.status === 503) return RETRY_UNAVAILABLE_SECONDS;
  return error.code === 'RATE_LIMIT_EXCEEDED' ? Number(error.details.retryAfter) : undefined;
}
