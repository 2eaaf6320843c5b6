import { LogTrimmedError } from '../cluster/log/clustered-log.ts';
import * as logger from '../monitoring/logger.ts';
import { retry } from '../monitoring/retry.ts';

/** The log is trimmed at most once a minute: a node that is overtaken this often is too slow to ever catch up. */
const MAX_ATTEMPTS = 5;

/**
 * Starts from the newest snapshot, and tries again if the log was trimmed past it in the meantime.
 * @throws LogTrimmedError after five attempts, and any other error of `begin`
 */
export function retryIfTrimmed<Result>(begin: () => Promise<Result>): Promise<Result> {
  return retry(begin, {
    every: 0,
    maxAttempts: MAX_ATTEMPTS,
    isTransient: (error) => error instanceof LogTrimmedError,
    onRetry: ({ message }) =>
      logger.warn(`This node starts again from a newer snapshot: ${message}`),
  });
}
