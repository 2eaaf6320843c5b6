import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/**
 * Makes sure that only the owner of the process can read an SQLite database: creates an empty file where there is none,
 * and takes others' rights from one that was created with them or copied. SQLite gives `-wal` and `-shm` the mode of
 * the database.
 */
export function keepPrivate(path: string): void {
  closeSync(openSync(path, 'a', OWNER_ONLY));
  for (const suffix of ['', '-wal', '-shm']) {
    const mode = statSync(path + suffix, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & OTHERS) !== 0) chmodSync(path + suffix, OWNER_ONLY);
  }
}
