import { equalHashes } from '../log/hash.ts';
import type { Storage, StorageFile } from '../storage/storage.ts';
import { type ExpectedBatch, readBatches } from './batches.ts';
import { CapsuleError } from './errors.ts';
import {
  BLOCK_HEADER_BYTES,
  BlockKind,
  decodeJson,
  decompress,
  FORMAT_VERSION,
  HASH_BYTES,
  type Header,
  headerSchema,
  MAGIC,
  PREAMBLE_BYTES,
  type Summary,
  summarySchema,
} from './format.ts';

/** Bytes read at a time to check the hash. */
const CHUNK_BYTES = 1 << 20;

interface Block {
  readonly kind: number;
  /** Offset of its compressed content in the file. */
  readonly offset: number;
  readonly sizeBytes: number;
}

/** A capsule whose file was checked completely. Its batches are read from the file when they are asked for. */
export class Capsule {
  private constructor(
    private readonly storage: Storage,
    private readonly path: string,
    private readonly blocks: readonly Block[],
    readonly header: Header,
    readonly summary: Summary,
  ) {}

  /**
   * Opens a capsule and checks its structure and its hash.
   * @throws CapsuleError if the file is no capsule, incomplete, damaged, or of a newer format
   */
  static open(storage: Storage, path: string): Capsule {
    const file = storage.openForReading(path);
    try {
      checkPreamble(file, path);
      const blocks = findBlocks(file, path);
      checkHash(file, path);
      const [first, last] = [blocks[0]!, blocks.at(-1)!];
      const header = decodeJson(headerSchema, readBlock(file, path, first), path);
      const summary = decodeJson(summarySchema, readBlock(file, path, last), path);
      return new Capsule(storage, path, blocks.slice(1, -1), header, summary);
    } finally {
      file.close();
    }
  }

  /** The commands that an operator has skipped, as `sequence index`. */
  get skips(): ReadonlySet<string> {
    return new Set(this.header.skips.map(({ sequence, index }) => `${sequence} ${index}`));
  }

  /** Yields the batches in order; keeps one block in memory. @throws CapsuleError */
  *batches(): Generator<ExpectedBatch> {
    const file = this.storage.openForReading(this.path);
    try {
      let sequence = 1;
      for (const block of this.blocks) {
        const content = readBlock(file, this.path, block);
        for (const expected of this.readBatches(content, block, sequence)) {
          yield expected;
          sequence = expected.batch.sequence + 1;
        }
      }
      const { batches } = this.summary;
      if (sequence - 1 === batches) return;
      throw new CapsuleError(
        `${this.path} is damaged: it has ${sequence - 1} batches, but its summary names ${batches}.`,
      );
    } finally {
      file.close();
    }
  }

  private readBatches(content: Uint8Array, block: Block, sequence: number): ExpectedBatch[] {
    try {
      return [...readBatches(content, sequence)];
    } catch (error) {
      if (error instanceof RangeError) throw unreadable(this.path, block);
      throw error;
    }
  }
}

function checkPreamble(file: StorageFile, path: string): void {
  const bytes = read(file, 0, PREAMBLE_BYTES);
  const view = new DataView(bytes.buffer);
  if (bytes.length < 4 || view.getUint32(0, true) !== MAGIC) {
    throw new CapsuleError(`${path} is not a capsule. "buttonwood capsule FILE" writes one.`);
  }
  if (bytes.length < PREAMBLE_BYTES) throw incomplete(path, bytes.length);
  const version = view.getUint32(4, true);
  if (version === FORMAT_VERSION) return;
  throw new CapsuleError(
    `${path} has capsule format ${version}, which this release does not know. Use the release that wrote it or a later one.`,
  );
}

/** Returns all blocks: the header, those of batches, and the summary. @throws CapsuleError */
function findBlocks(file: StorageFile, path: string): Block[] {
  const end = file.size();
  const blocks: Block[] = [];
  for (let at = PREAMBLE_BYTES; blocks.at(-1)?.kind !== BlockKind.summary; ) {
    const bytes = read(file, at, BLOCK_HEADER_BYTES);
    if (bytes.length < BLOCK_HEADER_BYTES) throw incomplete(path, end);
    const kind = bytes[0]!;
    const sizeBytes = new DataView(bytes.buffer).getUint32(1, true);
    const isFirst = blocks.length === 0;
    const isKnown = kind === BlockKind.batches || kind === BlockKind.summary;
    if (isFirst ? kind !== BlockKind.header : !isKnown) throw unreadable(path, { offset: at });
    const offset = at + BLOCK_HEADER_BYTES;
    blocks.push({ kind, offset, sizeBytes });
    at = offset + sizeBytes;
    if (at > end) throw incomplete(path, end);
  }
  const { offset, sizeBytes } = blocks.at(-1)!;
  const excess = end - (offset + sizeBytes + HASH_BYTES);
  if (excess < 0) throw incomplete(path, end);
  if (excess === 0) return blocks;
  throw new CapsuleError(`${path} is damaged: ${excess} bytes follow its end. Copy it again.`);
}

function checkHash(file: StorageFile, path: string): void {
  const hasher = new Bun.SHA256();
  const end = file.size() - HASH_BYTES;
  for (let at = 0; at < end; at += CHUNK_BYTES) {
    hasher.update(read(file, at, Math.min(CHUNK_BYTES, end - at)));
  }
  const hash = new Uint8Array(HASH_BYTES);
  hasher.digest(hash);
  if (equalHashes(hash, read(file, end, HASH_BYTES))) return;
  throw new CapsuleError(
    `${path} is damaged: its content does not have the hash at its end. Copy it again.`,
  );
}

function readBlock(file: StorageFile, path: string, block: Block): Uint8Array {
  try {
    return decompress(read(file, block.offset, block.sizeBytes));
  } catch {
    throw unreadable(path, block);
  }
}

/** Returns up to `length` bytes, fewer only at the end of the file. */
function read(file: StorageFile, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, Math.min(length, file.size() - position)));
  let filled = 0;
  while (filled < bytes.length) {
    const more = file.read(bytes.subarray(filled), position + filled);
    if (more === 0) break;
    filled += more;
  }
  return bytes.subarray(0, filled);
}

function incomplete(path: string, end: number): CapsuleError {
  return new CapsuleError(
    `${path} is incomplete: it ends at byte ${end}, before its summary and its hash. Copy it again.`,
  );
}

function unreadable(path: string, { offset }: Pick<Block, 'offset'>): CapsuleError {
  return new CapsuleError(`${path} is damaged: its block at byte ${offset} cannot be read.`);
}
