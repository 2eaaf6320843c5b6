/** A moment of the log: after the batch `position`, or after the last batch up to `time`, milliseconds since 1970. */
export type Moment = { readonly position: number } | { readonly time: number };

/** The reason why the past cannot be shown. */
export type PastFailure =
  /** The log begins later, at `time`; 0 if it is empty. */
  | { readonly kind: 'beforeFirst'; readonly time: number }
  /** So many commands lie between the nearest known state and the moment that the work was stopped; it is kept. */
  | { readonly kind: 'unfinished' }
  /** The state has too many open orders, or its snapshot is too large. */
  | { readonly kind: 'tooLarge' }
  /** The log or a snapshot cannot be read, or the log is not in files. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** The state at a moment, as a snapshot. */
export type PastState =
  | {
      readonly kind: 'state';
      /** The last batch that it includes. */
      readonly position: number;
      readonly state: Uint8Array;
    }
  | PastFailure;
