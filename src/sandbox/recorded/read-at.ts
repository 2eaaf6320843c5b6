import { readSync } from 'node:fs';

/** Returns up to `length` bytes at a position, fewer at the end of the file. */
export function readAt(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const count = readSync(fd, buffer, done, length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return buffer.subarray(0, done);
}
