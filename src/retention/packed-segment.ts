import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { LogDamagedError, LogFormatError } from '../log/errors.ts';
import type { Batch } from '../log/log.ts';
import { Segment, segmentName } from '../log/segment.ts';
import type { ArchiveEntry } from './entry.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Zstandard. */
export interface Compression {
  compress(bytes: Uint8Array): Promise<Uint8Array>;
  /** Rejects if the content is larger. */
  decompress(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array>;
}

/** Compresses on the thread pool. */
export const THREAD_POOL: Compression = {
  compress: async (bytes) => new Uint8Array(await compress(bytes)),
  decompress: async (bytes, maxBytes) =>
    new Uint8Array(await decompress(bytes, { maxOutputLength: maxBytes })),
};

/** Frames verified between two pauses: some milliseconds of work. */
const FRAMES_PER_TURN = 4_096;

/** A segment that was verified and compressed, and its entry. */
export interface PackedSegment {
  readonly entry: ArchiveEntry;
  readonly object: Uint8Array;
}

/** The part of an entry that follows from the segment alone. */
type Survey = Omit<ArchiveEntry, 'log' | 'storedBytes' | 'sha256'>;

export interface SurveyOptions {
  /** Returns the commands that a batch skips, as `sequence index`. */
  readonly skipsIn: (batch: Batch) => readonly string[];
  /** Lets the thread do its other work. */
  readonly pause: () => Promise<void>;
}

/**
 * Verifies every frame of a complete segment and compresses it.
 * @param log Identity of the log; undefined if this is its first archived segment.
 * @throws LogDamagedError if it is damaged or incomplete
 */
export async function packSegment(
  name: string,
  bytes: Uint8Array,
  log: string | undefined,
  options: SurveyOptions,
  compression = THREAD_POOL,
): Promise<PackedSegment> {
  const { id, survey } = await surveySegment(name, bytes, options);
  const object = await compression.compress(bytes);
  const stored = { storedBytes: object.length, sha256: sha256(object) };
  return { entry: { log: log ?? id, ...survey, ...stored }, object };
}

/** @throws LogDamagedError */
async function surveySegment(
  name: string,
  bytes: Uint8Array,
  { skipsIn, pause }: SurveyOptions,
): Promise<{ readonly id: string; readonly survey: Survey }> {
  const segment = new Segment(name, bytes);
  const previousHash = toHex(segment.position.hash);
  const skips: string[] = [];
  let [first, last]: (Batch | undefined)[] = [];
  let [commands, frames] = [0, 0];
  for (let batch = segment.next(); batch !== undefined; batch = segment.next()) {
    first ??= batch;
    last = batch;
    commands += batch.count;
    skips.push(...skipsIn(batch));
    if (++frames % FRAMES_PER_TURN === 0) await pause();
  }
  if (first === undefined || last === undefined || segment.offset < bytes.length) {
    return segment.fail(`batch ${segment.position.sequence + 1} is incomplete`);
  }
  const times = { firstTime: first.time, lastTime: last.time };
  const hashes = { previousHash, lastHash: toHex(last.hash) };
  const range = { first: first.sequence, last: last.sequence, ...times, commands, ...hashes };
  return { id: toHex(first.hash).slice(0, 16), survey: { ...range, bytes: bytes.length, skips } };
}

/**
 * Returns the segment in an object.
 * @returns the reason if the object is not the one that was archived
 */
export async function unpackSegment(
  entry: ArchiveEntry,
  object: Uint8Array | undefined,
  compression = THREAD_POOL,
): Promise<Uint8Array | string> {
  if (object === undefined) return 'is missing';
  if (object.length !== entry.storedBytes) {
    return `has ${object.length} bytes instead of ${entry.storedBytes}`;
  }
  if (sha256(object) !== entry.sha256) {
    return `has another SHA-256 than its entry in the manifest (${entry.sha256})`;
  }
  let bytes: Uint8Array;
  try {
    bytes = await compression.decompress(object, entry.bytes);
  } catch (error) {
    return `cannot be decompressed (${(error as Error).message})`;
  }
  return bytes.length === entry.bytes
    ? bytes
    : `has a segment of ${bytes.length} bytes instead of ${entry.bytes}`;
}

/**
 * Verifies every frame of an archived segment against its entry.
 * @returns the reason if they differ
 */
export async function findDifference(
  entry: ArchiveEntry,
  bytes: Uint8Array,
  options: SurveyOptions,
): Promise<string | undefined> {
  let survey: Survey;
  try {
    ({ survey } = await surveySegment(segmentName(entry.first), bytes, options));
  } catch (error) {
    if (!(error instanceof LogDamagedError || error instanceof LogFormatError)) throw error;
    return `is not the archived segment (${error.message})`;
  }
  const fields = Object.keys(survey) as (keyof Survey)[];
  const different = fields.find((field) => String(survey[field]) !== String(entry[field]));
  if (different === undefined) return undefined;
  return `has ${different} ${survey[different]}, but its entry in the manifest has ${entry[different]}`;
}

export function sha256(bytes: Uint8Array): string {
  return new Bun.SHA256().update(bytes).digest('hex');
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
