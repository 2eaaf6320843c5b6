import { ApiRequestError, UnreachableError } from './errors.ts';

const FIRST_WAIT_MS = 250;
const PASSING = new Set<string>(['OUTCOME_UNKNOWN', 'OVERLOADED', 'RATE_LIMIT_EXCEEDED', 'STALE']);
/** As long as a window of the rate limits: whoever is to wait longer is told so instead. */
const LONGEST_WAIT_MS = 60_000;

/** How often a request is sent again. */
export interface Retries {
  /** Where it is not known whether it had an effect: only for what does no harm twice. */
  readonly afterSilence: number;
  /** Where the exchange did nothing, as it is overloaded or has had too many requests. */
  readonly afterRefusal: number;
}

/**
 * Tries again where there was no answer or the error passes by itself; waits as long as the exchange said,
 * else twice as long each time.
 * @throws What the last attempt threw, but no refusal where an earlier one may have had an effect: then what
 *   that threw. The signal's reason where that was aborted.
 */
export async function retried<Result>(
  attempt: () => Promise<Result>,
  retries: Retries,
  signal: AbortSignal | undefined,
): Promise<Result> {
  let silence: unknown;
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = waitAfter(error, failures);
      if (waitMs === undefined) throw error;
      const isSilence = isOutcomeUnknown(error);
      if (isSilence) silence = error;
      const limit = isSilence ? retries.afterSilence : retries.afterRefusal;
      if (failures >= limit || waitMs > LONGEST_WAIT_MS) throw silence ?? error;
      await pause(waitMs, signal);
    }
  }
}

/** Whether an error is one that passes by itself. */
export function isPassing(code: string): boolean {
  return PASSING.has(code);
}

function isOutcomeUnknown(error: unknown): boolean {
  return !(error instanceof ApiRequestError) || error.code === 'OUTCOME_UNKNOWN';
}

/** Undefined where the error does not pass. */
function waitAfter(error: unknown, failures: number): number | undefined {
  const backoffMs = FIRST_WAIT_MS * 2 ** failures * (0.5 + Math.random() / 2);
  if (error instanceof UnreachableError) return backoffMs;
  if (!(error instanceof ApiRequestError) || !isPassing(error.code)) return undefined;
  return error.retryAfterSeconds === undefined ? backoffMs : error.retryAfterSeconds * 1000;
}

function pause(timeMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, timeMs);
    if (signal?.aborted) giveUp();
    else signal?.addEventListener('abort', giveUp, { once: true });
  });
}
