import { LogTrimmedError } from '../cluster/log/clustered-log.ts';
import * as logger from '../monitoring/logger.ts';

/** The log is trimmed at most once a minute: a node that is overtaken this often is too slow to ever catch up. */
const MAX_TRIES = 5;

/**
 * Starts from the newest snapshot, and again if the log was trimmed past it in the meantime.
 * @throws LogTrimmedError after five attempts, and any other error of `begin`
 */
export async function retryIfTrimmed<Result>(begin: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await begin();
    } catch (error) {
      if (!(error instanceof LogTrimmedError) || tries === MAX_TRIES) throw error;
      logger.warn(`This node starts again from a newer snapshot: ${error.message}`);
    }
  }
}
