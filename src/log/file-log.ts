import { join } from 'node:path';
import { type Storage, type StorageFile, writeAll } from '../storage/storage.ts';
import { AcknowledgedMarker } from './acknowledged.ts';
import { LogFailedError } from './errors.ts';
import { FrameWriter, frameHash } from './frame.ts';
import { type Batch, checkAppend, type Log } from './log.ts';
import { checkHash, readBatches } from './reader.ts';
import { type LogEnd, recover } from './recovery.ts';
import { encodeHeader, HEADER_BYTES, segmentName } from './segment.ts';

export { readBatches } from './reader.ts';
export { findEnd, type Tail } from './recovery.ts';
export { segmentName } from './segment.ts';

/** Default maximum size of a segment. */
export const SEGMENT_BYTES = 64 * 1024 * 1024;

export interface FileLogOptions {
  readonly storage: Storage;
  /** Directory of the log, created if missing. Only one process may open it for writing. */
  readonly directory: string;
  /** Maximum size of a segment; a batch that would exceed it starts the next segment. */
  readonly segmentBytes?: number | undefined;
  /**
   * Called before anything is written if the log has no batch; rejects to prevent starting a new
   * log.
   * @param isInterrupted Whether the log was opened before: a first start was interrupted.
   */
  readonly onEmpty?: (isInterrupted: boolean) => Promise<void>;
}

/** The log as append-only files on the local disk. */
export class FileLog implements Log {
  lastSequence: number;
  lastTime: number;
  lastHash: Uint8Array;
  private readonly frames = new FrameWriter();
  private segment: StorageFile | undefined;
  private segmentSize = 0;
  private pendingAppend: Promise<void> | undefined;
  private failure: LogFailedError | undefined;
  private closed = false;

  private constructor(
    private readonly storage: Storage,
    private readonly directory: string,
    private readonly segmentBytes: number,
    private readonly marker: AcknowledgedMarker,
    end: LogEnd,
  ) {
    this.lastSequence = end.sequence;
    this.lastTime = end.time;
    this.lastHash = end.hash;
    if (end.segment === undefined) return;
    this.segment = storage.open(join(directory, end.segment.name));
    this.segmentSize = end.segment.sizeBytes;
  }

  /**
   * Opens or creates a log and recovers from a crash (see `recover`). Everything that the log then
   * contains is durable.
   * @throws LogDamagedError if the log is damaged.
   */
  static async open(options: FileLogOptions): Promise<FileLog> {
    const { storage, directory, segmentBytes = SEGMENT_BYTES } = options;
    await storage.makeDirectory(directory);
    const end = await recover(storage, directory, options.onEmpty);
    const marker = AcknowledgedMarker.open(storage, directory);
    marker.write(end);
    await storage.syncDirectory(directory);
    return new FileLog(storage, directory, segmentBytes, marker, end);
  }

  async append(time: number, count: number, payload: Uint8Array): Promise<Batch> {
    if (this.failure) throw this.failure;
    if (this.closed) throw new Error('The log is closed.');
    if (this.pendingAppend) throw new Error('An append is under way: wait for it.');
    checkAppend(time, count, payload);
    const { frame, batch } = this.frame(this, time, count, payload);
    this.pendingAppend = this.commit(frame, batch);
    await this.pendingAppend;
    return batch;
  }

  /**
   * Appends several batches, at least one, with a single sync. A power loss before the sync may
   * keep later batches without earlier ones, which counts as damage when the log is opened: only
   * use it for a log that is then rebuilt.
   */
  async appendAll(batches: readonly Pick<Batch, 'time' | 'count' | 'payload'>[]): Promise<void> {
    if (this.failure) throw this.failure;
    if (this.closed) throw new Error('The log is closed.');
    if (this.pendingAppend) throw new Error('An append is under way: wait for it.');
    const frames: Uint8Array[] = [];
    let last: Pick<FileLog, 'lastSequence' | 'lastTime' | 'lastHash'> = this;
    let end: Batch | undefined;
    for (const { time, count, payload } of batches) {
      checkAppend(time, count, payload);
      const { frame, batch } = this.frame(last, time, count, payload);
      frames.push(frame.slice());
      last = { lastSequence: batch.sequence, lastTime: batch.time, lastHash: batch.hash };
      end = batch;
    }
    this.pendingAppend = this.commit(Buffer.concat(frames), end!);
    await this.pendingAppend;
  }

  read(afterSequence: number, hash?: Uint8Array): Iterable<Batch> {
    if (afterSequence === this.lastSequence) {
      checkHash({ sequence: this.lastSequence, hash: this.lastHash }, hash);
      return [];
    }
    const after = { sequence: afterSequence, hash };
    return readBatches(this.storage, this.directory, after, this.lastSequence);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    // The caller of append handles the error.
    await this.pendingAppend?.catch(() => {});
    try {
      if (!this.failure) await this.marker.sync();
    } finally {
      this.marker.close();
      this.segment?.close();
    }
  }

  /** Returns the frame that follows `last`, valid until the next call. */
  private frame(
    { lastSequence, lastTime, lastHash }: Pick<FileLog, 'lastSequence' | 'lastTime' | 'lastHash'>,
    time: number,
    count: number,
    payload: Uint8Array,
  ): { frame: Uint8Array; batch: Batch } {
    const sequence = lastSequence + 1;
    const batchTime = Math.max(lastTime, time);
    const frame = this.frames.write(sequence, batchTime, count, payload, lastHash);
    return { frame, batch: { sequence, time: batchTime, count, payload, hash: frameHash(frame) } };
  }

  /** Writes and syncs; only then the log includes what was written, up to `batch`. */
  private async commit(frame: Uint8Array, batch: Batch): Promise<void> {
    try {
      const full = this.segmentSize + frame.length > this.segmentBytes;
      const segment = this.segment && !full ? this.segment : await this.startSegment();
      writeAll(segment, frame, this.segmentSize);
      await segment.sync();
      this.marker.write(batch);
    } catch (error) {
      this.failure = new LogFailedError(error);
      throw this.failure;
    } finally {
      this.pendingAppend = undefined;
    }
    this.segmentSize += frame.length;
    this.lastSequence = batch.sequence;
    this.lastTime = batch.time;
    this.lastHash = batch.hash;
  }

  /**
   * Starts a segment. Its header is durable before the first batch, so a torn header cannot lose
   * data.
   */
  private async startSegment(): Promise<StorageFile> {
    const header = encodeHeader({ sequence: this.lastSequence, hash: this.lastHash });
    const path = join(this.directory, segmentName(this.lastSequence + 1));
    const segment = this.storage.create(path);
    this.segment?.close();
    this.segment = segment;
    this.segmentSize = HEADER_BYTES;
    writeAll(segment, header, 0);
    await segment.sync();
    await this.storage.syncDirectory(this.directory);
    return segment;
  }
}
