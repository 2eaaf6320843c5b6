import { renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { damageOf, type HistoryDamagedError } from '../../history/errors.ts';
import { History } from '../../history/history.ts';
import { DiskStorage } from '../../storage/disk-storage.ts';

/** The files of an SQLite database. */
export function suffixed(path: string): string[] {
  return ['', '-wal', '-shm'].map((suffix) => path + suffix);
}

/** Whether there is a database with anything in it. */
export function isFilled(path: string): boolean {
  return suffixed(path).some((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0);
}

/**
 * Opens the history in a file.
 * @param onDamage Called where it cannot be used.
 * @returns undefined where there is none, or none that can be used.
 */
export async function openHistoryFile(
  path: string,
  onDamage: (damage: HistoryDamagedError) => void,
): Promise<History | undefined> {
  if (!isFilled(path)) return undefined;
  try {
    return await History.open(`sqlite://${path}`);
  } catch (error) {
    const damage = damageOf(error);
    if (damage === undefined) throw error;
    onDamage(damage);
    return undefined;
  }
}

/** Puts a closed database in the place of another closed one, and makes that durable. */
export async function replaceDatabase(from: string, to: string): Promise<void> {
  // First: with the old database's log the new one would be damaged.
  const [, ...others] = suffixed(to);
  for (const file of others) rmSync(file, { force: true });
  renameSync(from, to);
  await new DiskStorage().syncDirectory(dirname(to));
}
