import type { Batch } from '../log/log.ts';
import type { Query } from './archive.ts';

/** Where the archivist finds what it needs. */
export interface WorkerStart {
  readonly kind: 'start';
  readonly logDirectory: string;
  readonly snapshotDirectory: string;
  readonly historyUrl: string;
  /** The log's end: everything later is delivered. */
  readonly logEnd: number;
  /** One number, shared: the sequence of the last applied batch. */
  readonly progress: Float64Array;
}

export interface DeliveredBatch extends Batch {
  /** The serving replica's digest before the batch. */
  readonly digestBefore: number;
}

export type ToWorker =
  | WorkerStart
  | { readonly kind: 'batches'; readonly batches: readonly DeliveredBatch[] }
  | { readonly kind: 'checkpoint'; readonly position: number; readonly digest: number }
  | { readonly kind: 'ask'; readonly id: number; readonly query: Query; readonly position: number }
  | { readonly kind: 'close' };

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'closed' };
