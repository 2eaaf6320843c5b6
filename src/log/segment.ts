import { join } from 'node:path';
import { readAll, type Storage } from '../storage/storage.ts';
import { LogDamagedError, LogFormatError } from './errors.ts';
import { FORMAT_VERSION, readFrame } from './frame.ts';
import { equalHashes } from './hash.ts';
import type { Batch, Position } from './log.ts';
import { RECORD_BYTES, readRecord, writeRecord } from './record.ts';

/** A segment is a file of frames behind a record of its first sequence and the hash before that. */
export const HEADER_BYTES = RECORD_BYTES;
const MAGIC = 0xfe5357f5;
const NAME_PATTERN = /^\d{20}\.log$/;

export function segmentName(firstSequence: number): string {
  return `${String(firstSequence).padStart(20, '0')}.log`;
}

/** The first sequence that a segment's name promises. */
export function firstSequenceOf(name: string): number {
  return Number.parseInt(name, 10);
}

/** The names of a log's segments, oldest first. */
export function segmentNames(storage: Storage, directory: string): string[] {
  return storage.list(directory).filter((name) => NAME_PATTERN.test(name));
}

/** The header of a segment that continues the log after a position. */
export function encodeHeader({ sequence, hash }: Position): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  writeRecord(header, MAGIC, { version: FORMAT_VERSION, sequence: sequence + 1, hash });
  return header;
}

export function isHeaderWhole(bytes: Uint8Array): boolean {
  return readRecord(bytes, MAGIC) !== undefined;
}

/** One segment in memory, walked frame by frame; each frame must continue the one before. */
export class Segment {
  /** Where the next frame begins. */
  offset = HEADER_BYTES;
  /** The batch last walked over; before the first, what the header says it continues. */
  position: Position;
  private readonly view: DataView;

  /** Throws LogDamagedError when the header is damaged or belongs to another name. */
  constructor(
    readonly name: string,
    readonly bytes: Uint8Array,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const header = readRecord(bytes, MAGIC);
    if (header === undefined) throw new LogDamagedError(name, 0, 'the header is not whole');
    if (header.version !== FORMAT_VERSION) throw new LogFormatError(name, header.version);
    if (header.sequence !== firstSequenceOf(name)) {
      throw new LogDamagedError(name, 0, `the header is that of ${segmentName(header.sequence)}`);
    }
    this.position = { sequence: header.sequence - 1, hash: header.hash };
  }

  /** Reads a segment, into `buffer` where that is large enough. */
  static read(storage: Storage, directory: string, name: string, buffer?: Uint8Array): Segment {
    return new Segment(name, readAll(storage, join(directory, name), buffer));
  }

  /** Throws LogDamagedError unless this segment, not yet walked, continues the log after `end`. */
  checkContinues(end: Position): void {
    if (this.position.sequence !== end.sequence) {
      throw new LogDamagedError(this.name, 0, `the log before it ends at batch ${end.sequence}`);
    }
    if (!equalHashes(this.position.hash, end.hash)) {
      throw new LogDamagedError(this.name, 0, `it continues another batch ${end.sequence}`);
    }
  }

  /**
   * The next batch, its payload part of `bytes`; undefined when no whole frame follows, `offset` then being where. Throws
   * LogDamagedError when a whole frame follows that does not belong there.
   */
  next(): Batch | undefined {
    const frame = readFrame(this.bytes, this.view, this.offset);
    if (frame === undefined) return undefined;
    const { sequence, hash } = this.position;
    if (frame.sequence !== sequence + 1) {
      this.refuse(`batch ${frame.sequence} is where batch ${sequence + 1} belongs`);
    }
    if (!equalHashes(frame.previousHash, hash)) {
      this.refuse(`batch ${frame.sequence} does not continue the batch before it`);
    }
    this.offset += frame.sizeBytes;
    this.position = { sequence: frame.sequence, hash: frame.hash };
    return frame;
  }

  /** Throws LogDamagedError for the place the walk has come to. */
  refuse(reason: string): never {
    throw new LogDamagedError(this.name, this.offset, reason);
  }
}
