import { join } from 'node:path';
import { readAll, type Storage } from '../storage/storage.ts';
import { LogDamagedError, LogFormatError } from './errors.ts';
import { FORMAT_VERSION, readFrame } from './frame.ts';
import { equalHashes } from './hash.ts';
import type { Batch, Position } from './log.ts';
import { RECORD_BYTES, readRecord, writeRecord } from './record.ts';

/**
 * Size of the header of a segment, which stores its first sequence and the previous hash. Frames
 * follow it.
 */
export const HEADER_BYTES = RECORD_BYTES;
const MAGIC = 0xfe5357f5;
const NAME_PATTERN = /^\d{20}\.log$/;

export function segmentName(firstSequence: number): string {
  return `${String(firstSequence).padStart(20, '0')}.log`;
}

/** Returns the first sequence of a segment according to its name. */
export function parseFirstSequence(name: string): number {
  return Number.parseInt(name, 10);
}

/** Returns the names of the segments of a log, oldest first. */
export function segmentNames(storage: Storage, directory: string): string[] {
  return storage.list(directory).filter((name) => NAME_PATTERN.test(name));
}

/** Encodes the header of a segment that continues the log after a position. */
export function encodeHeader({ sequence, hash }: Position): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  writeRecord(header, MAGIC, { version: FORMAT_VERSION, sequence: sequence + 1, hash });
  return header;
}

/** Returns the position that a segment continues, without reading its batches. @throws LogDamagedError */
export function readHeader(storage: Storage, directory: string, name: string): Position {
  const file = storage.openForReading(join(directory, name));
  try {
    const header = new Uint8Array(HEADER_BYTES);
    const bytes = file.read(header, 0);
    return new Segment(name, header.subarray(0, bytes)).position;
  } finally {
    file.close();
  }
}

export function isHeaderIntact(bytes: Uint8Array): boolean {
  return readRecord(bytes, MAGIC) !== undefined;
}

/** A segment in memory, read frame by frame; each frame must continue the one before. */
export class Segment {
  /** Offset of the next frame. */
  offset = HEADER_BYTES;
  /** The last batch read; at first the batch that the header continues. */
  position: Position;
  private readonly view: DataView;

  /** @throws LogDamagedError if the header is damaged or belongs to another name. */
  constructor(
    readonly name: string,
    readonly bytes: Uint8Array,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const header = readRecord(bytes, MAGIC);
    if (header === undefined)
      throw new LogDamagedError(name, 0, 'the header is incomplete or damaged');
    if (header.version !== FORMAT_VERSION) throw new LogFormatError(name, header.version);
    if (header.sequence !== parseFirstSequence(name)) {
      throw new LogDamagedError(name, 0, `the header belongs to ${segmentName(header.sequence)}`);
    }
    this.position = { sequence: header.sequence - 1, hash: header.hash };
  }

  /** Reads a segment, into `buffer` if that is large enough. */
  static read(storage: Storage, directory: string, name: string, buffer?: Uint8Array): Segment {
    return new Segment(name, readAll(storage, join(directory, name), buffer));
  }

  /** Checks that this unread segment continues the log after `end`. @throws LogDamagedError */
  checkContinues(end: Position): void {
    if (this.position.sequence !== end.sequence) {
      throw new LogDamagedError(
        this.name,
        0,
        `the segment before it ends at batch ${end.sequence}`,
      );
    }
    if (!equalHashes(this.position.hash, end.hash)) {
      throw new LogDamagedError(
        this.name,
        0,
        `its previous hash is not that of batch ${end.sequence}`,
      );
    }
  }

  /**
   * Returns the next batch, or undefined if no complete frame follows at `offset`. The payload is a
   * view of `bytes`.
   * @throws LogDamagedError for a complete frame that does not belong there.
   */
  next(): Batch | undefined {
    const frame = readFrame(this.bytes, this.view, this.offset);
    if (frame === undefined) return undefined;
    const { sequence, hash } = this.position;
    if (frame.sequence !== sequence + 1) {
      this.fail(`found batch ${frame.sequence} instead of batch ${sequence + 1}`);
    }
    if (!equalHashes(frame.previousHash, hash)) {
      this.fail(`batch ${frame.sequence} does not continue the batch before it`);
    }
    this.offset += frame.sizeBytes;
    this.position = { sequence: frame.sequence, hash: frame.hash };
    return frame;
  }

  /** Throws a LogDamagedError for the current offset. */
  fail(reason: string): never {
    throw new LogDamagedError(this.name, this.offset, reason);
  }
}
