import type { Archivist } from '../archivist/archivist.ts';
import type { Skips } from '../archivist/recovery.ts';
import type { Event } from '../engine/event.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { ReplicaLog } from './replica-log.ts';
import type { ReplicaMetrics } from './replica-metrics.ts';
import type { Timers } from './timers.ts';

export interface ReplicaOptions {
  readonly exchange: Exchange;
  readonly log: ReplicaLog;
  /** Commands of a clustered log that an operator has skipped. */
  readonly skips?: Skips;
  readonly archivist: Archivist;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly timers: Timers;
  /** Called with the events of every command, in order. */
  readonly onEvents: (events: readonly Event[]) => void;
  /** Called if the node cannot continue; it replies to nothing after this. */
  readonly onFailure: (error: Error) => void;
  readonly metrics?: ReplicaMetrics;
  /** Maximum payload bytes of a batch, `MAX_BATCH_BYTES` unless given. A clustered log may accept less. */
  readonly maxBatchBytes?: number;
  /** Called on nodes of the majority, with the nodes that held another state and the last applied batch. */
  readonly onOutvoted?: (nodes: readonly string[], sequence: number) => void;
}
