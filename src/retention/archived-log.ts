import { LogDamagedError, LogPositionError } from '../log/errors.ts';
import { GENESIS_HASH } from '../log/hash.ts';
import type { Batch } from '../log/log.ts';
import { checkHash } from '../log/reader.ts';
import { parseFirstSequence, Segment, segmentName, segmentNames } from '../log/segment.ts';
import { StoredDataError } from '../monitoring/operator-error.ts';
import type { Storage } from '../storage/storage.ts';
import { type ArchiveEntry, startPosition } from './entry.ts';
import type { LogArchive } from './log-archive.ts';

/** Segments of the archive kept in memory: enough for several readers, each at its own place. */
const MAX_LOADED = 3;

/** The batch after which a reader begins; it must have the hash if one is given. */
export interface ReadStart {
  readonly sequence: number;
  readonly hash?: Uint8Array | undefined;
}

/** A reader needs an archived segment that is not in memory: call `load` with its entry, then read on. */
export class SegmentNotLoadedError extends Error {
  override readonly name = 'SegmentNotLoadedError';

  constructor(readonly entry: ArchiveEntry) {
    super(`Batches ${entry.first} to ${entry.last} of the log are in the archive.`);
  }
}

/** Batches are needed that were moved to an archive, and no archive is configured. */
export class ArchiveMissingError extends StoredDataError {
  override readonly name = 'ArchiveMissingError';

  constructor({ first, last }: ArchiveEntry) {
    super(
      `Batches ${first} to ${last} of the log were moved to an archive. Set BUTTONWOOD_ARCHIVE to it, as it was when they were moved.`,
    );
  }
}

/**
 * A log whose older segments may be in an archive. It only reads, and another thread or process may append to the log
 * and move segments at the same time.
 */
export class ArchivedLog {
  private readonly loaded = new Map<string, Uint8Array>();
  private readonly loading = new Map<string, Promise<void>>();

  /** @param entries Returns the entries of the segments that were moved, oldest first. */
  constructor(
    private readonly storage: Storage,
    private readonly directory: string,
    private readonly entries: () => readonly ArchiveEntry[],
    private readonly archive: LogArchive | undefined,
  ) {}

  /** Opens a log that was never archived. */
  static local(storage: Storage, directory: string): ArchivedLog {
    return new ArchivedLog(storage, directory, () => [], undefined);
  }

  /** Commands that records in the archived segments skip, as `sequence index`. */
  get skips(): string[] {
    return this.entries().flatMap(({ skips }) => skips);
  }

  /** Time of the first archived batch, milliseconds since 1970; undefined if none was moved. */
  get firstTime(): number | undefined {
    return this.entries().at(0)?.firstTime;
  }

  /** The last batch that was moved to the archive; 0 if there is none. */
  get archivedTo(): number {
    return this.entries().at(-1)?.last ?? 0;
  }

  /**
   * Yields the batches after `after` up to `through`, oldest first.
   * @throws SegmentNotLoadedError, LogDamagedError, LogPositionError
   */
  *read(after: ReadStart, through: number): Generator<Batch> {
    if (after.sequence > through) {
      throw new LogPositionError(after.sequence, `the log ends at batch ${through}`);
    }
    let position: ReadStart = after;
    let segment: Segment | undefined;
    // With a hash the first batch is checked even if none follows.
    const isChecked = after.hash !== undefined && through > 0;
    while (position.sequence < through || (isChecked && position === after)) {
      segment = this.open(position.sequence + 1, segment?.bytes);
      if (segment.position.sequence === position.sequence) {
        checkStart(segment, position, position === after);
        if (position.sequence >= through) return;
      }
      const before = position.sequence;
      for (let batch = segment.next(); batch !== undefined; batch = segment.next()) {
        if (batch.sequence === after.sequence) checkHash(batch, after.hash);
        const { sequence, time, count, payload, hash } = batch;
        if (sequence > position.sequence) {
          position = { sequence, hash };
          // The next segment may be read into the same buffer.
          yield { sequence, time, count, payload: payload.slice(), hash };
        }
        if (sequence >= through) return;
      }
      if (segment.offset < segment.bytes.length || position.sequence === before) {
        segment.fail(`batch ${position.sequence + 1} is incomplete or missing`);
      }
    }
  }

  /**
   * Yields the same, and loads archived segments when they are needed.
   * @throws ArchiveMissingError, ArchiveUnavailableError, ArchiveDamagedError, LogDamagedError, LogPositionError
   */
  async *readAll(after: ReadStart, through: number): AsyncGenerator<Batch> {
    let position = after;
    for (;;) {
      try {
        for (const batch of this.read(position, through)) {
          position = { sequence: batch.sequence, hash: batch.hash };
          yield batch;
        }
        return;
      } catch (error) {
        if (!(error instanceof SegmentNotLoadedError)) throw error;
        await this.load(error.entry);
      }
    }
  }

  /** Returns the same, at once if no archived segment is among them. */
  stream(after: ReadStart, through: number): Iterable<Batch> | AsyncIterable<Batch> {
    return after.sequence >= this.archivedTo
      ? this.read(after, through)
      : this.readAll(after, through);
  }

  /**
   * Loads an archived segment into memory; the oldest of those loaded before are dropped.
   * @throws ArchiveMissingError, ArchiveUnavailableError, ArchiveDamagedError
   */
  load(entry: ArchiveEntry): Promise<void> {
    const key = entry.sha256;
    const begun = this.loading.get(key);
    if (begun !== undefined) return begun;
    const loading = this.fetch(entry).finally(() => this.loading.delete(key));
    this.loading.set(key, loading);
    return loading;
  }

  /** Drops all loaded segments. */
  unload(): void {
    this.loaded.clear();
  }

  private async fetch(entry: ArchiveEntry): Promise<void> {
    if (this.archive === undefined) throw new ArchiveMissingError(entry);
    const bytes = await this.archive.read(entry);
    this.loaded.set(entry.sha256, bytes);
    for (const key of [...this.loaded.keys()].slice(0, -MAX_LOADED)) this.loaded.delete(key);
  }

  /** Opens the segment with a batch. @param buffer The bytes of a segment that is no longer read. */
  private open(sequence: number, buffer: Uint8Array | undefined): Segment {
    const names = segmentNames(this.storage, this.directory);
    const name = names.findLast((each) => parseFirstSequence(each) <= sequence);
    const isReusable = buffer !== undefined && ![...this.loaded.values()].includes(buffer);
    if (name !== undefined) {
      try {
        return Segment.read(this.storage, this.directory, name, isReusable ? buffer : undefined);
      } catch (error) {
        // The node has moved it since its name was read.
        if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
      }
    }
    const entry = this.entries().find(({ first, last }) => first <= sequence && sequence <= last);
    if (entry === undefined) {
      throw new LogDamagedError(
        segmentName(sequence),
        0,
        'this segment or one before it is missing',
      );
    }
    const bytes = this.loaded.get(entry.sha256);
    if (bytes === undefined) throw new SegmentNotLoadedError(entry);
    const segment = new Segment(segmentName(entry.first), bytes);
    segment.checkContinues(startPosition(entry));
    return segment;
  }
}

/** Checks that a segment continues the log after a position. @param isStart Whether a reader begins there. */
function checkStart(segment: Segment, { sequence, hash }: ReadStart, isStart: boolean): void {
  if (sequence === 0) segment.checkContinues({ sequence, hash: GENESIS_HASH });
  if (isStart) checkHash(segment.position, hash);
  else segment.checkContinues({ sequence, hash: hash! });
}
