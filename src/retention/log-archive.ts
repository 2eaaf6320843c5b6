import { ArchiveDamagedError, type ArchiveStore } from './archive-store.ts';
import {
  type ArchiveEntry,
  decodeEntry,
  EntryUnreadableError,
  encodeEntry,
  entryName,
  isEntryName,
  objectName,
} from './entry.ts';
import {
  type Compression,
  findDifference,
  type PackedSegment,
  type SurveyOptions,
  THREAD_POOL,
  unpackSegment,
} from './packed-segment.ts';

/** The segments of logs in an archive, and their entries: the manifest. Nothing in it is changed or deleted. */
export class LogArchive {
  /** Entries that were read, by the names of their objects, which never change. */
  private readonly known = new Map<string, ArchiveEntry>();

  constructor(
    readonly store: ArchiveStore,
    readonly compression: Compression = THREAD_POOL,
  ) {}

  get url(): string {
    return this.store.url;
  }

  /**
   * Stores a segment and then its entry, and reads both back. A repeat stores them again, under the same names.
   * @param bytes The segment that was packed.
   * @throws ArchiveUnavailableError, ArchiveDamagedError if something else is read back
   */
  async write({ entry, object }: PackedSegment, bytes: Uint8Array): Promise<void> {
    await this.store.put(objectName(entry), object);
    const stored = await this.read(entry);
    if (Buffer.compare(stored, bytes) !== 0) {
      throw this.damaged(objectName(entry), 'was read back with another content');
    }
    const text = encodeEntry(entry);
    const name = entryName(entry);
    await this.store.put(name, Buffer.from(text));
    const found = await this.store.get(name);
    if (found === undefined || Buffer.from(found).toString() !== text) {
      throw this.damaged(name, 'was read back with another content');
    }
  }

  /** Returns an archived segment. @throws ArchiveUnavailableError, ArchiveDamagedError */
  async read(entry: ArchiveEntry): Promise<Uint8Array> {
    const name = objectName(entry);
    const found = await unpackSegment(entry, await this.store.get(name), this.compression);
    if (typeof found === 'string') throw this.damaged(name, found);
    return found;
  }

  /** Reads an archived segment and verifies every frame. @throws ArchiveUnavailableError, ArchiveDamagedError */
  async verify(entry: ArchiveEntry, options: SurveyOptions): Promise<Uint8Array> {
    const bytes = await this.read(entry);
    const difference = await findDifference(entry, bytes, options);
    if (difference !== undefined) throw this.damaged(objectName(entry), difference);
    return bytes;
  }

  /**
   * Returns the entries of all logs in the archive, in the order of their names, and the problems of those that cannot
   * be read.
   * @throws ArchiveUnavailableError
   */
  async entries(): Promise<{
    readonly entries: readonly ArchiveEntry[];
    readonly problems: readonly Error[];
  }> {
    const entries: ArchiveEntry[] = [];
    const problems: Error[] = [];
    for (const name of (await this.store.list()).filter(isEntryName)) {
      try {
        const entry = this.known.get(name) ?? (await this.readEntry(name));
        this.known.set(name, entry);
        entries.push(entry);
      } catch (error) {
        const isFinding =
          error instanceof EntryUnreadableError || error instanceof ArchiveDamagedError;
        if (!isFinding) throw error;
        problems.push(error);
      }
    }
    return { entries, problems };
  }

  private async readEntry(name: string): Promise<ArchiveEntry> {
    const bytes = await this.store.get(name);
    if (bytes === undefined) throw this.damaged(name, 'is missing');
    const entry = decodeEntry(
      Buffer.from(bytes).toString(),
      `The object ${name} in the archive ${this.url}`,
    );
    if (entryName(entry) !== name) throw this.damaged(name, `is the entry ${entryName(entry)}`);
    return entry;
  }

  private damaged(object: string, reason: string): ArchiveDamagedError {
    return new ArchiveDamagedError(this.url, object, reason);
  }
}
