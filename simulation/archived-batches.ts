import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Batch } from '../src/log/log.ts';
import { Segment, segmentName } from '../src/log/segment.ts';
import { ArchivedLog } from '../src/retention/archived-log.ts';
import { objectName } from '../src/retention/entry.ts';
import { Manifest } from '../src/retention/manifest.ts';
import type { Compression } from '../src/retention/packed-segment.ts';
import { readAll, type Storage } from '../src/storage/storage.ts';
import { check } from './failure.ts';

/** Compresses at once: a thread pool would answer at times that no seed decides. */
export const COMPRESSION: Compression = {
  compress: async (bytes) => new Uint8Array(zstdCompressSync(bytes)),
  decompress: async (bytes) => new Uint8Array(zstdDecompressSync(bytes)),
};

/** Yields all batches of a log up to `through`: those that the manifest names from the archive, the others from the log. */
export function* allBatches(
  storage: Storage,
  log: string,
  archive: string,
  through: number,
): Generator<Batch> {
  let after = 0;
  for (const entry of Manifest.open(storage, log).entries) {
    const object = readAll(storage, `${archive}/${objectName(entry)}`);
    const segment = new Segment(
      segmentName(entry.first),
      new Uint8Array(zstdDecompressSync(object)),
    );
    check(
      segment.position.sequence === after,
      `archived segment ${entry.first} follows batch ${after}`,
    );
    for (let batch = segment.next(); batch !== undefined; batch = segment.next()) {
      yield { ...batch, payload: batch.payload.slice() };
    }
    after = entry.last;
  }
  yield* ArchivedLog.local(storage, log).read({ sequence: after }, through);
}
