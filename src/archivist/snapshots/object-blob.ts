import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { SKIP_API_CHECK } from '../../cluster/log/jetstream.ts';

/** What the object store notes of an object. */
export interface BlobPlace {
  /** Under which its chunks lie. */
  readonly nuid: string;
  readonly chunks: number;
  /** Bytes. */
  readonly size: number;
}

/** What the servers' leader has and another has not yet, that one soon has. */
const AGAIN_MS = 100;

/**
 * The bytes of an object; undefined where they are not all there. The client's own reading waits for ever for chunks
 * that are missing; here they are asked for one after the other, and each answer has its time.
 * @throws what NATS fails with
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
  for (let chunk = 0; chunk < chunks; ) {
    const message = await direct.getMessage(stream, { seq, next_by_subj: subject });
    if (message === null) {
      if (!(await isWhole())) return undefined;
      await Bun.sleep(AGAIN_MS);
      continue;
    }
    if (at + message.data.length > size) return undefined;
    bytes.set(message.data, at);
    at += message.data.length;
    seq = message.seq + 1;
    chunk++;
  }
  return at === size ? bytes : undefined;
}
