import { join } from 'node:path';
import { readAll, type Storage, writeAll } from '../storage/storage.ts';
import { hasMarker, readAcknowledged } from './acknowledged.ts';
import { LogDamagedError } from './errors.ts';
import { findLaterFrame, frameEnd } from './frame.ts';
import { equalHashes, GENESIS_HASH } from './hash.ts';
import type { Batch, Position } from './log.ts';
import {
  firstSequenceOf,
  HEADER_BYTES,
  isHeaderWhole,
  Segment,
  segmentName,
  segmentNames,
} from './segment.ts';

/** Where the next batch goes. */
export interface LogEnd {
  readonly sequence: number;
  readonly time: number;
  readonly hash: Uint8Array;
  /** The segment to go on with; undefined when the next batch begins one. */
  readonly segment: { readonly name: string; readonly sizeBytes: number } | undefined;
}

/** What the last segments hold, before anything is changed. */
export interface Tail {
  readonly end: LogEnd;
  /** The newest batch known to be acknowledged, undefined where no readable marker says. */
  readonly acknowledged: Position | undefined;
  /** The frame of the last batch; empty when there is none. */
  readonly lastFrame: Uint8Array;
  /** The file in which the log ends, and where in it. */
  readonly name: string;
  readonly offset: number;
  /** What follows there: part of a frame or header that was being written. */
  readonly torn: Uint8Array;
}

/**
 * Finds the end of a log and makes it fit to append to. A torn batch at the end that was never
 * acknowledged is cut off, its bytes kept in a `.broken` file. Throws LogDamagedError, having
 * changed nothing, for any other damage in the last segment. Earlier ones are verified when read.
 *
 * Only one batch can be torn: each is written once the one before it is durable, and a segment's
 * header before its first batch.
 * @param onEmpty Called before anything is changed where there is no batch, with whether the log was opened before.
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
 * Finds the end of a log and what is torn behind it, changing nothing. Throws LogDamagedError as
 * `recover` does.
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
  const headerTorn = bytes.length <= HEADER_BYTES && !isHeaderWhole(bytes);
  const segment = headerTorn ? undefined : new Segment(name, bytes);
  const walked = segment && walk(segment, acknowledged);
  if (segment && segment.offset < bytes.length) refuseUnlessTorn(segment);
  const offset = segment?.offset ?? 0;
  const torn = bytes.subarray(offset);
  if (walked) return { ...walked, name, offset, torn };

  // The segment was made for a batch that never became durable: the log ends with the one before.
  const former = names.at(-2);
  const before = former === undefined ? EMPTY : walkWhole(storage, directory, former, acknowledged);
  if (firstSequenceOf(name) !== before.end.sequence + 1) {
    throw new LogDamagedError(name, 0, `the log before it ends at batch ${before.end.sequence}`);
  }
  segment?.checkContinues(before.end);
  return { ...before, name, offset, torn };
}

const NO_BYTES = new Uint8Array(0);

const EMPTY: Pick<Tail, 'end' | 'lastFrame'> = {
  end: { sequence: 0, time: 0, hash: GENESIS_HASH, segment: undefined },
  lastFrame: NO_BYTES,
};

/** Walks over all whole frames; undefined when there is none. */
function walk(
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

/** Walks a segment that another follows, and that is therefore whole. */
function walkWhole(
  storage: Storage,
  directory: string,
  name: string,
  acknowledged: Position | undefined,
): Pick<Tail, 'end' | 'lastFrame'> {
  const segment = Segment.read(storage, directory, name);
  const walked = walk(segment, acknowledged);
  if (walked === undefined || segment.offset < segment.bytes.length) {
    const next = segment.position.sequence + 1;
    return segment.refuse(`batch ${next} is not whole, but another segment follows`);
  }
  return walked;
}

/** A torn batch is the last thing that was written. Throws LogDamagedError where more follows. */
function refuseUnlessTorn(segment: Segment): void {
  const { bytes, offset, position } = segment;
  const later = findLaterFrame(bytes, offset + 1, position.sequence);
  const follows = later ?? frameEnd(bytes, offset, position);
  if (follows === undefined || follows >= bytes.length) return;
  const next = position.sequence + 1;
  segment.refuse(`batch ${next} is not whole, but more follows from byte ${follows}`);
}

/** Keeps what is about to be cut off in a file of its own, named after where it was. */
async function keepBroken(storage: Storage, directory: string, tail: Tail): Promise<void> {
  const taken = storage.list(directory);
  const base = `${tail.name}.${tail.offset}`;
  let name = `${base}.broken`;
  for (let copy = 2; taken.includes(name); copy++) name = `${base}.${copy}.broken`;
  const file = storage.create(join(directory, name));
  writeAll(file, tail.torn, 0);
  await file.sync();
  file.close();
  await storage.syncDirectory(directory);
}

/** Cuts a torn batch off the segment that the log ends in, and makes what stays durable. */
async function finishSegment(storage: Storage, directory: string, tail: Tail): Promise<void> {
  const { name, offset, lastFrame, torn, end, acknowledged } = tail;
  const file = storage.open(join(directory, name));
  if (torn.length > 0) file.truncate(offset);
  // The process before may have ended on a failed sync, after which the system takes pages for
  // written that are not. Written anew, the batch is durable once this sync succeeds.
  if (acknowledged?.sequence !== end.sequence) writeAll(file, lastFrame, offset - lastFrame.length);
  await file.sync();
  file.close();
}
