import { join } from 'node:path';
import { readAll, type Storage, writeAll } from '../storage/storage.ts';
import { hasMarker, readAcknowledged } from './acknowledged.ts';
import { LogDamagedError } from './errors.ts';
import { findLaterFrame, frameEnd } from './frame.ts';
import { equalHashes, GENESIS_HASH } from './hash.ts';
import type { Batch, Position } from './log.ts';
import {
  HEADER_BYTES,
  isHeaderIntact,
  parseFirstSequence,
  Segment,
  segmentName,
  segmentNames,
} from './segment.ts';

/** The position at which the next batch is appended. */
export interface LogEnd {
  readonly sequence: number;
  readonly time: number;
  readonly hash: Uint8Array;
  /** The segment to append to; undefined if the next batch starts one. */
  readonly segment: { readonly name: string; readonly sizeBytes: number } | undefined;
}

/** The end of the log as found on disk, before anything is changed. */
export interface Tail {
  readonly end: LogEnd;
  /** The newest batch known to be acknowledged; undefined without a readable marker. */
  readonly acknowledged: Position | undefined;
  /** The frame of the last batch; empty if there is none. */
  readonly lastFrame: Uint8Array;
  /** The file in which the log ends, and the offset in it. */
  readonly name: string;
  readonly offset: number;
  /** Bytes after the end: a part of a frame or header that was being written. */
  readonly torn: Uint8Array;
}

/**
 * Finds the end of a log and prepares it for appending. A torn last batch that was never
 * acknowledged is cut off, and its bytes are kept in a `.broken` file. Earlier segments are
 * verified when they are read.
 *
 * Only one batch can be torn: each is written after the one before is durable, and the header of a
 * segment before its first batch.
 * @param onEmpty Called before anything is changed if there is no batch, with whether the log was
 * opened before.
 * @throws LogDamagedError for any other damage in the last segment; nothing was changed.
 */
export async function recover(
  storage: Storage,
  directory: string,
  onEmpty?: (isInterrupted: boolean) => Promise<void>,
): Promise<LogEnd> {
  const tail = findEnd(storage, directory);
  const { end, name } = tail;
  if (end.sequence === 0) await onEmpty?.(hasMarker(storage, directory));
  if (tail.torn.length > 0) await keepBroken(storage, directory, tail);
  if (end.segment?.name === name) {
    await finishSegment(storage, directory, tail);
  } else if (storage.list(directory).includes(name)) {
    storage.remove(join(directory, name));
  }
  return end;
}

/**
 * Finds the end of a log and the torn bytes after it, without changing anything.
 * @throws LogDamagedError as `recover` does.
 */
export function findEnd(storage: Storage, directory: string): Tail {
  const acknowledged = readAcknowledged(storage, directory);
  const tail = { ...findTail(storage, directory, acknowledged), acknowledged };
  const { end, name, offset } = tail;
  if (acknowledged && acknowledged.sequence > end.sequence) {
    const reason = `batch ${acknowledged.sequence} was acknowledged, but the log ends here after batch ${end.sequence}`;
    throw new LogDamagedError(name, offset, reason);
  }
  return tail;
}

function findTail(
  storage: Storage,
  directory: string,
  acknowledged: Position | undefined,
): Omit<Tail, 'acknowledged'> {
  const names = segmentNames(storage, directory);
  const name = names.at(-1);
  if (name === undefined) return { ...EMPTY, name: segmentName(1), offset: 0, torn: NO_BYTES };
  const bytes = readAll(storage, join(directory, name));
  const headerTorn = bytes.length <= HEADER_BYTES && !isHeaderIntact(bytes);
  const segment = headerTorn ? undefined : new Segment(name, bytes);
  const found = segment && readFrames(segment, acknowledged);
  if (segment && segment.offset < bytes.length) checkTornEnd(segment);
  const offset = segment?.offset ?? 0;
  const torn = bytes.subarray(offset);
  if (found) return { ...found, name, offset, torn };

  // The segment was created for a batch that never became durable, so the log ends with the segment
  // before.
  const former = names.at(-2);
  const before =
    former === undefined ? EMPTY : readComplete(storage, directory, former, acknowledged);
  if (parseFirstSequence(name) !== before.end.sequence + 1) {
    throw new LogDamagedError(
      name,
      0,
      `the segment before it ends at batch ${before.end.sequence}`,
    );
  }
  segment?.checkContinues(before.end);
  return { ...before, name, offset, torn };
}

const NO_BYTES = new Uint8Array(0);

const EMPTY: Pick<Tail, 'end' | 'lastFrame'> = {
  end: { sequence: 0, time: 0, hash: GENESIS_HASH, segment: undefined },
  lastFrame: NO_BYTES,
};

/** Reads all complete frames. Returns undefined if there is none. */
function readFrames(
  segment: Segment,
  acknowledged: Position | undefined,
): Pick<Tail, 'end' | 'lastFrame'> | undefined {
  const check = (position: Position, offset: number) => {
    if (position.sequence !== acknowledged?.sequence) return;
    if (equalHashes(position.hash, acknowledged.hash)) return;
    const reason = `batch ${position.sequence} is not the one that was acknowledged`;
    throw new LogDamagedError(segment.name, offset, reason);
  };
  check(segment.position, 0);
  let last: Batch | undefined;
  let start = segment.offset;
  for (;;) {
    const at = segment.offset;
    const batch = segment.next();
    if (batch === undefined) break;
    check(batch, at);
    [last, start] = [batch, at];
  }
  if (last === undefined) return undefined;
  const { sequence, time, hash } = last;
  const end = { sequence, time, hash, segment: { name: segment.name, sizeBytes: segment.offset } };
  return { end, lastFrame: segment.bytes.subarray(start, segment.offset) };
}

/** Reads a segment that another one follows, and that must therefore be complete. */
function readComplete(
  storage: Storage,
  directory: string,
  name: string,
  acknowledged: Position | undefined,
): Pick<Tail, 'end' | 'lastFrame'> {
  const segment = Segment.read(storage, directory, name);
  const found = readFrames(segment, acknowledged);
  if (found === undefined || segment.offset < segment.bytes.length) {
    const next = segment.position.sequence + 1;
    return segment.fail(`batch ${next} is incomplete, but another segment follows`);
  }
  return found;
}

/** Checks that nothing follows a torn batch. @throws LogDamagedError */
function checkTornEnd(segment: Segment): void {
  const { bytes, offset, position } = segment;
  const later = findLaterFrame(bytes, offset + 1, position.sequence);
  const follows = later ?? frameEnd(bytes, offset, position);
  if (follows === undefined || follows >= bytes.length) return;
  const next = position.sequence + 1;
  segment.fail(`batch ${next} is incomplete, but more data follows at byte ${follows}`);
}

/** Saves the bytes that are about to be cut off to a file named after their offset. */
async function keepBroken(storage: Storage, directory: string, tail: Tail): Promise<void> {
  const existing = storage.list(directory);
  const base = `${tail.name}.${tail.offset}`;
  let name = `${base}.broken`;
  for (let copy = 2; existing.includes(name); copy++) name = `${base}.${copy}.broken`;
  const file = storage.create(join(directory, name));
  writeAll(file, tail.torn, 0);
  await file.sync();
  file.close();
  await storage.syncDirectory(directory);
}

/** Cuts a torn batch off the last segment, and makes the rest durable. */
async function finishSegment(storage: Storage, directory: string, tail: Tail): Promise<void> {
  const { name, offset, lastFrame, torn, end, acknowledged } = tail;
  const file = storage.open(join(directory, name));
  if (torn.length > 0) file.truncate(offset);
  // The previous process may have ended on a failed sync, after which the kernel may treat
  // unwritten pages as clean. The last batch is therefore written again, so that this sync makes it
  // durable.
  if (acknowledged?.sequence !== end.sequence) writeAll(file, lastFrame, offset - lastFrame.length);
  await file.sync();
  file.close();
}
