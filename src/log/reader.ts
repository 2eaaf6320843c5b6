import type { Storage } from '../storage/storage.ts';
import { LogDamagedError, LogPositionError } from './errors.ts';
import { equalHashes, GENESIS_HASH } from './hash.ts';
import type { Batch, Position } from './log.ts';
import { parseFirstSequence, Segment, segmentName, segmentNames } from './segment.ts';

/**
 * Yields the batches after `after` up to `through`, oldest first, directly from a log directory.
 * Another thread or process may append at the same time, as long as `through` is durable. Keeps one
 * segment in memory.
 * @throws LogDamagedError for anything that differs from what was appended.
 * @throws LogPositionError if `after` is beyond `through` or that batch has another hash.
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
  const firstIndex = names.findLastIndex((name) => parseFirstSequence(name) <= from);
  if (firstIndex < 0) {
    throw new LogDamagedError(segmentName(from), 0, 'this segment or one before it is missing');
  }
  let segment: Segment | undefined;
  for (const name of names.slice(firstIndex)) {
    const next = Segment.read(storage, directory, name, segment?.bytes);
    if (segment) next.checkContinues(segment.position);
    else if (next.position.sequence === 0) next.checkContinues(GENESIS);
    segment = next;
    for (let batch = segment.next(); batch !== undefined; batch = segment.next()) {
      if (batch.sequence === after.sequence) checkHash(batch, after.hash);
      if (batch.sequence > after.sequence) yield copyBatch(batch);
      if (batch.sequence >= through) return;
    }
    if (segment.offset < segment.bytes.length) {
      segment.fail(`batch ${segment.position.sequence + 1} is incomplete`);
    }
  }
  throw new LogDamagedError(
    segment!.name,
    segment!.offset,
    `the log ends after batch ${segment!.position.sequence}, but batch ${through} was acknowledged`,
  );
}

/** Copies the payload, because the next segment is read into the same buffer. */
function copyBatch({ sequence, time, count, payload, hash }: Batch): Batch {
  return { sequence, time, count, payload: payload.slice(), hash };
}

const GENESIS: Position = { sequence: 0, hash: GENESIS_HASH };

/** Checks the hash of a batch if one is expected. @throws LogPositionError */
export function checkHash(batch: Position, expected: Uint8Array | undefined): void {
  if (expected === undefined || equalHashes(batch.hash, expected)) return;
  throw new LogPositionError(batch.sequence, 'that batch has another hash in this log');
}
