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

export type ToWorker =
  | WorkerStart
  | {
      readonly kind: 'batch';
      readonly sequence: number;
      readonly time: number;
      readonly count: number;
      readonly payload: Uint8Array;
      readonly hash: Uint8Array;
      readonly digestBefore: number;
    }
  | { readonly kind: 'checkpoint'; readonly position: number; readonly digest: number }
  | { readonly kind: 'ask'; readonly id: number; readonly query: Query; readonly position: number }
  | { readonly kind: 'close' };

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'refused'; readonly id: number; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'closed' };
