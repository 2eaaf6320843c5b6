import { join } from 'node:path';
import { readAll, type Storage, type StorageFile, writeAll } from '../storage/storage.ts';
import type { Position } from './log.ts';
import { RECORD_BYTES, readRecord, writeRecord } from './record.ts';

const FILE_NAME = 'acknowledged';
const MAGIC = 0xfe4157f5;
const VERSION = 1;

/**
 * A file that names the last acknowledged batch, to distinguish damage from a torn write. It is
 * written in place after each sync of the log and not synced itself: after a crash of the process
 * it is exact, after a power loss it may lag, and it is never ahead of what is durable.
 */
export class AcknowledgedMarker {
  private readonly buffer = new Uint8Array(RECORD_BYTES);

  private constructor(private readonly file: StorageFile) {}

  /** Opens or creates the marker of a log directory; the caller must then sync the directory. */
  static open(storage: Storage, directory: string): AcknowledgedMarker {
    const path = join(directory, FILE_NAME);
    const exists = hasMarker(storage, directory);
    return new AcknowledgedMarker(exists ? storage.open(path) : storage.create(path));
  }

  write({ sequence, hash }: Position): void {
    writeRecord(this.buffer, MAGIC, { version: VERSION, sequence, hash });
    writeAll(this.file, this.buffer, 0);
  }

  sync(): Promise<void> {
    return this.file.sync();
  }

  close(): void {
    this.file.close();
  }
}

/** Returns whether the log of this directory was ever opened for writing. */
export function hasMarker(storage: Storage, directory: string): boolean {
  return storage.list(directory).includes(FILE_NAME);
}

/**
 * Returns the newest batch known to be acknowledged, or undefined without a readable marker. It may
 * also be undefined while another thread or process appends: then read it again.
 */
export function readAcknowledged(storage: Storage, directory: string): Position | undefined {
  if (!hasMarker(storage, directory)) return undefined;
  return readRecord(readAll(storage, join(directory, FILE_NAME)), MAGIC);
}
