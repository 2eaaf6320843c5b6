import type { StoredMessage } from '../cluster/log/clustered-log.ts';
import type { NatsSettings } from '../cluster/stream/connection.ts';
import type { ArchiveConfig } from '../config/archive.ts';
import type { Batch } from '../log/log.ts';
import type { RetentionStatus } from '../retention/retention.ts';
import type { ArchiveQuery, SnapshotTerms } from './archive.ts';
import type { WatchStatus } from './watch.ts';

/** A log and snapshots in files. */
export interface FileSource {
  readonly log: 'file';
  readonly logDirectory: string;
  readonly snapshotDirectory: string;
  readonly proofDirectory: string;
  /** Path at which a history in a file is rebuilt. */
  readonly rebuiltHistory: string;
  /** Whether this process created the log. Queries then wait until its history is written. */
  readonly isFirstStart: boolean;
  /** Last sequence of the log: later batches are delivered. */
  readonly logEnd: number;
  /** The archive to which old segments move; undefined if the log only grows. */
  readonly archive?: ArchiveConfig | undefined;
}

/** A log in a NATS stream, and snapshots in its object store. */
export interface StreamSource {
  readonly log: 'jetstream';
  readonly nats: NatsSettings;
  readonly stream: string;
  readonly replicas: number;
  /** Name of the node. */
  readonly node: string;
  /** The archive of what is trimmed; undefined if there is none. */
  readonly archive?: ArchiveConfig | undefined;
}

/** Sources of the archivist, by kind of log. */
export type WorkerStart = (FileSource | StreamSource) & {
  /** `sqlite://PATH`, or `postgres://…`, which other nodes may share. */
  readonly historyUrl: string;
  /** The period for which orders, fills and entries stay in history, milliseconds; default: all are kept. */
  readonly keptHistoryMs?: number | undefined;
  /** Ids of accounts that may trade with each other: surveillance records no alerts that concern only them. */
  readonly exemptAccounts?: readonly string[];
  /** Directory of the reports that this node makes; without one it makes none. */
  readonly reportDirectory?: string;
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
  /** @param isDiscarded Whether to write nothing more, because the files are replaced. */
  | { readonly kind: 'close'; readonly isDiscarded: boolean };

export type FromWorker =
  | { readonly kind: 'ready' }
  /** The archive of the log, whenever its status has changed. */
  | { readonly kind: 'retention'; readonly status: RetentionStatus }
  /** The detectors of surveillance, whenever their status has changed. */
  | { readonly kind: 'surveillance'; readonly status: WatchStatus }
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
