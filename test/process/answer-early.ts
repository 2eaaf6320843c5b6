/** Preloaded into a node (bun --preload): its log does not wait for syncs. */
import { DiskStorage } from '../../src/storage/disk-storage.ts';

for (const way of ['create', 'open'] as const) {
  const original = DiskStorage.prototype[way];
  DiskStorage.prototype[way] = function (path) {
    const file = original.call(this, path);
    if (path.endsWith('.log')) {
      const sync = file.sync.bind(file);
      file.sync = async () => void sync();
    }
    return file;
  };
}
