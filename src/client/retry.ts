import { ApiRequestError, UnreachableError } from './errors.ts';

const FIRST_WAIT_MS = 250;
const PASSING = new Set<string>(['OUTCOME_UNKNOWN', 'OVERLOADED', 'RATE_LIMIT_EXCEEDED']);
/** As long as a window of the rate limits: whoever is to wait longer is told so instead. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Tries again, `retries` times at most, where there was no answer or the error passes by itself; waits
 * as long as the exchange said, else twice as long each time. Only for what does no harm twice.
 * @throws What the last attempt threw; the signal's reason where that was aborted.
 */
export async function retried<Result>(
  attempt: () => Promise<Result>,
  retries: number,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = waitAfter(error, failures);
      if (failures >= retries || waitMs === undefined || waitMs > LONGEST_WAIT_MS) throw error;
      await pause(waitMs, signal);
    }
  }
}

/** Whether an error is one that passes by itself. */
export function isPassing(code: string): boolean {
  return PASSING.has(code);
}

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
