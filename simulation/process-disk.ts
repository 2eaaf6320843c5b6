import type { Storage, StorageFile } from '../src/storage/storage.ts';
import type { SimulatedStorage } from '../src/testing/simulated-storage.ts';

/** Thrown into the code of a process that has ended, which must have no effects. */
export class ProcessEndedError extends Error {
  override readonly name = 'ProcessEndedError';
}

/** The simulation, as a process's disk needs it. */
export interface DiskHost {
  isAliveNow(): boolean;
  /** Resolves at a step of the schedule; never if the process ends before. */
  pause(label: string): Promise<void>;
  /** Called when the disk reports an error to the process. */
  onError(path: string): void;
}

/**
 * The disk of one process. A sync begins and returns at steps of the schedule. Operations of a process
 * that has ended have no effect.
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
