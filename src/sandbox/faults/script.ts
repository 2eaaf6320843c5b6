import type { FaultKind, FaultStatus } from './kinds.ts';

/** When a fault may happen, by the exchange's clock, milliseconds. */
export interface Schedule {
  /** Since 1970; inclusive. */
  readonly from: number;
  /** Since 1970; exclusive. Infinity for no end. */
  readonly until: number;
  /** Length of a period, counted from `from`; undefined for one period without an end. */
  readonly everyMs: number | undefined;
  /** The part of each period in which it may happen; undefined for once in each period. */
  readonly forMs: number | undefined;
}

/** One fault of a script. */
export interface Fault {
  readonly kind: FaultKind;
  /** The probability at each occasion, from 0 to 1. */
  readonly probability: number;
  /** Maximum number of times; undefined for no limit. */
  readonly count: number | undefined;
  readonly schedule: Schedule;
  /** Patterns of the names of occasions (see `matchesPattern`); undefined for all. */
  readonly endpoints: readonly string[] | undefined;
  /** A delay, the lag of fills, the length of a halt, or the lead of the clock; milliseconds. 0 for other kinds. */
  readonly ms: number;
  /** Maximum random addition to a delay, milliseconds. */
  readonly jitterMs: number;
  /** Whether a delay is on the way to the exchange. */
  readonly before: boolean;
  /** Only for `status`. */
  readonly status: FaultStatus | undefined;
  /** Only for `market_halt`. */
  readonly symbol: string | undefined;
}

/** A list of faults for a key, an account or everything. */
export interface FaultScript {
  /** Only for this key. */
  readonly apiKey: string | undefined;
  /** Only for the keys of this account. */
  readonly account: string | undefined;
  /** The account of `apiKey`, which the key's fills belong to. */
  readonly keyAccount: string | undefined;
  readonly seed: number;
  readonly faults: readonly Fault[];
}

/** Something that a fault may happen to. */
export interface Occasion {
  /** Such as `POST /api/orders`, `ws order.place` or `channel trades`. */
  readonly name: string;
  /** The key that it belongs to; undefined if there is none or if it belongs to a whole account. */
  readonly apiKey: string | undefined;
  readonly account: string | undefined;
  /** Whether it happens to a whole account, and so to all its keys. */
  readonly isAccountWide?: true;
}

/** An occasion at which a fault happened. */
export interface Hit {
  readonly scriptId: string;
  /** The place of the fault in its script, from 0. */
  readonly index: number;
  readonly fault: Fault;
  /** The fault's delay with its random addition, milliseconds. 0 for other kinds than `delay`. */
  readonly delayMs: number;
}

/** A fault of an installed script, with what has become of it. */
export interface InstalledFault {
  readonly fault: Fault;
  /** Times that it happened. */
  readonly injected: number;
}

export interface InstalledScript {
  readonly id: string;
  readonly script: FaultScript;
  readonly faults: readonly InstalledFault[];
}

/** A fault that happened. */
export interface InjectedFault {
  /** From 1, in order. */
  readonly number: number;
  readonly scriptId: string;
  /** The place of the fault in its script, from 0. */
  readonly fault: number;
  readonly kind: FaultKind;
  /** The X-Request-Id of the response, sent or not; the `id` of an operation; null for streams and markets. */
  readonly requestId: string | null;
  /** The log position after the request, or when a message would have been sent. */
  readonly position: number;
  /** The exchange's clock, milliseconds since 1970. */
  readonly time: number;
  readonly apiKey: string | null;
  readonly account: string | null;
  /** The name of the occasion, such as `POST /api/orders`. */
  readonly endpoint: string;
}

/** Maximum scripts at a time. */
export const MAX_SCRIPTS = 100;
