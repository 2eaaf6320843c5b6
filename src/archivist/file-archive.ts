import type { Recorder } from '../history/history.ts';
import { Archive, type ArchiveOptions, type ArchiveStart, type SnapshotTerms } from './archive.ts';
import type { PastSource } from './past/replays.ts';
import type { ProofStore } from './proofs/proof-store.ts';
import { loadNewest, noteSkip, type ReadableLog } from './recovery.ts';
import type { ReportStore } from './reports/report-store.ts';
import type { SnapshotStore } from './snapshots/snapshots.ts';

export interface FileArchiveOptions {
  readonly log: ReadableLog;
  readonly snapshots: SnapshotStore;
  readonly history: Recorder;
  /** The log from which past states are replayed. */
  readonly past?: PastSource | undefined;
  readonly reports?: ReportStore | undefined;
  /** Creates the detectors of surveillance; default: all. */
  readonly detectors?: ArchiveOptions['detectors'];
  /** Ids of accounts that may trade with each other; default: none. */
  readonly exemptAccounts?: ArchiveOptions['exemptAccounts'];
  /** The proofs of liabilities. */
  readonly proofs?: ProofStore | undefined;
  /** The archive starts from a snapshot at or before this batch; default: the batch from which history continues. */
  readonly limit?: number;
  /** A monotonic clock, milliseconds. */
  readonly elapsedMs: () => number;
  readonly terms?: Partial<SnapshotTerms> | undefined;
  /** Called for each snapshot that is skipped; default: the logger. */
  readonly warn?: (message: string) => void;
}

/** Opens an archive at the newest snapshot that history has reached, and catches up with the log. */
export async function openFileArchive(options: FileArchiveOptions): Promise<Archive> {
  const { limit = options.history.resumesFrom() } = options;
  return Archive.open(options, await findStart(options, limit));
}

async function findStart(
  { log, snapshots, warn }: FileArchiveOptions,
  limit: number,
): Promise<ArchiveStart> {
  const recovered = loadNewest(snapshots, limit, warn);
  const { sequence, hash } = recovered.position;
  const skips = new Set<string>();
  for await (const batch of log.read(sequence, hash)) noteSkip(batch, skips);
  return { recovered, skips, batches: log.read(sequence, hash) };
}
