import { existsSync, statSync } from 'node:fs';
import { SnapshotStore } from '../../archivist/snapshots/snapshots.ts';
import { dataPaths } from '../../config/data-paths.ts';
import type { Log } from '../../log/log.ts';
import { readBatches } from '../../log/reader.ts';
import { findEnd, type Tail } from '../../log/recovery.ts';
import { DiskStorage } from '../../storage/disk-storage.ts';
import { DirectoryInUseError, type DirectoryLock, lockDirectory } from '../../storage/lock.ts';
import { isFinding, refusal } from './finding.ts';

/** The data directory of a stopped node; reading changes nothing in it. */
export interface DataDirectory {
  readonly storage: DiskStorage;
  readonly logDirectory: string;
  /** Where the log ends, and what is torn behind it. */
  readonly tail: Tail;
  /** All whole batches, straight from the files. */
  readonly log: Pick<Log, 'read'>;
  readonly snapshots: SnapshotStore;
  /** The database of history; there may be none. */
  readonly historyPath: string;
  /** Sequences of the snapshots there are, newest first. */
  readonly snapshotSequences: readonly number[];
}

/**
 * Does `work` on a data directory while no other process can.
 * @throws CliError where there is none, where a node runs there, where it cannot be written, or where what is stored is
 * not sound.
 */
export async function withDataDirectory<T>(
  path: string,
  work: (directory: DataDirectory) => T | Promise<T>,
): Promise<T> {
  const paths = dataPaths(path);
  if (!existsSync(paths.log)) {
    throw refusal(
      'NO_DATA',
      `There is no exchange in ${path}. Name its data directory with --data or BUTTONWOOD_DATA.`,
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
      throw refusal(
        'IN_USE',
        `A node runs in ${path}. Stop it first, or work on a copy; "buttonwood state" asks a running node.`,
      );
    }
    if (isFinding(error) && isWriteRefused(error)) {
      throw refusal(
        'NOT_WRITABLE',
        `${path} cannot be written (${error.message}). Run this as the node's user, on a writable disk.`,
      );
    }
    throw isFinding(error) ? refusal('UNSOUND', error.message) : error;
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
 * Refuses to write to the directory as another user than the one who owns its log: the node could not open the files.
 * @throws CliError
 */
export function refuseOtherUser(path: string): void {
  const { log } = dataPaths(path);
  const user = process.geteuid?.();
  if (user === undefined || !existsSync(log)) return;
  const { uid } = statSync(log);
  if (uid === user) return;
  throw refusal(
    'WRONG_USER',
    `${log} belongs to user ${uid}, and this runs as user ${user}, whose files the node could not open. Run it as the node's user: sudo -u '#${uid}' buttonwood …`,
  );
}
