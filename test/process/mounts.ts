import { temporaryDirectory } from './exchange-process.ts';

/** Commands that create a mount namespace: as any user, if the system permits it, or as root. */
const WAYS = [
  ['unshare', '--map-root-user', '--mount'],
  ['unshare', '--mount'],
];
const SIZE = '32m';

/** Returns a command line that mounts at a directory and runs the command appended to it. */
type Mount = (way: readonly string[], directory: string) => string[];

/** Mounts a small disk in memory. */
export const onSmallDisk: Mount = (way, directory) => {
  const mount = `mount -t tmpfs -o size=${SIZE} tmpfs "$0" && exec "$@"`;
  return [...way, 'sh', '-c', mount, directory];
};

/** Mounts the directory read-only over itself. */
export const onReadOnlyMount: Mount = (way, directory) => {
  const mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  return [...way, 'sh', '-c', mount, directory];
};

/** Returns a way in which the mount works on this machine, undefined if there is none. */
export function wayToMount(mount: Mount): readonly string[] | undefined {
  const directory = temporaryDirectory();
  const works = (way: readonly string[]) =>
    Bun.which(way[0]!) !== null &&
    Bun.spawnSync([...mount(way, directory.path), 'true']).exitCode === 0;
  const way = WAYS.find(works);
  directory.remove();
  return way;
}
