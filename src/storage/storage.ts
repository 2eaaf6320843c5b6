/**
 * The disk as the log and the snapshots use it. They access files only through this interface, so that a simulator can
 * replace the disk and tear, lose or corrupt writes.
 *
 * Every call throws or rejects if the disk reports an error; nothing is retried.
 */
export interface Storage {
  /** Creates a directory and its missing parents; resolves once their entries are durable. */
  makeDirectory(path: string): Promise<void>;
  /** Returns the names in a directory, in ascending order. */
  list(directory: string): string[];
  /** Creates a file that must not exist yet. */
  create(path: string): StorageFile;
  /** Opens a file that must exist, for reading and writing. */
  open(path: string): StorageFile;
  /** Opens an existing file for reading only, also on a read-only file system. */
  openForReading(path: string): StorageFile;
  /** Moves a file within its directory, replacing a file of the new name. */
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Makes creations, renames and removals in a directory durable. */
  syncDirectory(directory: string): Promise<void>;
}

/** An open file. Positions and sizes are in bytes. */
export interface StorageFile {
  size(): number;
  /** Reads up to `target.length` bytes. @returns the number of bytes read, possibly fewer; 0 at the end */
  read(target: Uint8Array, position: number): number;
  /** Writes `bytes` at a position. @returns the number of bytes written, possibly fewer */
  write(bytes: Uint8Array, position: number): number;
  truncate(sizeBytes: number): void;
  /** Resolves once everything written before the call is durable. */
  sync(): Promise<void>;
  close(): void;
}

/** Writes all of `bytes`, in several writes if necessary. */
export function writeAll(file: StorageFile, bytes: Uint8Array, position: number): void {
  let written = file.write(bytes, position);
  while (written < bytes.length) {
    const more = file.write(bytes.subarray(written), position + written);
    if (more === 0) throw new Error('The disk accepted no bytes. Check whether it is full.');
    written += more;
  }
}

/** Returns the whole content of a file, in `buffer` if that is large enough. */
export function readAll(storage: Storage, path: string, buffer?: Uint8Array): Uint8Array {
  const file = storage.openForReading(path);
  try {
    const sizeBytes = file.size();
    const fits = buffer !== undefined && buffer.length >= sizeBytes;
    const bytes = fits ? buffer.subarray(0, sizeBytes) : new Uint8Array(sizeBytes);
    let filled = 0;
    while (filled < bytes.length) {
      const more = file.read(bytes.subarray(filled), filled);
      if (more === 0) throw new Error(`${path} was truncated while it was read.`);
      filled += more;
    }
    return bytes;
  } finally {
    file.close();
  }
}
