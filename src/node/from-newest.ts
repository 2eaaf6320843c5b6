import { LogTrimmedError } from '../cluster/log/errors.ts';
import * as logger from '../monitoring/logger.ts';

/** Nodes trim once in a minute at most: who is overtaken as often as this is too slow to ever catch up. */
const MOST_TRIES = 5;

/**
 * Begins at the newest snapshot, and again where the log was trimmed behind a newer one meanwhile.
 * @throws LogTrimmedError where that happens again and again, and what `begin` throws for any other reason
 */
export async function fromNewest<Begun>(begin: () => Promise<Begun>): Promise<Begun> {
  for (let tries = 1; ; tries++) {
    try {
      return await begin();
    } catch (error) {
      if (!(error instanceof LogTrimmedError) || tries === MOST_TRIES) throw error;
      logger.warn(`This node begins again, at a newer snapshot: ${error.message}`);
    }
  }
}
