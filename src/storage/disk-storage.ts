import * as fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ReservedDescriptors } from './reserved-descriptors.ts';
import type { Storage, StorageFile } from './storage.ts';

/** Owner only: the files hold every account's orders and balances. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/** Reserved descriptors of this thread, more than the log opens at a time. */
const RESERVED = 8;
const reserved = new ReservedDescriptors(RESERVED);

/** Releases the reserved descriptors of this thread, which opens no more files. */
export function releaseDescriptors(): void {
  reserved.release();
}

/**
 * The file system of this machine. Syncs run on the thread pool, everything else synchronously. Files can be opened even
 * if connections use all of the process's file descriptors.
 */
export class DiskStorage implements Storage {
  /**
   * @param isSynced False for data that a power loss may take, such as that of a sandbox with a virtual clock: syncs then
   * do nothing. What was written still outlives the process.
   */
  constructor(private readonly isSynced = true) {}

  async makeDirectory(path: string): Promise<void> {
    const target = resolve(path);
    const made = fs.mkdirSync(target, { recursive: true, mode: DIRECTORY_MODE });
    if (made === undefined) return;
    const first = resolve(made);
    for (let directory = target; ; directory = dirname(directory)) {
      await this.syncDirectory(dirname(directory));
      if (directory === first) return;
    }
  }

  list(directory: string): string[] {
    return reserved.open(() => fs.readdirSync(directory)).sort();
  }

  create(path: string): StorageFile {
    return new DiskFile(
      reserved.open(() => fs.openSync(path, 'wx+', FILE_MODE)),
      this.isSynced,
    );
  }

  open(path: string): StorageFile {
    return new DiskFile(
      reserved.open(() => fs.openSync(path, 'r+')),
      this.isSynced,
    );
  }

  openForReading(path: string): StorageFile {
    return new DiskFile(
      reserved.open(() => fs.openSync(path, 'r')),
      this.isSynced,
    );
  }

  rename(from: string, to: string): void {
    fs.renameSync(from, to);
  }

  remove(path: string): void {
    fs.unlinkSync(path);
  }

  async syncDirectory(directory: string): Promise<void> {
    if (!this.isSynced) return;
    const descriptor = reserved.open(() => fs.openSync(directory, 'r'));
    try {
      await new Promise<void>((done, failed) => {
        fs.fsync(descriptor, (error) => (error ? failed(error) : done()));
      });
    } finally {
      reserved.close(descriptor);
    }
  }
}

class DiskFile implements StorageFile {
  constructor(
    private readonly descriptor: number,
    private readonly isSynced: boolean,
  ) {}

  size(): number {
    return fs.fstatSync(this.descriptor).size;
  }

  read(target: Uint8Array, position: number): number {
    return fs.readSync(this.descriptor, target, 0, target.length, position);
  }

  write(bytes: Uint8Array, position: number): number {
    return fs.writeSync(this.descriptor, bytes, 0, bytes.length, position);
  }

  truncate(sizeBytes: number): void {
    fs.ftruncateSync(this.descriptor, sizeBytes);
  }

  sync(): Promise<void> {
    if (!this.isSynced) return Promise.resolve();
    return new Promise((done, failed) => {
      fs.fdatasync(this.descriptor, (error) => (error ? failed(error) : done()));
    });
  }

  close(): void {
    reserved.close(this.descriptor);
  }
}
