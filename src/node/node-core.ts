import type { Archivist, ArchivistProgress } from '../archivist/archivist.ts';
import type { Bus } from '../cluster/bus/bus.ts';
import type { StreamFill } from '../cluster/stream/fill-level.ts';
import type { Event } from '../engine/event.ts';
import type { Log } from '../log/log.ts';
import type { MachineClock } from '../monitoring/clock.ts';
import type { Readiness } from '../monitoring/readiness.ts';
import type { MarketStatisticsBoard } from '../replica/market-statistics.ts';
import type { Replica, ReplicaMetrics } from '../replica/replica.ts';
import type { Timeline } from '../sandbox/clock/timeline.ts';
import type { Recording } from '../sandbox/recorded/recording.ts';
import type { RandomBytes } from '../sandbox/seeded-bytes.ts';
import type { DiskSpace } from '../storage/disk-space.ts';
import type { Storage } from '../storage/storage.ts';

/** The core of a node: the exchange, its log and its archivist. */
export interface NodeCore {
  readonly replica: Replica;
  readonly archivist: Archivist & ArchivistProgress;
  readonly log: Pick<Log, 'lastSequence' | 'lastTime'> & {
    /** In a cluster, this machine's clock minus the servers', milliseconds. */
    readonly clockLeadMs?: number;
  };
  /** Whether this node has the exchange's first keys: it created the exchange, or is a single node. */
  readonly hasKeys: boolean;
  /** Messages between nodes; only in a cluster. */
  readonly bus: Bus | undefined;
  /** Fill level of a clustered log. */
  readonly fill?: Pick<StreamFill, 'bytes' | 'maxBytes'>;
  /** The disks of a single node. */
  readonly disk?: DiskSpace;
  /** Ends a sandbox whose files are replaced: rejects what waits and writes nothing more. */
  discard?(): Promise<void>;
  /** Waits until all submitted commands are durable and recorded, then releases everything. */
  close(): Promise<void>;
}

/** The parts of a node that its core uses. */
export interface NodeContext {
  readonly storage: Storage;
  readonly statistics: MarketStatisticsBoard;
  readonly clock: MachineClock;
  /** The work of a sandbox at times of its clock. */
  readonly timeline: Timeline;
  /** The recorded markets that the sandbox plays in place of the random walk. */
  readonly recording: Recording | undefined;
  /** The source of new keys. */
  readonly randomBytes: RandomBytes;
  /** The time of `clock`. */
  readonly now: () => number;
  readonly metrics: ReplicaMetrics;
  /** The reasons why the node is not ready. */
  readonly readiness: Readiness;
  /** The file of the exchange's first keys, and the address to write into it. */
  readonly credentialsPath: string;
  readonly plannedUrl: string;
  /** Called with the events of every command after recovery. */
  readonly onEvents: (events: readonly Event[]) => void;
  /** Called if the node cannot continue; the process must end at once. */
  readonly onFailure: (error: Error) => void;
}

/**
 * Memory reserved for open orders. Growing it copies everything, which takes 80 ms at a million orders; unused memory costs
 * only address space.
 */
export const MIN_FREE_BYTES = 1 << 20;
