import { ApiRequestError, NotSentError, UnreachableError } from './errors.ts';
import type { Method } from './rest-client.ts';

export const PLACE_ORDER = '/api/orders';
const PLACEMENTS: readonly string[] = [PLACE_ORDER, '/api/orders/batch', '/api/orders/oco'];
const DEFAULT_RETRIES = 3;
const MIN_BACKOFF_MS = 250;
const TRANSIENT_CODES = new Set<string>([
  'OUTCOME_UNKNOWN',
  'OVERLOADED',
  'RATE_LIMIT_EXCEEDED',
  'STALE',
]);
/** Errors of the credentials, which are checked before a request takes effect. */
const CREDENTIAL_CODES = new Set<string>([
  'UNAUTHORIZED',
  'INSUFFICIENT_PERMISSIONS',
  'IP_NOT_ALLOWED',
]);
/** Rule of the error for a request after its receive window, which is checked before it takes effect. */
const PASSED_DEADLINE = 'recvWindow';
/** Length of a rate-limit window. Instead of waiting longer, the client throws the error. */
const MAX_WAIT_MS = 60_000;

/** Maximum retries of a request. */
export interface Retries {
  /** If it is unknown whether the request took effect; only for idempotent requests. */
  readonly afterNoResponse: number;
  /** If the exchange rejected the request because of overload or a rate limit. */
  readonly afterRejection: number;
}

/** Returns the maximum retries of a request. @param isIdempotent Whether it has the same effect when sent twice. */
export function retryLimits(
  method: Method,
  path: string,
  isIdempotent: boolean,
  options: { readonly retries?: number; readonly waitToPlace?: boolean },
): Retries {
  const { retries = DEFAULT_RETRIES, waitToPlace = false } = options;
  const waits = method === 'GET' || (waitToPlace && method === 'POST' && PLACEMENTS.includes(path));
  return { afterNoResponse: isIdempotent ? retries : 0, afterRejection: waits ? retries : 0 };
}

/**
 * Retries after missing responses and transient errors, after the delay of Retry-After or with exponential backoff.
 * @throws the error of the last attempt. If an earlier attempt may have taken effect and the last error does not
 *   settle it (it is transient, or the credentials were not accepted), throws the error of that attempt. If the signal
 *   was aborted, throws its reason.
 */
export async function retryTransient<Result>(
  attempt: () => Promise<Result>,
  retries: Retries,
  signal: AbortSignal | undefined,
): Promise<Result> {
  let unknownOutcome: unknown;
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = waitAfter(error, failures);
      if (waitMs === undefined) throw isDecision(error) ? error : (unknownOutcome ?? error);
      const isUnknown = isOutcomeUnknown(error);
      if (isUnknown) unknownOutcome = error;
      const limit = isUnknown ? retries.afterNoResponse : retries.afterRejection;
      if (failures >= limit || waitMs > MAX_WAIT_MS) throw unknownOutcome ?? error;
      await pause(waitMs, signal);
    }
  }
}

/** Whether an error code is transient. */
export function isTransient(code: string): boolean {
  return TRANSIENT_CODES.has(code);
}

function isOutcomeUnknown(error: unknown): boolean {
  return !(error instanceof ApiRequestError) || error.code === 'OUTCOME_UNKNOWN';
}

/** Whether the exchange has decided about the request itself, so that no earlier attempt took effect. */
function isDecision(error: unknown): boolean {
  return (
    error instanceof ApiRequestError &&
    !CREDENTIAL_CODES.has(error.code) &&
    error.details.rule !== PASSED_DEADLINE
  );
}

/** Returns the wait before the next attempt; undefined if the error is permanent. */
function waitAfter(error: unknown, failures: number): number | undefined {
  const backoffMs = MIN_BACKOFF_MS * 2 ** failures * (0.5 + Math.random() / 2);
  // It has waited for a connection already, and the price of an order may be stale.
  if (error instanceof NotSentError) return undefined;
  if (error instanceof UnreachableError) return backoffMs;
  if (!(error instanceof ApiRequestError) || !isTransient(error.code)) return undefined;
  return error.retryAfterSeconds === undefined ? backoffMs : error.retryAfterSeconds * 1000;
}

function pause(timeMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, timeMs);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
