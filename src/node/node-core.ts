import type { Archivist, ArchivistProgress } from '../archivist/archivist.ts';
import type { Bus } from '../cluster/bus/bus.ts';
import type { StreamFill } from '../cluster/stream/fill-level.ts';
import type { Event } from '../engine/event.ts';
import type { Log } from '../log/log.ts';
import type { GuardedClock } from '../monitoring/clock.ts';
import type { Readiness } from '../monitoring/readiness.ts';
import type { MarketStatisticsBoard } from '../replica/market-statistics.ts';
import type { Replica } from '../replica/replica.ts';
import type { ReplicaMetrics } from '../replica/replica-metrics.ts';
import type { DiskSpace } from '../storage/disk-space.ts';
import type { Storage } from '../storage/storage.ts';

/** What a node serves from: the exchange as its log says it is, and what keeps it so. */
export interface NodeCore {
  readonly replica: Replica;
  readonly archivist: Archivist & ArchivistProgress;
  readonly log: Pick<Log, 'lastSequence' | 'lastTime'> & {
    /** Of a log that nodes share: how far this machine's clock is ahead of the log's. */
    readonly clockLeadMs?: number;
  };
  /** Whether the keys that an exchange begins with are this node's to hand out: it made the exchange, or is alone. */
  readonly hasKeys: boolean;
  /** To the other nodes, where there are any. */
  readonly bus: Bus | undefined;
  /** How full the log of many nodes is. */
  readonly fill?: Pick<StreamFill, 'bytes' | 'maxBytes'>;
  /** The disks of a log in files. */
  readonly disk?: DiskSpace;
  /** Waits until all that was submitted is durable and recorded, and lets go of everything. */
  close(): Promise<void>;
}

/** What both kinds of foundation are laid with. */
export interface NodeContext {
  readonly storage: Storage;
  readonly statistics: MarketStatisticsBoard;
  readonly clock: GuardedClock;
  /** That of `clock`. */
  readonly now: () => number;
  readonly metrics: ReplicaMetrics;
  /** Why the node is not ready yet. */
  readonly readiness: Readiness;
  /** The file of the keys that an exchange begins with, and the address to put there. */
  readonly credentialsPath: string;
  readonly plannedUrl: string;
  /** Sees the events of every command from the end of the log on. */
  readonly onEvents: (events: readonly Event[]) => void;
  /** The node can go on no longer: the process must end at once. */
  readonly onFailure: (error: Error) => void;
}

/**
 * Room for open orders before memory grows, which copies it all and takes 80 ms at a million. What is
 * not used costs address space only.
 */
export const MIN_FREE_BYTES = 1 << 20;
