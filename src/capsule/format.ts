import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { CapsuleError } from './errors.ts';

// A capsule is a file of blocks; integers are little-endian:
//
//    0  magic           4 bytes
//    4  format version  u32
//    8  blocks          kind (1 byte), size (u32), that many bytes of zstd
//  end  hash            SHA-256 of all of the above
//
// The first block is the header and the last one the summary, both JSON. Blocks of batches are between them.

export const FORMAT_VERSION = 1;
/** F5 and FE occur in no UTF-8 text. */
export const MAGIC = 0xfe4342f5;
export const PREAMBLE_BYTES = 8;
export const BLOCK_HEADER_BYTES = 5;
export const HASH_BYTES = 32;
/** Limit of a block once decompressed: the largest batch of a log, and what its commands did. */
const MAX_BLOCK_BYTES = 128 * 1024 * 1024;

export const BlockKind = { header: 0x48, batches: 0x42, summary: 0x53 } as const;
export type BlockKind = (typeof BlockKind)[keyof typeof BlockKind];

const text = z.string();
const integer = z.number().int().min(0);
const place = { sequence: integer, index: integer };

export const headerSchema = z.object({
  /** The release that wrote the capsule, and the newest engine version that it knew. */
  release: text,
  engineVersion: integer,
  title: text.nullable(),
  /** Seed of the sandbox; null if it is not known. The log does not contain it. */
  seed: integer.nullable(),
  /** The text of the scenario that led here. */
  scenario: text.nullable(),
  /** The assertions of the scenario that failed, as sentences. */
  failures: z.array(text),
  /** Commands that an operator has skipped. */
  skips: z.array(z.object(place)),
});
export type Header = z.infer<typeof headerSchema>;

export const summarySchema = z.object({
  batches: integer,
  commands: integer,
  /** Time of the last batch, milliseconds since 1970. */
  time: integer,
  /** Engine version at the end; a release that does not know it cannot replay the capsule. */
  engineVersion: integer,
  digest: integer,
  /** SHA-256 of the canonical snapshot; null after a failure. */
  stateHash: text.nullable(),
  /** The command that broke an invariant, if the log ends with one. */
  failure: z.object({ ...place, message: text }).nullable(),
});
export type Summary = z.infer<typeof summarySchema>;

export function encodePreamble(): Uint8Array {
  const bytes = new Uint8Array(PREAMBLE_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, FORMAT_VERSION, true);
  return bytes;
}

export function encodeBlock(kind: BlockKind, content: Uint8Array): Uint8Array {
  const compressed = zstdCompressSync(content);
  const bytes = new Uint8Array(BLOCK_HEADER_BYTES + compressed.length);
  bytes[0] = kind;
  new DataView(bytes.buffer).setUint32(1, compressed.length, true);
  bytes.set(compressed, BLOCK_HEADER_BYTES);
  return bytes;
}

/** @throws Error if the bytes cannot be decompressed, or to more than the largest block */
export function decompress(bytes: Uint8Array): Uint8Array {
  return zstdDecompressSync(bytes, { maxOutputLength: MAX_BLOCK_BYTES });
}

export function encodeJson(kind: BlockKind, value: Header | Summary): Uint8Array {
  return encodeBlock(kind, new TextEncoder().encode(JSON.stringify(value)));
}

/** @throws CapsuleError if the content is not JSON of that form */
export function decodeJson<T>(schema: z.ZodType<T>, content: Uint8Array, path: string): T {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(content)));
  } catch {
    throw new CapsuleError(`${path} is damaged: its header or its summary cannot be read.`);
  }
}
