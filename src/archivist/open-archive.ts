import type { StreamState } from '../cluster/log/stream-state.ts';
import { HistoryOvertakenError, HistoryUnavailableError } from '../history/errors.ts';
import { isPostgres, openDatabase, type Recorder } from '../history/history.ts';
import { SharedHistory } from '../history/shared-history.ts';
import * as logger from '../monitoring/logger.ts';
import { retry } from '../monitoring/retry.ts';
import { Retention } from '../retention/retention.ts';
import { DiskStorage } from '../storage/disk-storage.ts';
import type { Archive } from './archive.ts';
import { openFileArchive } from './file-archive.ts';
import type { FileSource, StreamSource, WorkerStart } from './messages.ts';
import { ProofStore } from './proofs/proof-store.ts';
import { skipsIn } from './recovery.ts';
import { HistoryRepair } from './repair/history-repair.ts';
import { ReportStore } from './reports/report-store.ts';
import { SharedReports } from './reports/shared-reports.ts';
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
  /** Moves old parts of the log to an archive. */
  readonly retention?: Pick<Retention, 'work' | 'status'>;
}

/** Opens history and the archive, and catches up with the log. Waits for a shared store that is unavailable. */
export function openArchive(start: WorkerStart, options: OpenOptions): Promise<Opened> {
  if (start.log === 'file' && !isPostgres(start.historyUrl)) return openWithHistoryFile(start);
  const open = async () => {
    const history = await openSharedHistory(start, options.onStale);
    try {
      return start.log === 'jetstream'
        ? await openFromStream(start, history, options)
        : await openFromFiles(start, history);
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

function openSharedHistory(
  { historyUrl, keptHistoryMs: keptMs }: WorkerStart,
  onStale: (reason: string) => void,
): Promise<Recorder> {
  const terms = { warn: logger.warn, onStale, keptMs };
  return retry<Recorder>(() => SharedHistory.open(historyUrl, terms), {
    every: OPEN_EVERY_MS,
    isTransient: (error) => error instanceof HistoryUnavailableError,
    onRetry: ({ message }, attempt) => {
      if (attempt === 0) logger.warn(`${message} This node waits for it before it serves.`);
    },
  });
}

/** If history in a file has to be rebuilt, the archive starts without it. */
async function openWithHistoryFile(start: WorkerStart & FileSource): Promise<Opened> {
  const { historyUrl, rebuiltHistory, isFirstStart, logEnd, keptHistoryMs: keptMs } = start;
  const storage = new DiskStorage();
  const retention = openRetention(start, storage);
  const repair = await HistoryRepair.open({
    path: historyUrl.replace(/^sqlite:(\/\/)?/, ''),
    rebuiltPath: rebuiltHistory,
    keptMs,
    isFirstStart,
    logEnd,
    snapshotDirectory: start.snapshotDirectory,
    log: retention.log,
    snapshots: new SnapshotStore(storage, start.snapshotDirectory),
    elapsedMs: () => performance.now(),
  });
  const { history } = repair;
  const limit = history.isAvailable ? {} : { limit: logEnd };
  const { archive } = await openFromFiles(start, history, limit, retention, () => repair.isRunning);
  await repair.start(archive);
  return { archive, history, repair, retention };
}

/** @param isHistoryIncomplete Whether history has to be rebuilt from the log. */
async function openFromFiles(
  start: WorkerStart & FileSource,
  history: Recorder,
  limit: { readonly limit?: number } = {},
  retention = openRetention(start, new DiskStorage()),
  isHistoryIncomplete = () => false,
): Promise<Opened> {
  const { snapshotDirectory, logEnd, snapshotTerms, exemptAccounts = [] } = start;
  const snapshots = new SnapshotStore(new DiskStorage(), snapshotDirectory);
  const elapsedMs = () => performance.now();
  const { log } = retention;
  let archive: Archive | undefined;
  await retention.start({
    neededFrom: () => (isHistoryIncomplete() ? 0 : neededFrom(snapshots, history)),
    logTime: () => archive?.exchange.state.time ?? 0,
  });
  archive = await openFileArchive({
    log: { read: (sequence, hash) => log.stream({ sequence, hash }, logEnd) },
    snapshots,
    history,
    reports: await openReports(start),
    past: {
      read: (after, through) => log.read(after, through),
      snapshots,
      archived: log,
      elapsedMs,
    },
    proofs: new ProofStore(new DiskStorage(), start.proofDirectory),
    exemptAccounts,
    elapsedMs,
    terms: snapshotTerms,
    ...limit,
  });
  return { archive, history, retention };
}

function openRetention({ logDirectory, archive }: FileSource, storage: DiskStorage): Retention {
  const elapsedMs = () => performance.now();
  return new Retention({ storage, directory: logDirectory, config: archive, skipsIn, elapsedMs });
}

/** Returns the newest batch that a start may need with all later ones; 0 if it may need all. */
function neededFrom(snapshots: SnapshotStore, history: Recorder): number {
  const [, second = 0] = snapshots.sequences();
  return Math.min(second, history.resumesFrom());
}

/** Opens the reports of this node, which a power loss may take. */
async function openReports({ reportDirectory }: WorkerStart): Promise<ReportStore | undefined> {
  if (reportDirectory === undefined) return undefined;
  const store = new ReportStore(new DiskStorage(false), reportDirectory);
  await store.open();
  return store;
}

async function openFromStream(
  source: WorkerStart & StreamSource,
  history: Recorder,
  { keepDelivered, onFailure }: OpenOptions,
): Promise<Opened> {
  // Only a clustered log needs the NATS libraries.
  const { openStreamArchive } = await import('./stream-archive.ts');
  const opened = await openStreamArchive({
    source,
    history,
    reports: await openReports(source),
    sharedReports: new SharedReports(openDatabase(source.historyUrl)),
    elapsedMs: () => performance.now(),
    terms: source.snapshotTerms,
    keepDelivered,
    onFailure,
  });
  return { ...opened, history };
}
