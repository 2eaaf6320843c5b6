import { Database, SQLiteError } from 'bun:sqlite';
import { join } from 'node:path';

/** Another process owns the data directory. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';

  constructor(readonly directory: string) {
    super(
      `${directory} belongs to another running process. ` +
        'Stop that one first, or give this one a data directory of its own.',
    );
  }
}

export interface DirectoryLock {
  release(): void;
}

/** A database that nothing refers to is closed by the garbage collector, and its lock with it. */
const held = new Set<Database>();

/**
 * Makes this process the only owner of an existing directory until `release` or until it dies, by
 * whatever signal: SQLite holds an operating-system lock on the file `lock`. Throws
 * `DirectoryInUseError` when another process, or this one, owns it already.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const database = new Database(join(directory, 'lock'), { create: true, readwrite: true });
  try {
    database.run('PRAGMA locking_mode = EXCLUSIVE');
    database.run('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY')) {
      throw new DirectoryInUseError(directory);
    }
    throw error;
  }
  held.add(database);
  return {
    release() {
      held.delete(database);
      database.close();
    },
  };
}
