import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { dataPaths } from '../../config/data-paths.ts';
import { isStorageFailure } from '../../monitoring/operator-error.ts';
import { DiskStorage } from '../../storage/disk-storage.ts';
import { DirectoryInUseError, lockDirectory } from '../../storage/lock.ts';
import { cliError } from './finding.ts';

type Paths = ReturnType<typeof dataPaths>;

/**
 * Runs `fill` on a new data directory, which is marked as incomplete until it is done: a start refuses it, and another
 * fork into it begins again. If `fill` fails, everything that was created is removed.
 * @param source The data directory to fork, in which the target must not be.
 * @throws CliError if the directory is not empty, or cannot be written
 */
export async function withNewDirectory<T>(
  path: string,
  source: string,
  fill: (paths: Paths) => Promise<T>,
): Promise<T> {
  refuseInside(path, source);
  const paths = dataPaths(path);
  const storage = new DiskStorage();
  let created: string | undefined;
  try {
    created = mkdirSync(path, { recursive: true, mode: 0o700 });
    const lock = lockDirectory(path);
    try {
      clearInterrupted(paths, path);
      storage.create(paths.forking).close();
      await storage.syncDirectory(path);
      const result = await fill(paths);
      await storage.syncDirectory(path);
      storage.remove(paths.forking);
      await storage.syncDirectory(path);
      // The entry of the directory itself.
      await storage.syncDirectory(dirname(resolve(created ?? path)));
      return result;
    } catch (error) {
      if (existsSync(paths.forking)) removeFork(paths);
      throw error;
    } finally {
      lock.release();
    }
  } catch (error) {
    if (created !== undefined) rmSync(created, { recursive: true, force: true });
    throw toCliError(error, path);
  }
}

/** Removes what an interrupted fork left. @throws CliError if there are other files */
function clearInterrupted(paths: Paths, path: string): void {
  const names = readdirSync(path);
  if (names.includes(basename(paths.forking))) removeFork(paths);
  const [name] = readdirSync(path);
  if (name === undefined) return;
  throw cliError(
    'NOT_EMPTY',
    `${path} is not empty (it has ${name}). Name a directory that is new or empty. Nothing was changed.`,
  );
}

/** Removes the files of a fork, its marker last. */
function removeFork({ log, snapshots, sandbox, forking }: Paths): void {
  for (const each of [log, snapshots, sandbox]) {
    for (const file of [each, `${each}.part`]) rmSync(file, { recursive: true, force: true });
  }
  rmSync(forking, { force: true });
}

/** @throws CliError if the target is the source or in it */
function refuseInside(path: string, source: string): void {
  const target = `${realTarget(path)}${sep}`;
  if (!target.startsWith(`${realpathSync(source)}${sep}`)) return;
  throw cliError(
    'INSIDE_SOURCE',
    `${path} is in the data directory to fork. Name a directory outside of ${source}.`,
  );
}

/** Returns the path without symbolic links; its last parts need not exist. */
function realTarget(path: string): string {
  const absolute = resolve(path);
  if (existsSync(absolute)) return realpathSync(absolute);
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(realTarget(parent), basename(absolute));
}

function toCliError(error: unknown, path: string): unknown {
  if (error instanceof DirectoryInUseError) {
    return cliError('IN_USE', `A process is using ${path}. Name another directory.`);
  }
  // A log that cannot be written names the failure of the disk as its cause.
  const failure = isStorageFailure(error) ? error : (error as Error).cause;
  if (!isStorageFailure(failure)) return error;
  return cliError('NOT_WRITABLE', `Cannot write the fork to ${path}: ${failure.message}.`);
}
