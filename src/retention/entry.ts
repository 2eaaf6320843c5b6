import { equalHashes, GENESIS_HASH } from '../log/hash.ts';
import type { Position } from '../log/log.ts';
import { StoredDataError } from '../monitoring/operator-error.ts';

const FORMAT = 1;
const OBJECT = /^[0-9a-f]{16}-\d{20}-\d{20}-[0-9a-f]{16}\.log\.zst$/;
const ENTRY = /\.json$/;
const HASH = /^[0-9a-f]{64}$/;

/**
 * An archived segment. Entries form a chain through the hashes of the log: each names the hash that its segment
 * continues and the hash of its last batch, which its successor continues.
 */
export interface ArchiveEntry {
  /** First 16 hex digits of the hash of the first archived batch: they distinguish the logs in one archive. */
  readonly log: string;
  /** Sequences of the first and the last batch. */
  readonly first: number;
  readonly last: number;
  /** Times of the first and the last batch, milliseconds since 1970. */
  readonly firstTime: number;
  readonly lastTime: number;
  readonly commands: number;
  /** Hash of the batch before the first, and of the last batch; 64 hex digits. */
  readonly previousHash: string;
  readonly lastHash: string;
  /** Size of the segment. */
  readonly bytes: number;
  /** Size and SHA-256 (64 hex digits) of the object, which is the compressed segment. */
  readonly storedBytes: number;
  readonly sha256: string;
  /** Commands, as `sequence index`, that records in this segment skip. */
  readonly skips: readonly string[];
}

/** An entry of a manifest cannot be read. */
export class EntryUnreadableError extends StoredDataError {
  override readonly name = 'EntryUnreadableError';
}

/** Returns the name of the object with the segment of an entry. */
export function objectName({ log, first, last, sha256 }: ArchiveEntry): string {
  return `${log}-${padded(first)}-${padded(last)}-${sha256.slice(0, 16)}.log.zst`;
}

/** Returns the name of the object with an entry. */
export function entryName(entry: ArchiveEntry): string {
  return objectName(entry).replace(/\.log\.zst$/, '.json');
}

export function isEntryName(name: string): boolean {
  return ENTRY.test(name) && OBJECT.test(name.replace(ENTRY, '.log.zst'));
}

export function isObjectName(name: string): boolean {
  return OBJECT.test(name);
}

export function encodeEntry(entry: ArchiveEntry): string {
  return JSON.stringify({ format: FORMAT, ...entry });
}

/** @throws EntryUnreadableError */
export function decodeEntry(text: string, place: string): ArchiveEntry {
  let value: Partial<ArchiveEntry> & { format?: unknown };
  try {
    value = JSON.parse(text);
  } catch {
    throw new EntryUnreadableError(`${place} is not JSON.`);
  }
  if (value?.format !== FORMAT) {
    throw new EntryUnreadableError(
      `${place} has format ${String(value?.format)}, but this release reads ${FORMAT}. Use the release that wrote it or a later one.`,
    );
  }
  const { format: _, ...entry } = value;
  if (!isEntry(entry)) throw new EntryUnreadableError(`${place} is not a complete entry.`);
  return entry;
}

function isEntry(value: Partial<ArchiveEntry>): value is ArchiveEntry {
  const { log, first, last, firstTime, lastTime, commands, bytes, storedBytes, skips } = value;
  const { previousHash, lastHash, sha256 } = value;
  const numbers = [first, last, firstTime, lastTime, commands, bytes, storedBytes];
  const hashes = [previousHash, lastHash, sha256];
  return (
    /^[0-9a-f]{16}$/.test(String(log)) &&
    numbers.every((number) => Number.isSafeInteger(number) && number! >= 0) &&
    first! >= 1 &&
    first! <= last! &&
    hashes.every((hash) => HASH.test(String(hash))) &&
    Array.isArray(skips) &&
    skips.every((skip) => /^\d+ \d+$/.test(skip))
  );
}

/** Returns the position before an entry's first batch. */
export function startPosition({ first, previousHash }: ArchiveEntry): Position {
  return { sequence: first - 1, hash: Buffer.from(previousHash, 'hex') };
}

/** Returns the position of an entry's last batch. */
export function endPosition({ last, lastHash }: ArchiveEntry): Position {
  return { sequence: last, hash: Buffer.from(lastHash, 'hex') };
}

/** Returns whether an entry continues the log after a position. */
export function continues(entry: ArchiveEntry, { sequence, hash }: Position): boolean {
  const start = startPosition(entry);
  return start.sequence === sequence && equalHashes(start.hash, hash);
}

/**
 * Returns the entries of the chain that ends at a position, oldest first. Entries of other logs, and of a time to which
 * a log was taken back, are not in it.
 */
export function chainTo(entries: readonly ArchiveEntry[], end: Position): ArchiveEntry[] {
  const byEnd = new Map(entries.map((entry) => [`${entry.last} ${entry.lastHash}`, entry]));
  const chain: ArchiveEntry[] = [];
  for (let at = end; ; ) {
    const entry = byEnd.get(`${at.sequence} ${Buffer.from(at.hash).toString('hex')}`);
    if (entry === undefined) return chain.reverse();
    chain.push(entry);
    at = startPosition(entry);
  }
}

/** Returns whether a chain begins with the first batch of its log. */
export function isComplete(chain: readonly ArchiveEntry[]): boolean {
  const [first] = chain;
  return first === undefined || continues(first, { sequence: 0, hash: GENESIS_HASH });
}

function padded(sequence: number): string {
  return String(sequence).padStart(20, '0');
}
