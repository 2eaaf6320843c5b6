export interface RetryClock {
  /** A monotonic clock, milliseconds. */
  elapsedMs(): number;
  after(delayMs: number): { readonly over: Promise<void> };
}

const machineTime: RetryClock = {
  elapsedMs: () => performance.now(),
  after: (delayMs) => ({ over: Bun.sleep(delayMs) }),
};

export interface RetryOptions {
  /** Pause between two attempts, milliseconds. */
  readonly every: number;
  /** Time on the clock from which failures are final. By default there is no limit. */
  readonly until?: number;
  /** Whether an error may go away by itself. By default every error may. */
  readonly isTransient?: (error: unknown) => boolean;
  /** Called before the pause after a failed attempt; attempts count from 0. */
  readonly onRetry?: (error: Error, attempt: number) => void;
  readonly clock?: RetryClock;
}

/**
 * Calls `work` until it succeeds.
 * @param work Called with the number of the attempt, from 0.
 * @throws the error of an attempt if it is not transient or the time is up
 */
export async function retry<Result>(
  work: (attempt: number) => Result | Promise<Result>,
  { every, until = Infinity, isTransient, onRetry, clock = machineTime }: RetryOptions,
): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (isTransient?.(error) === false || clock.elapsedMs() >= until) throw error;
      onRetry?.(error as Error, attempt);
      await clock.after(every).over;
    }
  }
}
