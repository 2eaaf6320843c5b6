import { DirectoryInUseError, type DirectoryLock, lockDirectory } from '../storage/lock.ts';

const TRIES = 10;
const RETRY_MS = 200;

/** Locks a directory; waits for a moment for a node that was told to stop and is still finishing. */
export async function lockSoon(directory: string): Promise<DirectoryLock> {
  for (let tries = 0; ; tries++) {
    try {
      return lockDirectory(directory);
    } catch (error) {
      if (!(error instanceof DirectoryInUseError) || tries === TRIES) throw error;
      await Bun.sleep(RETRY_MS);
    }
  }
}
