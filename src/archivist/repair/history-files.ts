import { renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type HistoryDamagedError, toDamage } from '../../history/errors.ts';
import { History } from '../../history/history.ts';
import { DiskStorage } from '../../storage/disk-storage.ts';

/** Returns the paths of an SQLite database's files. */
export function databaseFiles(path: string): string[] {
  return ['', '-wal', '-shm'].map((suffix) => path + suffix);
}

/** Returns whether a database exists and is not empty. */
export function databaseExists(path: string): boolean {
  return databaseFiles(path).some(
    (file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
}

/**
 * Opens the history in a file.
 * @param keptMs The period for which rows are kept, milliseconds; undefined to keep all.
 * @param onDamage Called if it is damaged.
 * @returns undefined if there is none, or it is damaged
 */
export async function openHistoryFile(
  path: string,
  keptMs: number | undefined,
  onDamage: (damage: HistoryDamagedError) => void,
): Promise<History | undefined> {
  if (!databaseExists(path)) return undefined;
  try {
    return await History.open(`sqlite://${path}`, keptMs);
  } catch (error) {
    const damage = toDamage(error);
    if (damage === undefined) throw error;
    onDamage(damage);
    return undefined;
  }
}

/** Replaces a closed database by another closed one, durably. */
export async function replaceDatabase(from: string, to: string): Promise<void> {
  // First: the write-ahead log of the old database would damage the new one.
  const [, ...others] = databaseFiles(to);
  for (const file of others) rmSync(file, { force: true });
  renameSync(from, to);
  await new DiskStorage().syncDirectory(dirname(to));
}
