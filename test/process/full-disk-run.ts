import { join } from 'node:path';
import { temporaryDirectory } from './exchange-process.ts';
import type { FullDiskReport } from './full-disk.ts';

/** Ways to a mount namespace of one's own: as anybody, where the system lets them, or as root. */
const WAYS = [
  ['unshare', '--map-root-user', '--mount'],
  ['unshare', '--mount'],
];
const SIZE = '32m';

/** What runs the rest of its arguments with a small disk mounted at a directory. */
export function onSmallDisk(way: readonly string[], directory: string): string[] {
  const mount = `mount -t tmpfs -o size=${SIZE} tmpfs "$0" && exec "$@"`;
  return [...way, 'sh', '-c', mount, directory];
}

/** A way that works here, undefined where there is none. */
export function wayToSmallDisk(): readonly string[] | undefined {
  const directory = temporaryDirectory();
  const works = (way: readonly string[]) =>
    Bun.which(way[0]!) !== null &&
    Bun.spawnSync([...onSmallDisk(way, directory.path), 'true']).exitCode === 0;
  const way = WAYS.find(works);
  directory.remove();
  return way;
}

/** @throws where something acknowledged was lost, or an end was not as it must be */
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
