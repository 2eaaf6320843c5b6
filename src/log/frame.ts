import { equalHashes, HASH_BYTES, hashInto } from './hash.ts';
import type { Batch, Position } from './log.ts';

// A batch on disk; integers are little-endian:
//
//    0  magic              4 bytes
//    4  format version     u32
//    8  size of the frame  u32, including the hash
//   12  count              u32
//   16  sequence           u64
//   24  time               u64
//   32  previous hash      the hash of the frame before
//   64  payload
//  end  hash               SHA-256 of all of the above
//
// The previous hash makes each frame recognizable without its neighbors: a whole frame after a
// damaged place distinguishes damage from a torn write.

export const FORMAT_VERSION = 1;
const SEQUENCE_OFFSET = 16;
const PREVIOUS_HASH_OFFSET = 32;
const PAYLOAD_OFFSET = 64;
export const FRAME_OVERHEAD_BYTES = PAYLOAD_OFFSET + HASH_BYTES;

/** F5 and FE occur in no UTF-8 text, so text in a payload never looks like a frame. */
const MAGIC = Uint8Array.of(0xf5, 0x42, 0x57, 0xfe);
const MAGIC_NUMBER = 0xfe5742f5;

export interface Frame extends Batch {
  readonly previousHash: Uint8Array;
  readonly sizeBytes: number;
}

/** Encodes batches as frames, in one buffer that each frame overwrites. */
export class FrameWriter {
  private buffer = new Uint8Array(64 * 1024);
  private view = new DataView(this.buffer.buffer);

  /** Returns the frame, valid until the next call. */
  write(
    sequence: number,
    time: number,
    count: number,
    payload: Uint8Array,
    previousHash: Uint8Array,
  ): Uint8Array {
    const sizeBytes = FRAME_OVERHEAD_BYTES + payload.length;
    if (sizeBytes > this.buffer.length) this.grow(sizeBytes);
    const { buffer, view } = this;
    view.setUint32(0, MAGIC_NUMBER, true);
    view.setUint32(4, FORMAT_VERSION, true);
    view.setUint32(8, sizeBytes, true);
    view.setUint32(12, count, true);
    writeInteger(view, SEQUENCE_OFFSET, sequence);
    writeInteger(view, 24, time);
    buffer.set(previousHash, PREVIOUS_HASH_OFFSET);
    buffer.set(payload, PAYLOAD_OFFSET);
    const hashOffset = sizeBytes - HASH_BYTES;
    hashInto(buffer.subarray(hashOffset, sizeBytes), buffer.subarray(0, hashOffset));
    return buffer.subarray(0, sizeBytes);
  }

  private grow(sizeBytes: number): void {
    this.buffer = new Uint8Array(Math.max(sizeBytes, 2 * this.buffer.length));
    this.view = new DataView(this.buffer.buffer);
  }
}

/** Returns a copy of the hash of a frame. */
export function frameHash(frame: Uint8Array): Uint8Array {
  return frame.slice(frame.length - HASH_BYTES);
}

const digest = new Uint8Array(HASH_BYTES);

/**
 * Returns the frame at `offset`, or undefined if it is incomplete or damaged. `view` must cover
 * `bytes`; the payload is a part of them.
 */
export function readFrame(bytes: Uint8Array, view: DataView, offset: number): Frame | undefined {
  const available = bytes.length - offset;
  if (available < FRAME_OVERHEAD_BYTES) return undefined;
  if (view.getUint32(offset, true) !== MAGIC_NUMBER) return undefined;
  if (view.getUint32(offset + 4, true) !== FORMAT_VERSION) return undefined;
  const sizeBytes = view.getUint32(offset + 8, true);
  if (sizeBytes < FRAME_OVERHEAD_BYTES || sizeBytes > available) return undefined;
  const hashOffset = offset + sizeBytes - HASH_BYTES;
  hashInto(digest, bytes.subarray(offset, hashOffset));
  const hash = bytes.slice(hashOffset, hashOffset + HASH_BYTES);
  if (!equalHashes(digest, hash)) return undefined;
  const previousHashOffset = offset + PREVIOUS_HASH_OFFSET;
  return {
    sequence: readInteger(view, offset + SEQUENCE_OFFSET),
    time: readInteger(view, offset + 24),
    count: view.getUint32(offset + 12, true),
    payload: bytes.subarray(offset + PAYLOAD_OFFSET, hashOffset),
    hash,
    previousHash: bytes.subarray(previousHashOffset, previousHashOffset + HASH_BYTES),
    sizeBytes,
  };
}

/**
 * Finds the first frame at or after `offset` with a sequence above `sequence`, complete or not.
 * @returns Its offset, or undefined if there is none.
 */
export function findLaterFrame(
  bytes: Uint8Array,
  offset: number,
  sequence: number,
): number | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = buffer.indexOf(MAGIC, offset);
  while (at >= 0 && at + PREVIOUS_HASH_OFFSET <= bytes.length) {
    const found = readInteger(view, at + SEQUENCE_OFFSET);
    const known = view.getUint32(at + 4, true) === FORMAT_VERSION;
    if (known && found > sequence && Number.isSafeInteger(found)) return at;
    at = buffer.indexOf(MAGIC, at + 1);
  }
  return undefined;
}

/**
 * Returns the end of the frame at `offset` according to its own size; undefined if another field of
 * its header does not fit after `position`.
 */
export function frameEnd(
  bytes: Uint8Array,
  offset: number,
  position: Position,
): number | undefined {
  if (bytes.length - offset < PAYLOAD_OFFSET) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, PAYLOAD_OFFSET);
  if (view.getUint32(0, true) !== MAGIC_NUMBER) return undefined;
  if (view.getUint32(4, true) !== FORMAT_VERSION) return undefined;
  if (readInteger(view, SEQUENCE_OFFSET) !== position.sequence + 1) return undefined;
  const previousHash = bytes.subarray(offset + PREVIOUS_HASH_OFFSET, offset + PAYLOAD_OFFSET);
  if (!equalHashes(previousHash, position.hash)) return undefined;
  return offset + view.getUint32(8, true);
}

/** Writes an integer of 0 to 2^53 - 1 as eight bytes. */
export function writeInteger(view: DataView, offset: number, value: number): void {
  view.setUint32(offset, value % 2 ** 32, true);
  view.setUint32(offset + 4, Math.floor(value / 2 ** 32), true);
}

export function readInteger(view: DataView, offset: number): number {
  return view.getUint32(offset, true) + view.getUint32(offset + 4, true) * 2 ** 32;
}
