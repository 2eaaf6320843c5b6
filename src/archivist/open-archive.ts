import type { StreamState } from '../cluster/log/stream-state.ts';
import { HistoryOvertakenError, HistoryUnavailableError } from '../history/errors.ts';
import { isPostgres, type Recorder } from '../history/history.ts';
import { SharedHistory } from '../history/shared-history.ts';
import { readBatches } from '../log/file-log.ts';
import * as logger from '../monitoring/logger.ts';
import { retry } from '../monitoring/retry.ts';
import { DiskStorage } from '../storage/disk-storage.ts';
import type { Archive } from './archive.ts';
import { openFileArchive } from './file-archive.ts';
import type { FileSource, StreamSource, WorkerStart } from './messages.ts';
import { HistoryRepair } from './repair/history-repair.ts';
import { SnapshotStore } from './snapshots/snapshots.ts';

/** Interval between attempts to reach a store that is unavailable at the start. */
const OPEN_EVERY_MS = 1000;

export interface OpenOptions {
  /** Begins to keep deliveries. @returns The last sequence that was dropped before: the archive reads those itself. */
  readonly keepDelivered: () => number;
  /** Called if what this node recorded can no longer be written to a shared store. */
  readonly onStale: (reason: string) => void;
  /** Called with errors that end the thread. */
  readonly onFailure: (error: Error) => void;
}

/** An archive that has caught up with the log. */
export interface Opened {
  readonly archive: Archive;
  readonly history: Recorder;
  /** The state of a clustered log, which takes the messages that are delivered next. */
  readonly log?: StreamState;
  /** Repairs a history in a file. */
  readonly repair?: HistoryRepair;
}

/** Opens history and the archive, and catches up with the log. Waits for a shared store that is unavailable. */
export function openArchive(start: WorkerStart, options: OpenOptions): Promise<Opened> {
  if (start.log === 'file' && !isPostgres(start.historyUrl)) return openWithHistoryFile(start);
  const open = async () => {
    const history = await openSharedHistory(start.historyUrl, options.onStale);
    try {
      return start.log === 'jetstream'
        ? await openFromStream(start, history, options)
        : { archive: await openFromFiles(start, history), history };
    } catch (error) {
      if (error instanceof HistoryOvertakenError) await history.close();
      throw error;
    }
  };
  return retry(open, {
    every: 0,
    isTransient: (error) => error instanceof HistoryOvertakenError,
  });
}

function openSharedHistory(url: string, onStale: (reason: string) => void): Promise<Recorder> {
  return retry<Recorder>(() => SharedHistory.open(url, { warn: logger.warn, onStale }), {
    every: OPEN_EVERY_MS,
    isTransient: (error) => error instanceof HistoryUnavailableError,
    onRetry: ({ message }, attempt) => {
      if (attempt === 0) logger.warn(`${message} This node waits for it before it serves.`);
    },
  });
}

/** If history in a file has to be rebuilt, the archive starts without it. */
async function openWithHistoryFile(start: WorkerStart & FileSource): Promise<Opened> {
  const { historyUrl, rebuiltHistory, isFirstStart, logEnd, logDirectory } = start;
  const storage = new DiskStorage();
  const repair = await HistoryRepair.open({
    path: historyUrl.replace(/^sqlite:(\/\/)?/, ''),
    rebuiltPath: rebuiltHistory,
    isFirstStart,
    logEnd,
    snapshotDirectory: start.snapshotDirectory,
    log: {
      read: (sequence, through) => readBatches(storage, logDirectory, { sequence }, through),
    },
    snapshots: new SnapshotStore(storage, start.snapshotDirectory),
    elapsedMs: () => performance.now(),
  });
  const { history } = repair;
  const limit = history.isAvailable ? {} : { limit: logEnd };
  const archive = await openFromFiles(start, history, limit);
  await repair.start(archive);
  return { archive, history, repair };
}

function openFromFiles(
  { logDirectory, snapshotDirectory, logEnd, snapshotTerms }: WorkerStart & FileSource,
  history: Recorder,
  limit: { readonly limit?: number } = {},
): Promise<Archive> {
  const storage = new DiskStorage();
  return openFileArchive({
    log: {
      read: (sequence, hash) => readBatches(storage, logDirectory, { sequence, hash }, logEnd),
    },
    snapshots: new SnapshotStore(storage, snapshotDirectory),
    history,
    elapsedMs: () => performance.now(),
    terms: snapshotTerms,
    ...limit,
  });
}

async function openFromStream(
  source: WorkerStart & StreamSource,
  history: Recorder,
  { keepDelivered, onFailure }: OpenOptions,
): Promise<Opened> {
  // Only a clustered log needs the NATS libraries.
  const { openStreamArchive } = await import('./stream-archive.ts');
  const { archive, log } = await openStreamArchive({
    source,
    history,
    elapsedMs: () => performance.now(),
    terms: source.snapshotTerms,
    keepDelivered,
    onFailure,
  });
  return { archive, history, log };
}
