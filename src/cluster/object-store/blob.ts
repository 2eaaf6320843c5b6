import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { retry } from '../../monitoring/retry.ts';
import { SKIP_API_CHECK } from '../log/jetstream.ts';

/** An object's metadata in the object store. */
export interface BlobPlace {
  /** Names the subject of its chunks. */
  readonly nuid: string;
  readonly chunks: number;
  /** Bytes. */
  readonly size: number;
}

/** Interval between attempts to read a chunk that the leader has and a follower does not have yet. */
const RETRY_MS = 100;

/**
 * Reads an object; returns undefined if chunks are missing. The client library would wait for missing chunks
 * permanently; here each chunk is requested by itself, with a timeout.
 * @throws errors of NATS
 */
export async function readBlob(
  connection: NatsConnection,
  store: string,
  { nuid, chunks, size }: BlobPlace,
): Promise<Uint8Array | undefined> {
  const { streams, direct } = await jetstreamManager(connection, SKIP_API_CHECK);
  const stream = `OBJ_${store}`;
  const subject = `$O.${store}.C.${nuid}`;
  const isWhole = async () => {
    const { state } = await streams.info(stream, { subjects_filter: subject });
    return (state.subjects?.[subject] ?? 0) === chunks;
  };
  if (!(await isWhole())) return undefined;
  const bytes = new Uint8Array(size);
  let at = 0;
  let seq = 1;
  // Undefined if only this server lacks the chunk, null if it is gone.
  const nextChunk = async () => {
    const message = await direct.getMessage(stream, { seq, next_by_subj: subject });
    return message ?? ((await isWhole()) ? undefined : null);
  };
  for (let chunk = 0; chunk < chunks; chunk++) {
    const message = await retry(nextChunk, {
      every: RETRY_MS,
      isTransient: () => false,
      isDone: (chunk) => chunk !== undefined,
    });
    if (!message || at + message.data.length > size) return undefined;
    bytes.set(message.data, at);
    at += message.data.length;
    seq = message.seq + 1;
  }
  return at === size ? bytes : undefined;
}
