import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataPaths, historyFiles } from '../config/data-paths.ts';
import { CommandKind } from '../engine/command.ts';
import { ByteReader } from '../engine/numbers/bytes.ts';
import { decodeCommand } from '../log/codec.ts';
import { readBatches, segmentName } from '../log/file-log.ts';
import { DiskStorage } from '../storage/disk-storage.ts';
import { acquireLock } from './acquire-lock.ts';
import { WrongDataError } from './check-kind.ts';

type Paths = ReturnType<typeof dataPaths>;

/**
 * Removes a sandbox from its data directory.
 * @throws WrongDataError if the directory holds a real exchange
 */
export async function resetData(directory: string): Promise<void> {
  await new DiskStorage().makeDirectory(directory);
  const lock = await acquireLock(directory);
  try {
    const paths = dataPaths(directory);
    if (holdsRealExchange(paths)) {
      throw new WrongDataError(
        `The exchange in ${directory} is not a sandbox, so --reset must not delete it. ` +
          'Set BUTTONWOOD_DATA to another directory.',
      );
    }
    removeExchange(paths);
  } finally {
    lock.release();
  }
}

/** Removes all files of an exchange from its data directory. */
export function removeExchange(paths: Paths): void {
  for (const path of [...historyFiles(paths), paths.accounts]) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  }
  const { sandbox, sandboxVariables, operator, makers } = paths;
  const { log, snapshots, proofs, checkpoints, recording } = paths;
  const files = [sandbox, sandboxVariables, operator, makers];
  for (const path of [log, snapshots, proofs, checkpoints, recording, ...files]) {
    rmSync(path, { recursive: true, force: true });
  }
  // Removed last: until then they mark the directory as incomplete.
  for (const mark of [paths.beginning, paths.forking]) rmSync(mark, { force: true });
}

function holdsRealExchange(paths: Paths): boolean {
  if (!existsSync(join(paths.log, segmentName(1)))) return isRealWithoutLog(paths);
  try {
    const [first] = readBatches(new DiskStorage(), paths.log, { sequence: 0 }, 1);
    const command = decodeCommand(new ByteReader(first!.payload));
    return command.kind !== CommandKind.open || !command.sandbox;
  } catch (error) {
    // An unreadable log is a sandbox's only if there is the file that no real exchange has.
    if (existsSync(paths.sandbox)) return false;
    throw error;
  }
}

/** Returns whether a missing log, for example on an unmounted volume, may be that of a real exchange. */
function isRealWithoutLog(paths: Paths): boolean {
  if (existsSync(paths.operator)) return true;
  if (existsSync(paths.sandbox) || existsSync(paths.beginning)) return false;
  return [paths.history, paths.accounts].some((path) => existsSync(path));
}
