/**
 * Preloaded into a node (bun --preload) to acknowledge before writing: writes to the log and its marker
 * are delayed, so that a kill loses them.
 */
import { DiskStorage } from '../../src/storage/disk-storage.ts';

const HELD_BACK_MS = 100;

// Only opened logs, so that the setup of a new exchange is written normally.
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
