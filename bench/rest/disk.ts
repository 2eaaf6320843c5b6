import { closeSync, fdatasync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the duration of a bare 4 KiB append and fdatasync in a directory. */
export async function fdatasyncMs(
  directory: string,
  count = 500,
): Promise<{ p50Ms: number; p99Ms: number }> {
  const path = join(directory, 'fdatasync-probe');
  const file = openSync(path, 'w');
  const block = new Uint8Array(4096);
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    writeSync(file, block);
    await new Promise<void>((resolve, reject) =>
      fdatasync(file, (error) => (error ? reject(error) : resolve())),
    );
    times.push(performance.now() - start);
  }
  closeSync(file);
  rmSync(path);
  times.sort((a, b) => a - b);
  return { p50Ms: times[count >> 1]!, p99Ms: times[Math.floor(count * 0.99)]! };
}
