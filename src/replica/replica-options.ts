import type { Archivist } from '../archivist/archivist.ts';
import type { Skips } from '../archivist/recovery.ts';
import type { ClusteredLog } from '../cluster/log/clustered-log.ts';
import type { Event } from '../engine/event.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { Log } from '../log/log.ts';
import type { ReplicaMetrics } from './replica-metrics.ts';
import type { Timers } from './timers.ts';

export interface ReplicaOptions {
  readonly exchange: Exchange;
  /** This process' own, or one that other nodes append to as well: then `begin` comes before any command. */
  readonly log: Pick<Log, 'append' | 'lastSequence' | 'lastHash'> | ClusteredLog;
  /** Commands that a shared log says are passed over. */
  readonly skips?: Skips;
  readonly archivist: Archivist;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly timers: Timers;
  /** Sees the events of every command, in order. */
  readonly onEvents: (events: readonly Event[]) => void;
  /** The node can go on no longer: nothing is answered after this. */
  readonly onFailure: (error: Error) => void;
  readonly metrics?: ReplicaMetrics;
  /** Maximum payload bytes of a batch, `MAX_BATCH_BYTES` unless given. A clustered log may take less. */
  readonly maxBatchBytes?: number;
  /** Called on the side of most nodes with those that held another state, and with the last applied batch. */
  readonly onOutvoted?: (nodes: readonly string[], sequence: number) => void;
}
