/**
 * Preloaded into a node (bun --preload): an exchange that acknowledges before it writes. What goes to
 * the log and its marker is held back for a while, so that a kill loses it.
 */
import { DiskStorage } from '../../src/storage/disk-storage.ts';

const HELD_BACK_MS = 100;

// Opened, not made: the beginning of a new exchange is written as it should be.
const open = DiskStorage.prototype.open;
DiskStorage.prototype.open = function (path) {
  const file = open.call(this, path);
  if (!/\.log$|acknowledged$/.test(path)) return file;
  const write = file.write.bind(file);
  let until = Promise.resolve();
  file.write = (bytes, position) => {
    const copy = bytes.slice();
    until = until.then(() => Bun.sleep(HELD_BACK_MS)).then(() => void write(copy, position));
    return bytes.length;
  };
  return file;
};
