import { join } from 'node:path';
import { StoredDataError } from '../monitoring/operator-error.ts';
import { readAll, type Storage, writeAll } from '../storage/storage.ts';
import { type ArchiveEntry, continues, decodeEntry, encodeEntry, endPosition } from './entry.ts';
import { sha256 } from './packed-segment.ts';

const FILE_NAME = 'archived';
const LINE = /^([0-9a-f]{64}) (.*)$/;

/** The local manifest differs from what was written. */
export class ManifestDamagedError extends StoredDataError {
  override readonly name = 'ManifestDamagedError';

  constructor(path: string, reason: string) {
    super(
      `The manifest of the archive, ${path}, is damaged: ${reason}. Nothing was changed. ` +
        'Move the file away: the next start reads the manifest from the archive.',
    );
  }
}

/**
 * The local manifest: the entries of all segments that were moved from a log directory to the archive, one a line, each
 * after its SHA-256. Lines are only appended.
 */
export class Manifest {
  private constructor(
    private readonly storage: Storage,
    private readonly directory: string,
    private readonly found: ArchiveEntry[],
    /** Size of the complete lines. */
    private sizeBytes: number,
  ) {}

  /** Whether this process has made the entries and the name of the file durable. */
  private isDurable = false;

  /** Reads the manifest of a log directory and changes nothing. @throws ManifestDamagedError */
  static open(storage: Storage, directory: string): Manifest {
    if (!storage.list(directory).includes(FILE_NAME))
      return new Manifest(storage, directory, [], 0);
    const path = join(directory, FILE_NAME);
    const bytes = Buffer.from(readAll(storage, path));
    const entries: ArchiveEntry[] = [];
    let start = 0;
    for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', start)) {
      const entry = readLine(bytes.toString('utf8', start, end), path);
      const isNext = entry !== undefined && isContinued(entries.at(-1), entry);
      if (!isNext) {
        // The last line may be one that was being written.
        if (end + 1 >= bytes.length) break;
        throw new ManifestDamagedError(path, `line ${entries.length + 1} differs`);
      }
      entries.push(entry);
      start = end + 1;
    }
    return new Manifest(storage, directory, entries, start);
  }

  /** The entries, oldest first; each continues the one before. */
  get entries(): readonly ArchiveEntry[] {
    return this.found;
  }

  /** Appends an entry durably. */
  async append(entry: ArchiveEntry): Promise<void> {
    await this.appendAll([entry]);
  }

  /**
   * Makes the entries durable that were read from the file. They are written again, because bytes that a failed sync of a
   * process before has dropped are still visible until the machine stops, and a sync alone would not write them.
   */
  async sync(): Promise<void> {
    if (this.isDurable) return;
    const { storage, directory, sizeBytes } = this;
    const path = join(directory, FILE_NAME);
    const bytes = readAll(storage, path).subarray(0, sizeBytes);
    const file = storage.open(path);
    try {
      file.truncate(sizeBytes);
      writeAll(file, bytes, 0);
      await file.sync();
    } finally {
      file.close();
    }
    await storage.syncDirectory(directory);
    this.isDurable = true;
  }

  /** Appends entries durably, in order. @throws ManifestDamagedError if they do not continue the manifest */
  async appendAll(entries: readonly ArchiveEntry[]): Promise<void> {
    const { storage, directory } = this;
    const path = join(directory, FILE_NAME);
    let last = this.found.at(-1);
    for (const entry of entries) {
      if (!isContinued(last, entry)) {
        const reason = `batch ${entry.first} does not continue its last entry`;
        throw new ManifestDamagedError(path, reason);
      }
      last = entry;
    }
    const exists = storage.list(directory).includes(FILE_NAME);
    if (exists) await this.sync();
    const file = exists ? storage.open(path) : storage.create(path);
    try {
      // Removes a line that was not written completely.
      if (file.size() > this.sizeBytes) file.truncate(this.sizeBytes);
      // One after another: a power loss may tear an earlier line and leave a later one whole if both are not durable.
      for (const entry of entries) {
        const line = encodeLine(entry);
        writeAll(file, line, this.sizeBytes);
        await file.sync();
        if (!this.isDurable) await storage.syncDirectory(directory);
        this.isDurable = true;
        this.sizeBytes += line.length;
        this.found.push(entry);
      }
    } finally {
      file.close();
    }
  }
}

function encodeLine(entry: ArchiveEntry): Buffer {
  const text = encodeEntry(entry);
  return Buffer.from(`${sha256(Buffer.from(text))} ${text}\n`);
}

function readLine(line: string, path: string): ArchiveEntry | undefined {
  const [, hash, text] = LINE.exec(line) ?? [];
  if (text === undefined || sha256(Buffer.from(text)) !== hash) return undefined;
  return decodeEntry(text, `A line of ${path}`);
}

function isContinued(last: ArchiveEntry | undefined, entry: ArchiveEntry): boolean {
  return last === undefined || (last.log === entry.log && continues(entry, endPosition(last)));
}
