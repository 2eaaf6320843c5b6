import type { Recorder } from '../history/history.ts';
import type { Log } from '../log/log.ts';
import { Archive, type ArchiveStart, type SnapshotTerms } from './archive.ts';
import { loadNewest, skipsAfter } from './recovery.ts';
import type { SnapshotStore } from './snapshots/snapshots.ts';

export interface FileArchiveOptions {
  readonly log: Pick<Log, 'read'>;
  readonly snapshots: SnapshotStore;
  readonly history: Recorder;
  /** The archive starts from a snapshot at or before this batch; default: history's position. */
  readonly limit?: number;
  /** A monotonic clock, milliseconds. */
  readonly elapsedMs: () => number;
  readonly terms?: Partial<SnapshotTerms> | undefined;
  /** Called for each snapshot that is skipped; default: the logger. */
  readonly warn?: (message: string) => void;
}

/** Opens an archive at the newest snapshot that history has reached, and catches up with the log. */
export function openFileArchive(options: FileArchiveOptions): Promise<Archive> {
  const { limit = options.history.position().sequence } = options;
  return Archive.open(options, findStart(options, limit));
}

function findStart({ log, snapshots, warn }: FileArchiveOptions, limit: number): ArchiveStart {
  const recovered = loadNewest(snapshots, limit, warn);
  const { sequence, hash } = recovered.position;
  const skips = skipsAfter(log, recovered.position);
  return { recovered, skips, batches: log.read(sequence, hash) };
}
