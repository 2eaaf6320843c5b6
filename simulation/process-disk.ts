import type { Storage, StorageFile } from '../src/storage/storage.ts';
import type { SimulatedStorage } from '../src/testing/simulated-storage.ts';

/** The process that asked for this has ended: its code must do nothing any more. */
export class ProcessEndedError extends Error {
  override readonly name = 'ProcessEndedError';
}

/** What a process's disk asks of the simulation around it. */
export interface DiskHost {
  isAliveNow(): boolean;
  /** Resolves when the schedule says so, never if the process ends before. */
  pause(label: string): Promise<void>;
  /** The disk has reported an error to the process. */
  onError(path: string): void;
}

/**
 * The disk as one process sees it. A sync begins and returns at moments of the schedule, and what a
 * dead process still tries has no effect.
 */
export class ProcessDisk implements Storage {
  constructor(
    private readonly disk: SimulatedStorage,
    private readonly host: DiskHost,
  ) {}

  makeDirectory(path: string): Promise<void> {
    return this.disk.makeDirectory(path);
  }

  list(directory: string): string[] {
    return this.disk.list(directory);
  }

  create(path: string): StorageFile {
    return this.opened(
      path,
      this.change(path, () => this.disk.create(path)),
    );
  }

  open(path: string): StorageFile {
    return this.opened(path, this.disk.open(path));
  }

  openForReading(path: string): StorageFile {
    return this.open(path);
  }

  rename(from: string, to: string): void {
    this.change(to, () => this.disk.rename(from, to));
  }

  remove(path: string): void {
    this.change(path, () => this.disk.remove(path));
  }

  syncDirectory(directory: string): Promise<void> {
    return this.sync(directory, () => this.disk.syncDirectory(directory));
  }

  private opened(path: string, file: StorageFile): StorageFile {
    return {
      size: () => file.size(),
      read: (target, position) => file.read(target, position),
      write: (bytes, position) => this.change(path, () => file.write(bytes, position)),
      truncate: (sizeBytes) => this.change(path, () => file.truncate(sizeBytes)),
      sync: () => this.sync(path, () => file.sync()),
      close: () => file.close(),
    };
  }

  private change<Result>(path: string, work: () => Result): Result {
    if (!this.host.isAliveNow()) throw new ProcessEndedError();
    try {
      return work();
    } catch (error) {
      this.host.onError(path);
      throw error;
    }
  }

  private async sync(path: string, work: () => Promise<void>): Promise<void> {
    await this.host.pause(`sync ${path}`);
    if (!this.host.isAliveNow()) throw new ProcessEndedError();
    try {
      await work();
    } catch (error) {
      this.host.onError(path);
      throw error;
    }
    await this.host.pause(`synced ${path}`);
  }
}
