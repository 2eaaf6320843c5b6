import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { dataPaths } from '../config/data-paths.ts';
import { openDatabase, readPosition } from '../history/history.ts';
import { WrongDataError } from './check-kind.ts';

type Paths = ReturnType<typeof dataPaths>;

/**
 * Refuses to create an exchange if files of an earlier one exist. Its log is then missing, most likely because a volume is
 * not mounted, and a new exchange would overwrite the operator's key. Reads only.
 * @param isInterrupted Whether the log was opened before and is still empty. An interrupted first start has written only
 * the credentials file.
 * @throws WrongDataError
 */
export function refuseMissingLog(paths: Paths, isInterrupted: boolean): void {
  const found = findTraces(paths, isInterrupted);
  if (found.length === 0) return;
  throw new WrongDataError(
    `${paths.log} holds no log, but the data directory belongs to an exchange (it has ${found.join(', ')}). ` +
      `Nothing was changed. Mount or restore ${paths.log}, then start again. ` +
      'To create a new exchange, set BUTTONWOOD_DATA to another directory or move those files away.',
  );
}

/** @throws WrongDataError if the path of the log is not a directory */
export function refuseFileAsLog(path: string): void {
  if (!existsSync(path) || statSync(path).isDirectory()) return;
  throw new WrongDataError(
    `${path} is a file; it must be the directory of the log. Nothing was changed. ` +
      'Move the file away and restore the directory from a backup, or mount its volume, then start again.',
  );
}

/** @throws WrongDataError if a fork into the data directory was interrupted, so that its log may end too early */
export function refuseIncompleteFork({ forking }: Paths): void {
  if (!existsSync(forking)) return;
  throw new WrongDataError(
    `${dirname(forking)} is an incomplete fork: "buttonwood fork" was interrupted, or is still running. ` +
      'Run it again with the same --to, or name another directory.',
  );
}

/** Returns the names of the files that only an exchange with a log has written. */
function findTraces(paths: Paths, isInterrupted: boolean): string[] {
  const credentials = isInterrupted ? [] : [paths.operator, paths.sandbox];
  const databases = [paths.history, paths.accounts].filter(isFilled);
  const names = [...credentials, paths.makers].filter((path) => existsSync(path));
  const found = [...names, ...databases].map((path) => basename(path));
  return hasSnapshots(paths) ? [...found, `${basename(paths.snapshots)}/`] : found;
}

/** An empty file is how an operator confirms that a database may be created. */
function isFilled(path: string): boolean {
  return existsSync(path) && statSync(path).size > 0;
}

function hasSnapshots({ snapshots }: Paths): boolean {
  return existsSync(snapshots) && readdirSync(snapshots).some((name) => name.endsWith('.snapshot'));
}

/**
 * Does the same for a history in PostgreSQL: an empty log does not belong to a database with batches.
 * @throws WrongDataError
 */
export async function refuseForeignDatabase(logDirectory: string, url: string): Promise<void> {
  const database = openDatabase(url);
  try {
    const [row] = await database.query("SELECT to_regclass('history.position') AS name");
    if (row?.name === null || row?.name === undefined) return;
    const { sequence } = await readPosition(database);
    if (sequence === 0) return;
    throw new WrongDataError(
      `${logDirectory} holds no log, but the database named by BUTTONWOOD_DATABASE holds history up to batch ${sequence}. ` +
        `Nothing was changed. Mount or restore ${logDirectory}, or name another database.`,
    );
  } finally {
    await database.close();
  }
}

/**
 * Refuses a real exchange whose log has accounts of users and whose database of users is missing: it cannot be rebuilt
 * from the log, and with an empty one no user could sign in. Reads only.
 * @param accounts Number of accounts in the log; the first is the operator's.
 * @throws WrongDataError
 */
export function refuseMissingUsers(paths: Paths, accounts: number): void {
  if (accounts <= 1 || existsSync(paths.accounts)) return;
  throw new WrongDataError(
    `${paths.accounts} is missing, but the log has accounts in addition to the operator's (${accounts - 1}). ` +
      'It holds users, passwords and second factors, and cannot be rebuilt from the log. Mount or restore it, then start again. ' +
      `To continue without those users, create an empty file: touch ${paths.accounts}`,
  );
}
