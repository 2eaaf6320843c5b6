import { LogTrimmedError } from '../cluster/log/errors.ts';
import { JetStream } from '../cluster/log/jetstream.ts';
import { machineClock } from '../cluster/log/message-stream.ts';
import { endReaching } from '../cluster/log/stream-end.ts';
import type { StreamState } from '../cluster/log/stream-state.ts';
import { connectToNats, NatsError, retryTransient } from '../cluster/stream/connection.ts';
import { InvariantError } from '../engine/rejection.ts';
import { HistoryForeignError, HistoryOvertakenError } from '../history/errors.ts';
import type { Recorder } from '../history/history.ts';
import { Archive, type SnapshotTerms } from './archive.ts';
import type { StreamSource } from './messages.ts';
import { ObjectSnapshots } from './snapshots/object-snapshots.ts';

export interface StreamArchiveOptions {
  readonly source: StreamSource;
  readonly history: Recorder;
  /** Milliseconds since some start; only differences count. */
  readonly elapsedMs: () => number;
  readonly terms?: Partial<SnapshotTerms> | undefined;
  /** Begins to keep what is delivered. @returns Up to where it was passed over: the archive reads that by itself. */
  readonly keepDelivered: () => number;
  /** The connection is closed for good. */
  readonly onFailure: (error: Error) => void;
}

/**
 * Opens an archive beside a log of many nodes: at the newest snapshot that history has reached, caught up with
 * the end of the stream as it is now.
 * @throws HistoryOvertakenError, HistoryForeignError
 * @returns With it what the log has come to there: it takes the messages that are delivered next.
 */
export async function openStreamArchive({
  source,
  history,
  elapsedMs,
  terms,
  keepDelivered,
  onFailure,
}: StreamArchiveOptions): Promise<{ archive: Archive; log: StreamState }> {
  const { nats, stream: name, replicas, node } = source;
  const connection = await connectToNats(nats, `${node}-archivist`);
  let isGivenUp = false;
  void connection.closed().then((error) => {
    if (!isGivenUp) onFailure(closedForGood(error));
  });
  const snapshots = await retryTransient(() => ObjectSnapshots.open(connection, name, replicas));
  const recorded = history.position().sequence;
  const { log, exchange } = await retryTransient(() => snapshots.newest(recorded));
  const stream = await JetStream.open(connection, name);
  const first = await retryTransient(() => stream.firstSequence());
  const giveUp = async () => {
    isGivenUp = true;
    await connection.close();
    await history.settle();
    if (history.position().sequence > recorded) throw new HistoryOvertakenError();
  };
  if (first > log.sequence + 1) {
    await giveUp();
    throw outOfReach(recorded, first);
  }
  const write = async (
    position: { readonly sequence: number },
    state: Uint8Array,
    agreed: () => Promise<void>,
  ) => {
    if (log.sequence !== position.sequence) {
      throw new InvariantError(
        `a snapshot at ${position.sequence} would say that it is at ${log.sequence}`,
      );
    }
    // The log moves on meanwhile.
    const reached = log.encode();
    await agreed();
    const recorded = history.position().sequence;
    await snapshots.write(reached, position.sequence, state, recorded);
  };
  async function* rest() {
    const lastSequence = () => retryTransient(() => stream.lastSequence());
    yield* stream.read(log, await endReaching(recorded, { lastSequence }, machineClock));
    yield* stream.read(log, keepDelivered());
  }
  const start = {
    recovered: { exchange, position: { sequence: log.sequence, hash: log.hash } },
    skips: await retryTransient(() => snapshots.skips()),
    batches: rest(),
  };
  try {
    const archive = await Archive.open({ snapshots: { write }, history, elapsedMs, terms }, start);
    return { archive, log };
  } catch (error) {
    if (error instanceof LogTrimmedError) await giveUp();
    throw error;
  }
}

function closedForGood(error: unknown): NatsError {
  const reason = error instanceof Error ? ` (${error.message})` : '';
  return new NatsError(
    `The archivist's connection to NATS was closed for good${reason}: see that the credentials of this node still ` +
      'hold, then start again.',
  );
}

function outOfReach(recorded: number, first: number): HistoryForeignError {
  return new HistoryForeignError(
    `History in the database stands at batch ${recorded}, but the log holds only what is from ${first} on, and no ` +
      'snapshot is as old as history.',
  );
}
