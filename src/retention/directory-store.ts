import { join } from 'node:path';
import { readAll, type Storage, writeAll } from '../storage/storage.ts';
import { type ArchiveStore, ArchiveUnavailableError } from './archive-store.ts';

const PARTIAL = '.part';

/**
 * An archive in a directory, usually on another disk or a network file system. The directory must exist: a mount that
 * is missing would otherwise be filled as an ordinary directory of the local disk.
 */
export class DirectoryStore implements ArchiveStore {
  readonly url: string;

  constructor(
    private readonly storage: Storage,
    private readonly directory: string,
  ) {
    this.url = `file://${directory}`;
  }

  put(name: string, bytes: Uint8Array): Promise<void> {
    return this.guard(async () => {
      const path = join(this.directory, name);
      const partial = `${path}${PARTIAL}`;
      // An attempt that was interrupted may have left one.
      if (this.storage.list(this.directory).includes(`${name}${PARTIAL}`)) {
        this.storage.remove(partial);
      }
      const file = this.storage.create(partial);
      try {
        writeAll(file, bytes, 0);
        await file.sync();
      } finally {
        file.close();
      }
      this.storage.rename(partial, path);
      await this.storage.syncDirectory(this.directory);
    });
  }

  get(name: string): Promise<Uint8Array | undefined> {
    return this.guard(async () => {
      if (!this.storage.list(this.directory).includes(name)) return undefined;
      return readAll(this.storage, join(this.directory, name));
    });
  }

  list(): Promise<string[]> {
    return this.guard(async () =>
      this.storage.list(this.directory).filter((name) => !name.endsWith(PARTIAL)),
    );
  }

  private async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new ArchiveUnavailableError(this.url, error);
    }
  }
}
