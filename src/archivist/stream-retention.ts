import type { JetStream } from '../cluster/log/jetstream.ts';
import type { StreamState } from '../cluster/log/stream-state.ts';
import type { ArchiveConfig } from '../config/archive.ts';
import { InvariantError } from '../engine/rejection.ts';
import { FrameWriter } from '../log/frame.ts';
import { equalHashes } from '../log/hash.ts';
import type { Batch, Position } from '../log/log.ts';
import { encodeHeader, segmentName } from '../log/segment.ts';
import * as logger from '../monitoring/logger.ts';
import { type ArchiveEntry, continues, endPosition } from '../retention/entry.ts';
import type { LogArchive } from '../retention/log-archive.ts';
import { openLogArchive } from '../retention/open-log-archive.ts';
import { packSegment } from '../retention/packed-segment.ts';
import type { RetentionStatus } from '../retention/retention.ts';
import { DiskStorage } from '../storage/disk-storage.ts';
import { skipsIn } from './recovery.ts';

/** Size from which a segment is complete: it is in memory until it is stored. */
const SEGMENT_BYTES = 16 * 1024 * 1024;

/** The reading side of the stream. */
type Source = Pick<JetStream, 'read'>;

/**
 * Archives the part of a clustered log that is about to be trimmed, as segments of a log in files: their frames have the
 * hashes that every node computes. Any node may have archived the part before.
 */
export class StreamRetention {
  private readonly archive: LogArchive;
  private isBusy = false;
  private newest: ArchiveEntry | undefined;
  private segments = 0;
  private bytes = 0;
  private storedBytes = 0;
  private error: string | undefined;
  private failingSince = 0;

  /** @param elapsedMs A monotonic clock, milliseconds. */
  constructor(
    config: ArchiveConfig,
    private readonly elapsedMs: () => number,
    private readonly segmentBytes = SEGMENT_BYTES,
  ) {
    this.archive = openLogArchive(config.location, new DiskStorage());
  }

  /**
   * Archives the messages after the position of `state`, which advances with them, up to `through`.
   * @returns false if they are not in the archive: then they must not be trimmed
   */
  async keep(source: Source, state: StreamState, through: number): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    try {
      await this.archiveTo(source, state, through);
      if (this.error !== undefined) logger.info(`The archive ${this.archive.url} works again.`);
      this.error = undefined;
      return true;
    } catch (error) {
      this.note(error as Error);
      return false;
    } finally {
      this.isBusy = false;
    }
  }

  get status(): RetentionStatus {
    const { archive, newest, segments, bytes, storedBytes, error } = this;
    return {
      url: archive.url,
      archivedTo: newest?.last ?? 0,
      archivedToTime: newest?.lastTime ?? 0,
      segments,
      bytes,
      storedBytes,
      waitingBytes: 0,
      error,
      failingMs: error === undefined ? 0 : this.elapsedMs() - this.failingSince,
    };
  }

  /** Moves happen when the log is trimmed. */
  work(): void {}

  private async archiveTo(source: Source, state: StreamState, through: number): Promise<void> {
    const { entries } = await this.archive.entries();
    const start = { sequence: state.sequence, hash: state.hash };
    const before = entries.find((entry) => isEnd(entry, start));
    this.count(entries.filter(({ log }) => log === before?.log));
    let log = before?.log;
    /** The newest entry of this part of the log that another attempt has archived. */
    let archived: ArchiveEntry | undefined;
    let segment: SegmentBuilder | undefined;
    let position: Position = start;
    const store = async () => {
      if (segment === undefined) return;
      const entry = await this.store(segment, log);
      log = entry.log;
      segment = undefined;
    };
    for await (const batch of source.read(state, through)) {
      if (segment === undefined && batch.sequence > (archived?.last ?? 0)) {
        archived = entries.find((entry) => continues(entry, position) && entry.last <= through);
        log ??= archived?.log;
      }
      if (batch.sequence <= (archived?.last ?? 0)) checkEnd(archived!, batch);
      else {
        segment ??= new SegmentBuilder(position);
        segment.add(batch);
        if (segment.sizeBytes >= this.segmentBytes) await store();
      }
      position = { sequence: batch.sequence, hash: batch.hash };
    }
    await store();
  }

  private async store(segment: SegmentBuilder, log: string | undefined): Promise<ArchiveEntry> {
    const bytes = segment.bytes();
    const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
    const packed = await packSegment(segment.name, bytes, log, { skipsIn, pause });
    await this.archive.write(packed, bytes);
    this.newest = packed.entry;
    this.segments++;
    this.bytes += packed.entry.bytes;
    this.storedBytes += packed.entry.storedBytes;
    return packed.entry;
  }

  /** Counts what is in the archive already. */
  private count(entries: readonly ArchiveEntry[]): void {
    const sum = (field: 'bytes' | 'storedBytes') =>
      entries.reduce((total, entry) => total + entry[field], 0);
    this.segments = entries.length;
    [this.bytes, this.storedBytes] = [sum('bytes'), sum('storedBytes')];
    for (const entry of entries) {
      if (entry.last > (this.newest?.last ?? 0)) this.newest = entry;
    }
  }

  private note(error: Error): void {
    if (this.error === undefined) this.failingSince = this.elapsedMs();
    this.error = error.message;
    logger.warn(
      `The log cannot be archived: ${error.message} It is not trimmed until it can, and grows on the NATS servers.`,
    );
  }
}

/** The bytes of a segment, frame by frame. */
class SegmentBuilder {
  readonly name: string;
  sizeBytes: number;
  private readonly parts: Uint8Array[];
  private readonly frames = new FrameWriter();
  private hash: Uint8Array;

  constructor(after: Position) {
    this.name = segmentName(after.sequence + 1);
    const header = encodeHeader(after);
    this.parts = [header];
    this.sizeBytes = header.length;
    this.hash = after.hash;
  }

  add({ sequence, time, count, payload, hash }: Batch): void {
    const frame = this.frames.write(sequence, time, count, payload, this.hash).slice();
    if (!equalHashes(frame.subarray(frame.length - hash.length), hash)) {
      throw new InvariantError(`message ${sequence} has another hash as a frame`);
    }
    this.parts.push(frame);
    this.sizeBytes += frame.length;
    this.hash = hash;
  }

  bytes(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.parts));
  }
}

function isEnd(entry: ArchiveEntry, { sequence, hash }: Position): boolean {
  return entry.last === sequence && equalHashes(endPosition(entry).hash, hash);
}

/** @throws InvariantError if the last batch of an archived segment is another one in this log */
function checkEnd(entry: ArchiveEntry, batch: Batch): void {
  if (batch.sequence !== entry.last || isEnd(entry, batch)) return;
  throw new InvariantError(
    `batch ${batch.sequence} of the log differs from that in the archive, which belongs to another log`,
  );
}
