import * as logger from '../../../monitoring/logger.ts';
import type { Decision } from '../../auth/decision.ts';
import type { Call, SentFile } from '../request/call.ts';
import { AcceptedForApproval } from './accepted.ts';
import { compressed, isWorthCompressing } from './compression.ts';
import { newRequestId, respond, successBody } from './envelope.ts';
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

/**
 * Returns the response to a successful request: its data in the envelope, or a file, which is streamed, and of which a browser
 * that shows it runs nothing.
 * @param data JSON. @param sent A file that is sent in its place, and cookies. @param headers Further headers.
 */
export function toSuccessResponse(
  request: Request,
  data: string,
  { file, cookies }: Pick<Call, 'file' | 'cookies'>,
  decision: Decision,
  headers?: Headers,
): Response {
  const response =
    file === undefined
      ? toResponse(request, 200, successBody(data), decision, headers)
      : toFileResponse(request, file, decision, headers);
  for (const cookie of cookies ?? []) response.headers.append('Set-Cookie', cookie);
  return response;
}

/**
 * Returns the response to a request for public data, compressed if the client accepts it and it is long. Private data is
 * never compressed: its length would reveal how it resembles what an attacker has put next to it (BREACH).
 */
export function toPublicResponse(
  request: Request,
  data: string,
  call: Pick<Call, 'file' | 'cookies'>,
  decision: Decision,
): Response | Promise<Response> {
  if (call.file !== undefined || !isWorthCompressing(request, data)) {
    return toSuccessResponse(request, data, call, decision);
  }
  return compressed(successBody(data)).then(({ body, headers }) =>
    toResponse(request, 200, body, decision, headers),
  );
}

function toFileResponse(
  request: Request,
  { path, name, type }: SentFile,
  decision: Decision,
  headers: Headers | undefined,
): Response {
  const isPage = type.startsWith('text/html');
  return toResponse(request, 200, Bun.file(path), decision, {
    ...headers,
    'Content-Type': type,
    'Content-Disposition': `${isPage ? 'inline' : 'attachment'}; filename="${name}"`,
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'X-Content-Type-Options': 'nosniff',
  });
}

/** Returns the response to a request that failed, or that waits for an approval. An error that is not known is logged and becomes INTERNAL_ERROR. */
export function toErrorResponse(
  request: Request,
  thrown: unknown,
  decision: Decision,
  headers: Headers = {},
): Response {
  if (thrown instanceof AcceptedForApproval) {
    return toResponse(request, 202, successBody(thrown.data), decision, NO_STORE);
  }
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

/** Returns how long a client should wait before it tries again; undefined if trying again does not help. */
export function retryAfterSeconds(error: ApiError): number | undefined {
  if (error.code === 'CLOCK_OFF') return RETRY_CLOCK_OFF_SECONDS;
  if (error.status === 503) return Number(error.details.retryAfter ?? RETRY_UNAVAILABLE_SECONDS);
  return error.code === 'RATE_LIMIT_EXCEEDED' ? Number(error.details.retryAfter) : undefined;
}
