import { existsSync, statSync } from 'node:fs';
import { SnapshotStore } from '../../archivist/snapshots/snapshots.ts';
import { dataPaths } from '../../config/data-paths.ts';
import { findEnd, readBatches, type Tail } from '../../log/file-log.ts';
import type { Log } from '../../log/log.ts';
import { DiskStorage } from '../../storage/disk-storage.ts';
import { DirectoryInUseError, type DirectoryLock, lockDirectory } from '../../storage/lock.ts';
import { cliError, isFinding } from './finding.ts';

/** The data directory of a stopped node, read-only. */
export interface DataDirectory {
  readonly storage: DiskStorage;
  readonly logDirectory: string;
  /** End of the log, and the torn bytes after it. */
  readonly tail: Tail;
  /** Reads all complete batches from the files. */
  readonly log: Pick<Log, 'read'>;
  readonly snapshots: SnapshotStore;
  /** Path of the history database, which may not exist. */
  readonly historyPath: string;
  /** Sequences of the snapshots, newest first. */
  readonly snapshotSequences: readonly number[];
}

/**
 * Runs `work` on a locked data directory.
 * @throws CliError if there is none, if a node runs there, if it cannot be written, or if its data is damaged
 */
export async function withDataDirectory<T>(
  path: string,
  work: (directory: DataDirectory) => T | Promise<T>,
): Promise<T> {
  const paths = dataPaths(path);
  if (!existsSync(paths.log)) {
    throw cliError(
      'NO_DATA',
      `No exchange in ${path}. Name its data directory with --data or BUTTONWOOD_DATA.`,
    );
  }
  const locks: DirectoryLock[] = [];
  try {
    for (const directory of [path, paths.log]) locks.push(lockDirectory(directory));
    const storage = new DiskStorage();
    const tail = findEnd(storage, paths.log);
    const snapshots = new SnapshotStore(storage, paths.snapshots);
    return await work({
      storage,
      logDirectory: paths.log,
      tail,
      log: {
        read: (sequence, hash) =>
          readBatches(storage, paths.log, { sequence, hash }, tail.end.sequence),
      },
      snapshots,
      historyPath: paths.history,
      snapshotSequences: existsSync(paths.snapshots) ? snapshots.sequences() : [],
    });
  } catch (error) {
    if (error instanceof DirectoryInUseError) {
      throw cliError(
        'IN_USE',
        `A node is running in ${path}. Stop it first, or use a copy. "buttonwood state" reads a running node.`,
      );
    }
    if (isFinding(error) && isWriteRefused(error)) {
      throw cliError(
        'NOT_WRITABLE',
        `Cannot write to ${path} (${error.message}). Run this as the user of the node, on a writable disk.`,
      );
    }
    throw isFinding(error) ? cliError('UNSOUND', error.message) : error;
  } finally {
    for (const lock of locks) lock.release();
  }
}

function isWriteRefused({ code }: Error & { code?: string }): boolean {
  return ['EACCES', 'EPERM', 'EROFS', 'SQLITE_READONLY', 'SQLITE_CANTOPEN'].some((start) =>
    code?.startsWith(start),
  );
}

/**
 * Rejects another user than the owner of the log, because the node could not open the new files.
 * @throws CliError
 */
export function refuseOtherUser(path: string): void {
  const { log } = dataPaths(path);
  const user = process.geteuid?.();
  if (user === undefined || !existsSync(log)) return;
  const { uid } = statSync(log);
  if (uid === user) return;
  throw cliError(
    'WRONG_USER',
    `${log} belongs to user ${uid}, but this runs as user ${user}; the node could not open its files. Run it as the user of the node: sudo -u '#${uid}' buttonwood …`,
  );
}
