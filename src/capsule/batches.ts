import { ByteReader, type ByteWriter } from '../engine/numbers/bytes.ts';
import { GENESIS_HASH } from '../log/hash.ts';
import type { Batch } from '../log/log.ts';
import type { Trace } from './trace.ts';

// A batch in a block: time (number), count (uint32), payload (raw), then for each command the digest after it
// (uint32), and then for each command the code of its rejection (byte).

/** A batch of a capsule and what its commands did when it was written. */
export interface ExpectedBatch {
  readonly batch: Batch;
  readonly expected: Trace;
}

export function writeBatch(writer: ByteWriter, { time, payload }: Batch, trace: Trace): void {
  writer.number(time);
  writer.uint32(trace.digests.length);
  writer.raw(payload);
  for (const digest of trace.digests) writer.uint32(digest);
  writer.append(trace.rejections);
}

/**
 * Yields the batches of a block.
 * @param sequence Sequence of the first.
 * @throws RangeError if the block ends within a batch
 */
export function* readBatches(block: Uint8Array, sequence: number): Generator<ExpectedBatch> {
  const reader = new ByteReader(block);
  for (let next = sequence; !reader.isAtEnd; next++) {
    const time = reader.number();
    const count = reader.uint32();
    const payload = reader.raw();
    // Each command has at least one byte, so that a wrong count cannot take all memory.
    if (count > payload.length) throw new RangeError('a batch has fewer commands than its count');
    const digests = Uint32Array.from({ length: count }, () => reader.uint32());
    const rejections = Uint8Array.from({ length: count }, () => reader.byte());
    // Nothing chains the batches: the file has one hash of everything.
    const batch = { sequence: next, time, count, payload, hash: GENESIS_HASH };
    yield { batch, expected: { digests, rejections } };
  }
}
