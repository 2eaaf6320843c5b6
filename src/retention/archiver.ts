import { join } from 'node:path';
import { LogDamagedError } from '../log/errors.ts';
import { FRAME_OVERHEAD_BYTES, readInteger } from '../log/frame.ts';
import {
  HEADER_BYTES,
  parseFirstSequence,
  readHeader,
  Segment,
  segmentNames,
} from '../log/segment.ts';
import { readAll, type Storage } from '../storage/storage.ts';
import { ArchiveDamagedError } from './archive-store.ts';
import { type ArchiveEntry, chainTo, continues, endPosition, objectName } from './entry.ts';
import type { LogArchive } from './log-archive.ts';
import type { Manifest } from './manifest.ts';
import { packSegment, type SurveyOptions } from './packed-segment.ts';

/** The part of the log that stays on the local disk. Either bound may be absent. */
export interface KeptLog {
  /** Segments whose newest batch is older than this, by the time of the log, are moved. */
  readonly maxAgeMs?: number | undefined;
  /** The oldest segments are moved while the others are at least this large. */
  readonly maxBytes?: number | undefined;
}

export interface ArchiverOptions extends SurveyOptions {
  readonly storage: Storage;
  /** Directory of the log. */
  readonly directory: string;
  readonly archive: LogArchive;
  readonly manifest: Manifest;
  readonly kept: KeptLog;
  /**
   * Returns the newest batch that may be needed with all later ones: the older of the two kept snapshots, if history
   * has passed it. No segment with this batch or a later one is moved.
   */
  readonly neededFrom: () => number;
  /** Time of the newest batch, milliseconds since 1970. */
  readonly logTime: () => number;
}

/** A complete segment in the log's directory. */
interface LocalSegment {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** Time of the first batch after it. */
  readonly nextTime: number;
  readonly bytes: number;
}

/**
 * Moves the oldest segments of a log to an archive, one at a time. A segment is deleted locally only after its object
 * and its entry were read back from the archive and the entry is durable in the local manifest, so that a crash at any
 * point loses nothing: the next call repeats or finishes the move.
 */
export class Archiver {
  constructor(private readonly options: ArchiverOptions) {}

  /**
   * Completes a local manifest that is missing or lacks its last entries, from the archive.
   * @throws ArchiveUnavailableError, ArchiveDamagedError
   */
  async recoverManifest(): Promise<void> {
    const { storage, directory, archive, manifest } = this.options;
    const [oldest] = segmentNames(storage, directory);
    if (oldest === undefined) return;
    const archivedTo = manifest.entries.at(-1)?.last ?? 0;
    const start = readHeader(storage, directory, oldest);
    if (start.sequence <= archivedTo) return;
    const chain = chainTo((await archive.entries()).entries, start);
    const rest = chain.filter(({ first }) => first > archivedTo);
    if (rest.length === 0) {
      const reason = `has no entry of the segment that ends with batch ${start.sequence}`;
      throw new ArchiveDamagedError(archive.url, 'manifest', reason);
    }
    await manifest.appendAll(rest);
  }

  /**
   * Moves the oldest segment that need not stay.
   * @returns its entry; undefined if none is to be moved
   * @throws ArchiveUnavailableError, ArchiveDamagedError, LogDamagedError; nothing was deleted
   */
  async moveNext(): Promise<ArchiveEntry | undefined> {
    const { storage, directory, archive, manifest } = this.options;
    const segment = this.next();
    if (segment === undefined) return undefined;
    const moved = manifest.entries.find(({ first }) => first === segment.first);
    if (moved !== undefined) {
      this.checkMoved(segment, moved);
      // A process before may have written the entry, and ended before it was durable.
      await manifest.sync();
      await this.remove(segment);
      return moved;
    }
    const bytes = readAll(storage, join(directory, segment.name));
    const before = manifest.entries.at(-1);
    if (before !== undefined) {
      new Segment(segment.name, bytes).checkContinues(endPosition(before));
    }
    const { compression } = archive;
    const packed = await packSegment(segment.name, bytes, before?.log, this.options, compression);
    this.checkFollowed(segment, packed.entry);
    await archive.write(packed, bytes);
    await manifest.append(packed.entry);
    await this.remove(segment);
    return packed.entry;
  }

  /** Segments that are to be moved now, and their total size. */
  waiting(): { readonly segments: number; readonly bytes: number } {
    const due = this.due();
    return { segments: due.length, bytes: due.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  private next(): LocalSegment | undefined {
    const { manifest } = this.options;
    const archivedTo = manifest.entries.at(-1)?.last ?? 0;
    // A crash may have come before the removal.
    const [oldest] = this.complete();
    if (oldest !== undefined && oldest.last <= archivedTo) return oldest;
    return this.due()[0];
  }

  private due(): LocalSegment[] {
    const { kept, neededFrom, logTime } = this.options;
    const complete = this.complete();
    const needed = neededFrom();
    const oldestKept = logTime() - (kept.maxAgeMs ?? Number.POSITIVE_INFINITY);
    let rest = complete.reduce((sum, { bytes }) => sum + bytes, 0);
    const due: LocalSegment[] = [];
    for (const segment of complete) {
      rest -= segment.bytes;
      const isOld = segment.nextTime < oldestKept;
      const isLarge = kept.maxBytes !== undefined && rest >= kept.maxBytes;
      if (segment.last >= needed || !(isOld || isLarge)) break;
      due.push(segment);
    }
    return due;
  }

  /** Returns the segments that another one with a batch follows, oldest first. */
  private complete(): LocalSegment[] {
    const { storage, directory } = this.options;
    const names = segmentNames(storage, directory);
    const found: LocalSegment[] = [];
    for (const [index, name] of names.entries()) {
      const next = names[index + 1];
      if (next === undefined) break;
      const nextTime = readFirstTime(storage, join(directory, next));
      if (nextTime === undefined) break;
      const [first, last] = [parseFirstSequence(name), parseFirstSequence(next) - 1];
      found.push({ name, first, last, nextTime, bytes: readSize(storage, join(directory, name)) });
    }
    return found;
  }

  /** @throws LogDamagedError if the manifest is of another log than the segment */
  private checkMoved(segment: LocalSegment, entry: ArchiveEntry): void {
    const { storage, directory } = this.options;
    const header = readHeader(storage, directory, segment.name);
    if (!continues(entry, header) || entry.bytes !== segment.bytes) {
      const reason = `the manifest has another segment there, ${objectName(entry)}`;
      throw new LogDamagedError(segment.name, 0, reason);
    }
    this.checkFollowed(segment, entry);
  }

  /** Checks that the next local segment continues an entry. @throws LogDamagedError */
  private checkFollowed(segment: LocalSegment, entry: ArchiveEntry): void {
    const { storage, directory } = this.options;
    const names = segmentNames(storage, directory);
    const next = names[names.indexOf(segment.name) + 1]!;
    const { sequence, hash } = readHeader(storage, directory, next);
    const isFollowed =
      entry.last === sequence && entry.lastHash === Buffer.from(hash).toString('hex');
    if (isFollowed) return;
    throw new LogDamagedError(
      next,
      0,
      `it does not continue batch ${entry.last} of ${segment.name}`,
    );
  }

  private async remove({ name }: LocalSegment): Promise<void> {
    const { storage, directory } = this.options;
    storage.remove(join(directory, name));
    await storage.syncDirectory(directory);
  }
}

/** Returns the time of a segment's first batch; undefined if it has none. */
function readFirstTime(storage: Storage, path: string): number | undefined {
  const file = storage.openForReading(path);
  try {
    const start = new Uint8Array(FRAME_OVERHEAD_BYTES);
    if (file.read(start, HEADER_BYTES) < start.length) return undefined;
    return readInteger(new DataView(start.buffer), 24);
  } finally {
    file.close();
  }
}

function readSize(storage: Storage, path: string): number {
  const file = storage.openForReading(path);
  try {
    return file.size();
  } finally {
    file.close();
  }
}
