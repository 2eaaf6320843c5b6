import type { Recorder } from '../history/history.ts';
import type { Log } from '../log/log.ts';
import { Archive, type ArchiveStart } from './archive.ts';
import { loadNewest, skipsAfter } from './recovery.ts';
import type { SnapshotStore } from './snapshots/snapshots.ts';

export interface FileArchiveOptions {
  readonly log: Pick<Log, 'read'>;
  readonly snapshots: SnapshotStore;
  readonly history: Recorder;
  /** The last batch of the snapshot to begin at, at most; history's position where it is left out. */
  readonly limit?: number;
  /** Milliseconds since some start; only differences count. */
  readonly elapsedMs: () => number;
  /** Told of a snapshot that is passed over, read or written; the console where it is left out. */
  readonly warn?: (message: string) => void;
}

/** Opens an archive beside its log: at the newest of its snapshots that history has reached. */
export function openFileArchive(options: FileArchiveOptions): Promise<Archive> {
  const { limit = options.history.position().sequence } = options;
  return Archive.open(options, startOf(options, limit));
}

function startOf({ log, snapshots, warn }: FileArchiveOptions, limit: number): ArchiveStart {
  const recovered = loadNewest(snapshots, limit, warn);
  const { sequence, hash } = recovered.position;
  const skips = skipsAfter(log, recovered.position);
  return { recovered, skips, batches: log.read(sequence, hash) };
}
