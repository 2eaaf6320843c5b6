import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The names of data directories: the machine, because containers may share a folder, and the process. */
const PREFIX = `buttonwood-exchange-${hostname().replace(/[^A-Za-z0-9]/g, '')}-`;

/** Creates an empty directory. Only its owner can read it. */
export function createTemporary(): Promise<string> {
  return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

/** Removes a directory with its content. */
export async function remove(directory: string): Promise<void> {
  // A killed server may still be creating files.
  await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}

/** Removes the directories of processes of this machine that ended without doing so. */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const pid = Number.parseInt(name.slice(PREFIX.length), 10);
    // Another user's directory cannot be removed, and does not matter.
    if (pid > 0 && !isRunning(pid)) await remove(join(tmpdir(), name)).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
