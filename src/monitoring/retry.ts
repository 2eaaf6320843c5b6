export interface RetryClock {
  /** A monotonic clock, milliseconds. */
  elapsedMs(): number;
  after(delayMs: number): { readonly over: Promise<void> };
}

const machineTime: RetryClock = {
  elapsedMs: () => performance.now(),
  after: (delayMs) => ({ over: Bun.sleep(delayMs) }),
};

export interface RetryOptions<Result> {
  /** Pause between two attempts, milliseconds; 0 for none. */
  readonly every: number;
  /** Time on the clock from which results and failures are final. By default there is no limit. */
  readonly until?: number;
  /** By default there is no limit. */
  readonly maxAttempts?: number;
  /** Whether an error may go away by itself. By default every error may. */
  readonly isTransient?: (error: unknown) => boolean;
  /** Whether a result is final. By default every result is. */
  readonly isDone?: (result: Result) => boolean;
  /** Called before the pause after a failed attempt; attempts count from 0. */
  readonly onRetry?: (error: Error, attempt: number) => void;
  readonly clock?: RetryClock;
}

/**
 * Calls `work` until it succeeds with a final result, and returns that, or the result of the last attempt.
 * @param work Called with the number of the attempt, from 0.
 * @throws the error of an attempt if it is not transient or was the last
 */
export async function retry<Result>(
  work: (attempt: number) => Result | Promise<Result>,
  options: RetryOptions<Result>,
): Promise<Result> {
  const { every, until = Infinity, maxAttempts = Infinity, clock = machineTime } = options;
  for (let attempt = 0; ; attempt++) {
    const isLast = () => attempt + 1 >= maxAttempts || clock.elapsedMs() >= until;
    try {
      const result = await work(attempt);
      if (options.isDone?.(result) !== false || isLast()) return result;
    } catch (error) {
      if (options.isTransient?.(error) === false || isLast()) throw error;
      options.onRetry?.(error as Error, attempt);
    }
    if (every > 0) await clock.after(every).over;
  }
}
