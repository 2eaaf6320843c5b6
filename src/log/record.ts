import { readInteger, writeInteger } from './frame.ts';
import { equalHashes, HASH_BYTES, hashInto } from './hash.ts';

// A sequence and a hash with a checksum, as stored in segment headers and in the acknowledged
// marker; integers are little-endian:
//
//    0  magic            4 bytes, the type of the record
//    4  format version   u32
//    8  sequence         u64
//   16  hash             32 bytes
//   48  check            SHA-256 of all of the above

export const RECORD_BYTES = 80;
const CHECK_OFFSET = RECORD_BYTES - HASH_BYTES;

export interface StoredRecord {
  readonly version: number;
  readonly sequence: number;
  readonly hash: Uint8Array;
}

/** Writes a record into the first 80 bytes of `target`. */
export function writeRecord(target: Uint8Array, magic: number, record: StoredRecord): void {
  const view = new DataView(target.buffer, target.byteOffset, RECORD_BYTES);
  view.setUint32(0, magic, true);
  view.setUint32(4, record.version, true);
  writeInteger(view, 8, record.sequence);
  target.set(record.hash, 16);
  hashInto(target.subarray(CHECK_OFFSET, RECORD_BYTES), target.subarray(0, CHECK_OFFSET));
}

/** Reads the record at the start of `bytes`; undefined if it is incomplete or damaged. */
export function readRecord(bytes: Uint8Array, magic: number): StoredRecord | undefined {
  if (bytes.length < RECORD_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, RECORD_BYTES);
  if (view.getUint32(0, true) !== magic) return undefined;
  const check = new Uint8Array(HASH_BYTES);
  hashInto(check, bytes.subarray(0, CHECK_OFFSET));
  if (!equalHashes(check, bytes.subarray(CHECK_OFFSET, RECORD_BYTES))) return undefined;
  return {
    version: view.getUint32(4, true),
    sequence: readInteger(view, 8),
    hash: bytes.slice(16, CHECK_OFFSET),
  };
}
