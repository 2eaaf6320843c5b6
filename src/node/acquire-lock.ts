import { retry } from '../monitoring/retry.ts';
import { DirectoryInUseError, type DirectoryLock, lockDirectory } from '../storage/lock.ts';

const WAIT_MS = 2000;
const RETRY_MS = 200;

/**
 * Locks a directory. Waits up to two seconds for a node that is still stopping.
 * @throws DirectoryInUseError
 */
export function acquireLock(directory: string): Promise<DirectoryLock> {
  return retry(() => lockDirectory(directory), {
    every: RETRY_MS,
    until: performance.now() + WAIT_MS,
    isTransient: (error) => error instanceof DirectoryInUseError,
  });
}
