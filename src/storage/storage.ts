/**
 * The disk as the log and the snapshots see it. Nothing else of theirs touches a file, so that a
 * simulator can stand in for the disk and tear, lose or corrupt what was written.
 *
 * Every call throws (or rejects) when the disk reports an error; nothing is ever retried.
 */
export interface Storage {
  /** Makes a directory and its missing parents; resolves once their entries are durable. */
  makeDirectory(path: string): Promise<void>;
  /** The names in a directory, in ascending order. */
  list(directory: string): string[];
  /** Creates a file that must not exist yet. */
  create(path: string): StorageFile;
  /** Opens a file that must exist, for reading and writing. */
  open(path: string): StorageFile;
  /** Opens a file that must exist, for reading alone: also on a file system that is mounted read-only. */
  openForReading(path: string): StorageFile;
  /** Moves a file within its directory, replacing a file of the new name. */
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Makes what was created, renamed and removed in a directory durable. */
  syncDirectory(directory: string): Promise<void>;
}

/** An open file. Positions and sizes are in bytes. */
export interface StorageFile {
  size(): number;
  /** Reads up to `target.length` bytes; gives how many, which may be fewer, 0 at the end. */
  read(target: Uint8Array, position: number): number;
  /** Writes `bytes` at a position; gives how many were taken, which may be fewer. */
  write(bytes: Uint8Array, position: number): number;
  truncate(sizeBytes: number): void;
  /** Resolves once everything written before the call is durable. */
  sync(): Promise<void>;
  close(): void;
}

/** Writes all of `bytes`, however many writes that takes. */
export function writeAll(file: StorageFile, bytes: Uint8Array, position: number): void {
  let written = file.write(bytes, position);
  while (written < bytes.length) {
    const more = file.write(bytes.subarray(written), position + written);
    if (more === 0) throw new Error('The disk took none of the bytes written. Is it full?');
    written += more;
  }
}

/** The whole content of a file, in `buffer` where that is large enough. */
export function readAll(storage: Storage, path: string, buffer?: Uint8Array): Uint8Array {
  const file = storage.openForReading(path);
  try {
    const sizeBytes = file.size();
    const fits = buffer !== undefined && buffer.length >= sizeBytes;
    const bytes = fits ? buffer.subarray(0, sizeBytes) : new Uint8Array(sizeBytes);
    let filled = 0;
    while (filled < bytes.length) {
      const more = file.read(bytes.subarray(filled), filled);
      if (more === 0) throw new Error(`${path} became shorter while it was read.`);
      filled += more;
    }
    return bytes;
  } finally {
    file.close();
  }
}
