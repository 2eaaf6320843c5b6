import type { StoredMessage } from '../cluster/log/message-stream.ts';
import type { NatsSettings } from '../cluster/stream/connection.ts';
import type { Batch } from '../log/log.ts';
import type { ArchiveQuery, SnapshotTerms } from './archive.ts';

/** A log in files, snapshots beside it. */
export interface FileSource {
  readonly log: 'file';
  readonly logDirectory: string;
  readonly snapshotDirectory: string;
  /** Where a history in a file is rebuilt. */
  readonly rebuiltHistory: string;
  /** The log was begun by this process: questions wait for its history, however long that takes. */
  readonly isFirstStart: boolean;
  /** The log's end: everything later is delivered. */
  readonly logEnd: number;
}

/** A log in a stream of NATS, snapshots in the object store beside it. */
export interface StreamSource {
  readonly log: 'jetstream';
  readonly nats: NatsSettings;
  readonly stream: string;
  readonly replicas: number;
  /** The node's name. */
  readonly node: string;
}

/** Where the archivist finds what it needs, by the kind of log. */
export type WorkerStart = (FileSource | StreamSource) & {
  /** `sqlite://PATH`, its own, or `postgres://…`, which it may share with others. */
  readonly historyUrl: string;
  /** Overrides when snapshots are due. */
  readonly snapshotTerms?: Partial<SnapshotTerms>;
};

/** A batch as its log has it: of many nodes as a message, which every reader has to make out by itself. */
export type Delivered = (Batch | { readonly message: StoredMessage }) & {
  /** The serving replica's digest before the batch. */
  readonly digestBefore: number;
};

/** What the archivist's thread tells of itself in shared memory: the index of each number. */
export const Progress = {
  /** Sequence of the last batch applied. */
  applied: 0,
  /** Sequence of the last batch in history. */
  history: 1,
  /** 1 if this one writes history. */
  isWriter: 2,
  /** One more than the sequence that a history which is being rebuilt has come to; 0 where none is. */
  rebuilt: 3,
  /** How often damage to history was found. */
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
      readonly kind: 'ask';
      readonly id: number;
      readonly query: ArchiveQuery;
      readonly position: number;
    }
  | { readonly kind: 'close' };

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  /** History's store does not answer now. */
  | {
      readonly kind: 'unavailable';
      readonly id: number;
      readonly reason: string;
      readonly cause: 'away' | 'rebuilding' | 'damaged';
    }
  /** This archivist can never put into the store what it holds: another has to begin anew. */
  | { readonly kind: 'stale'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'closed' };
