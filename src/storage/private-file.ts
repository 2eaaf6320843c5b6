import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/**
 * Ensures that only the owner of the process can read an SQLite database: creates an empty file if there is none, and
 * removes other users' permissions from an existing one. SQLite gives `-wal` and `-shm` the mode of the database.
 */
export function keepPrivate(path: string): void {
  closeSync(openSync(path, 'a', OWNER_ONLY));
  for (const suffix of ['', '-wal', '-shm']) {
    const mode = statSync(path + suffix, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & OTHERS) !== 0) chmodSync(path + suffix, OWNER_ONLY);
  }
}
