import type { Storage } from '../storage/storage.ts';
import { LogDamagedError, LogPositionError } from './errors.ts';
import { equalHashes, GENESIS_HASH } from './hash.ts';
import type { Batch, Position } from './log.ts';
import { firstSequenceOf, Segment, segmentName, segmentNames } from './segment.ts';

/**
 * The batches after `after` up to `through`, oldest first, straight from a log directory: also
 * while another thread or process appends to it, as long as `through` is durable. Holds one
 * segment in memory at a time. Throws LogDamagedError for anything that is not as it was
 * appended, LogPositionError when `after` is beyond `through` or that batch has another hash.
 */
export function* readBatches(
  storage: Storage,
  directory: string,
  after: { readonly sequence: number; readonly hash?: Uint8Array | undefined },
  through: number,
): Generator<Batch> {
  if (after.sequence > through) {
    throw new LogPositionError(after.sequence, `the log ends at batch ${through}`);
  }
  if (after.sequence === 0) checkHash(GENESIS, after.hash);
  if (through === 0) return;
  const from = Math.max(after.sequence, 1);
  const names = segmentNames(storage, directory);
  const holder = names.findLastIndex((name) => firstSequenceOf(name) <= from);
  if (holder < 0) {
    throw new LogDamagedError(segmentName(from), 0, 'this segment or one before it is missing');
  }
  let segment: Segment | undefined;
  for (const name of names.slice(holder)) {
    const next = Segment.read(storage, directory, name, segment?.bytes);
    if (segment) next.checkContinues(segment.position);
    else if (next.position.sequence === 0) next.checkContinues(GENESIS);
    segment = next;
    for (let batch = segment.next(); batch !== undefined; batch = segment.next()) {
      if (batch.sequence === after.sequence) checkHash(batch, after.hash);
      if (batch.sequence > after.sequence) yield copyOf(batch);
      if (batch.sequence >= through) return;
    }
    if (segment.offset < segment.bytes.length) {
      segment.refuse(`batch ${segment.position.sequence + 1} is not whole`);
    }
  }
  throw new LogDamagedError(
    segment!.name,
    segment!.offset,
    `the log ends after batch ${segment!.position.sequence}, but batch ${through} was acknowledged`,
  );
}

/** The next segment is read over this one: what is given away must not change with it. */
function copyOf({ sequence, time, count, payload, hash }: Batch): Batch {
  return { sequence, time, count, payload: payload.slice(), hash };
}

const GENESIS: Position = { sequence: 0, hash: GENESIS_HASH };

/** Throws LogPositionError unless the batch has the hash expected, where one is. */
export function checkHash(batch: Position, expected: Uint8Array | undefined): void {
  if (expected === undefined || equalHashes(batch.hash, expected)) return;
  throw new LogPositionError(batch.sequence, 'that batch has another hash here');
}
