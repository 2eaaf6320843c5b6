import type { StoredMessage } from '../cluster/log/clustered-log.ts';
import type { NatsSettings } from '../cluster/stream/connection.ts';
import type { Batch } from '../log/log.ts';
import type { ArchiveQuery, SnapshotTerms } from './archive.ts';

/** A log and snapshots in files. */
export interface FileSource {
  readonly log: 'file';
  readonly logDirectory: string;
  readonly snapshotDirectory: string;
  /** Path at which a history in a file is rebuilt. */
  readonly rebuiltHistory: string;
  /** Whether this process created the log. Queries then wait until its history is written. */
  readonly isFirstStart: boolean;
  /** Last sequence of the log: later batches are delivered. */
  readonly logEnd: number;
}

/** A log in a NATS stream, and snapshots in its object store. */
export interface StreamSource {
  readonly log: 'jetstream';
  readonly nats: NatsSettings;
  readonly stream: string;
  readonly replicas: number;
  /** Name of the node. */
  readonly node: string;
}

/** Sources of the archivist, by kind of log. */
export type WorkerStart = (FileSource | StreamSource) & {
  /** `sqlite://PATH`, or `postgres://…`, which other nodes may share. */
  readonly historyUrl: string;
  /** Overrides when snapshots are due. */
  readonly snapshotTerms?: Partial<SnapshotTerms>;
};

/** A batch as its log holds it: in a cluster a message, which every reader interprets for itself. */
export type Delivered = (Batch | { readonly message: StoredMessage }) & {
  /** The serving replica's digest before the batch. */
  readonly digestBefore: number;
};

/** Index of each number that the archivist's thread reports in shared memory. */
export const Progress = {
  /** Sequence of the last batch applied. */
  applied: 0,
  /** Sequence of the last batch in history. */
  history: 1,
  /** 1 if this archivist writes history. */
  isWriter: 2,
  /** One more than the last sequence in a history that is being rebuilt; 0 if none is. */
  rebuilt: 3,
  /** Number of times that damage was found in history. */
  damage: 4,
} as const;

export type ToWorker =
  | {
      readonly kind: 'start';
      readonly start: WorkerStart;
      /** Shared, see `Progress`. */
      readonly progress: Float64Array;
    }
  | { readonly kind: 'batches'; readonly batches: readonly Delivered[] }
  | { readonly kind: 'checkpoint'; readonly position: number; readonly digest: number }
  | { readonly kind: 'dispute'; readonly isDisputed: boolean }
  | {
      readonly kind: 'query';
      readonly id: number;
      readonly query: ArchiveQuery;
      readonly position: number;
    }
  | { readonly kind: 'close' };

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  /** History's store is down, damaged or being rebuilt. */
  | {
      readonly kind: 'unavailable';
      readonly id: number;
      readonly reason: string;
      readonly cause: 'down' | 'rebuilding' | 'damaged';
    }
  /** This archivist can never write what it recorded to the store: another has to start from a snapshot. */
  | { readonly kind: 'stale'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'closed' };
