import { join } from 'node:path';
import { temporaryDirectory } from './exchange-process.ts';
import type { FullDiskReport } from './full-disk.ts';
import { onSmallDisk } from './mounts.ts';

/** @throws Error if an acknowledged request was lost, or the exchange ended in another way than expected. */
export async function fullDiskRounds(
  way: readonly string[],
  rounds: number,
  seed: number,
  clients: number,
): Promise<FullDiskReport> {
  const directory = temporaryDirectory();
  try {
    const script = [process.execPath, join(import.meta.dir, 'full-disk.ts')];
    const child = Bun.spawn(
      [...onSmallDisk(way, directory.path), ...script].concat(
        [directory.path, rounds, seed, clients].map(String),
      ),
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const [out, error] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    if ((await child.exited) !== 0) throw new Error(`seed ${seed}: ${error}`);
    return JSON.parse(out);
  } finally {
    directory.remove();
  }
}
