import { endReaching, LogTrimmedError, machineClock } from '../cluster/log/clustered-log.ts';
import { JetStream } from '../cluster/log/jetstream.ts';
import type { StreamState } from '../cluster/log/stream-state.ts';
import { connectToNats, NatsError, retryTransient } from '../cluster/stream/connection.ts';
import { InvariantError } from '../engine/rejection.ts';
import { HistoryForeignError, HistoryOvertakenError } from '../history/errors.ts';
import type { Recorder } from '../history/history.ts';
import { Archive, type SnapshotTerms, type SnapshotWriter } from './archive.ts';
import type { StreamSource, WorkerStart } from './messages.ts';
import type { ReportStore } from './reports/report-store.ts';
import type { SharedReports } from './reports/shared-reports.ts';
import { ObjectSnapshots } from './snapshots/object-snapshots.ts';
import { StreamRetention } from './stream-retention.ts';

export interface StreamArchiveOptions {
  readonly source: StreamSource & Pick<WorkerStart, 'exemptAccounts'>;
  readonly history: Recorder;
  readonly reports?: ReportStore | undefined;
  readonly sharedReports?: SharedReports | undefined;
  /** A monotonic clock, milliseconds. */
  readonly elapsedMs: () => number;
  readonly terms?: Partial<SnapshotTerms> | undefined;
  /** Begins to keep deliveries. @returns The last sequence that was dropped before: the archive reads those itself. */
  readonly keepDelivered: () => number;
  /** Called if the connection is closed permanently. */
  readonly onFailure: (error: Error) => void;
}

/** An archive of a clustered log, the log's state there, and the archive of what is trimmed. */
export interface OpenedStream {
  readonly archive: Archive;
  readonly log: StreamState;
  readonly retention?: StreamRetention;
}

/**
 * Opens an archive of a clustered log at the newest snapshot that history has reached, and catches up with the current
 * end of the stream.
 * @throws HistoryOvertakenError, HistoryForeignError
 * @returns The archive, and the log's state there, which takes the messages that are delivered next.
 */
export async function openStreamArchive({
  source,
  history,
  reports,
  sharedReports,
  elapsedMs,
  terms,
  keepDelivered,
  onFailure,
}: StreamArchiveOptions): Promise<OpenedStream> {
  const { nats, stream: name, replicas, node, exemptAccounts } = source;
  const connection = await connectToNats(nats, `${node}-archivist`);
  let isClosing = false;
  void connection.closed().then((error) => {
    if (!isClosing) onFailure(connectionClosed(error));
  });
  const snapshots = await retryTransient(() => ObjectSnapshots.open(connection, name, replicas));
  const recorded = history.position().sequence;
  const stream = await JetStream.open(connection, name);
  const first = await retryTransient(() => stream.firstSequence());
  const newest = (limit: number) => retryTransient(() => snapshots.newest(limit));
  let { log, exchange } = await newest(history.resumesFrom());
  // A restored backup may lack a snapshot that is as old as the states of detectors: they begin again.
  if (first > log.sequence + 1) ({ log, exchange } = await newest(recorded));
  const closeAll = async () => {
    isClosing = true;
    await connection.close();
    await history.settle();
    if (history.position().sequence > recorded) throw new HistoryOvertakenError();
  };
  if (first > log.sequence + 1) {
    await closeAll();
    throw snapshotMissing(recorded, first);
  }
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
  const retention = source.archive && new StreamRetention(source.archive, elapsedMs);
  const keep =
    retention && ((from: StreamState, through: number) => retention.keep(stream, from, through));
  try {
    const writer = snapshotWriter(snapshots, log, history, keep);
    const archive = await Archive.open(
      { snapshots: writer, history, reports, sharedReports, elapsedMs, terms, exemptAccounts },
      start,
    );
    return { archive, log, ...(retention === undefined ? {} : { retention }) };
  } catch (error) {
    if (error instanceof LogTrimmedError) await closeAll();
    throw error;
  }
}

/** Returns the writer of snapshots that carry the log's state at their position. */
function snapshotWriter(
  snapshots: ObjectSnapshots,
  log: StreamState,
  history: StreamArchiveOptions['history'],
  keep: ((from: StreamState, through: number) => Promise<boolean>) | undefined,
): SnapshotWriter {
  return {
    async write(position, state, agreed) {
      if (log.sequence !== position.sequence) {
        throw new InvariantError(
          `a snapshot at ${position.sequence} would claim to be at ${log.sequence}`,
        );
      }
      // The log changes during the wait.
      const reached = log.encode();
      await agreed();
      const recorded = history.resumesFrom();
      await snapshots.write(reached, position.sequence, state, recorded, keep);
    },
  };
}

function connectionClosed(error: unknown): NatsError {
  const reason = error instanceof Error ? ` (${error.message})` : '';
  return new NatsError(
    `The archivist's connection to NATS was closed permanently${reason}: check that the credentials of this node ` +
      'are still valid, then start again.',
  );
}

function snapshotMissing(recorded: number, first: number): HistoryForeignError {
  return new HistoryForeignError(
    `History in the database is at batch ${recorded}, but the log starts at ${first}, and no snapshot is as old as ` +
      'history.',
  );
}
