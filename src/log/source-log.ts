import { dirname } from 'node:path';
import { StoredDataError } from '../monitoring/operator-error.ts';
import { retry } from '../monitoring/retry.ts';
import { DirectoryInUseError, lockDirectory } from '../storage/lock.ts';
import type { Storage } from '../storage/storage.ts';
import { readAcknowledged } from './acknowledged.ts';
import type { Log, Position } from './log.ts';
import { readBatches } from './reader.ts';
import { findEnd } from './recovery.ts';

const RETRY_MS = 10;
const MAX_READS = 100;

/** A log that is only read, and to which a node may append at the same time. */
export interface SourceLog extends Pick<Log, 'read'> {
  /** Sequence of the newest batch that was durable when the log was opened; 0 for an empty log. */
  readonly lastSequence: number;
}

/**
 * Opens a log for reading and changes nothing. If no process uses it, its end is found as at a start, under the locks
 * that a start takes; a node that starts at the same time waits. Otherwise its end is the batch that the node
 * acknowledged last.
 * @param directory The log's directory in a data directory.
 * @throws LogDamagedError if its last segment is damaged.
 * @throws StoredDataError if a process uses it and its marker cannot be read.
 */
export async function openSourceLog(storage: Storage, directory: string): Promise<SourceLog> {
  const lastSequence = findUnusedEnd(storage, directory) ?? (await readMarker(storage, directory));
  return {
    lastSequence,
    read: (sequence, hash) => readBatches(storage, directory, { sequence, hash }, lastSequence),
  };
}

/** Returns the end of a log that no process uses; undefined if one does. */
function findUnusedEnd(storage: Storage, directory: string): number | undefined {
  const locks: { release(): void }[] = [];
  try {
    // In the order of a start, which waits for the first.
    for (const each of [dirname(directory), directory]) locks.push(lockDirectory(each));
    return findEnd(storage, directory).end.sequence;
  } catch (error) {
    if (error instanceof DirectoryInUseError) return undefined;
    throw error;
  } finally {
    for (const lock of locks.reverse()) lock.release();
  }
}

/** Reads the acknowledged marker, again if the node is writing it. */
async function readMarker(storage: Storage, directory: string): Promise<number> {
  const found: Position | undefined = await retry(() => readAcknowledged(storage, directory), {
    every: RETRY_MS,
    maxAttempts: MAX_READS,
    isTransient: () => false,
    isDone: (position) => position !== undefined,
  });
  if (found !== undefined) return found.sequence;
  throw new StoredDataError(
    `A process uses the log in ${directory}, and has acknowledged no batch, or its file "acknowledged" is damaged. ` +
      'Try again once it is ready, or stop it first.',
  );
}
