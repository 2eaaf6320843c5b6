import type { Applied } from '../cluster/log/clustered-log.ts';
import type { Batch, Log } from '../log/log.ts';

/** A durable batch, and the node that appended it. */
export interface DeliveredBatch extends Batch {
  /** Name of the node. */
  readonly node: string;
  /** Whether this process appended it: it is the batch of the append in flight. */
  readonly isOwn: boolean;
  /** Whether it was stored after its deadline: its commands are guaranteed not to execute. */
  readonly isLate: boolean;
  /** The last batch that its node had applied when it sent this one. */
  readonly applied: Applied;
}

/** The log as a replica sees it: `ClusteredLog` is one, and `singleNodeLog` makes one of a log without other nodes. */
export interface ReplicaLog {
  /** Whether other nodes append to it too. */
  readonly isShared: boolean;
  readonly lastSequence: number;
  readonly lastHash: Uint8Array;
  readonly maxPayloadBytes: number;
  /** See `ClusteredLog`; 0 on a single node. */
  readonly silentMs: number;
  readonly ageMs: number;
  follow(handle: (batch: DeliveredBatch) => void): Promise<void>;
  join(): Promise<void>;
  append(time: number, count: number, payload: Uint8Array, applied: Applied): Promise<unknown>;
}

/** Returns the log of a single node as a cluster's log with one node, which is never silent and never late. */
export function singleNodeLog(log: Pick<Log, 'lastSequence' | 'lastHash' | 'append'>): ReplicaLog {
  let deliver: (batch: DeliveredBatch) => void = () => {};
  return {
    isShared: false,
    lastSequence: log.lastSequence,
    lastHash: log.lastHash,
    maxPayloadBytes: Number.POSITIVE_INFINITY,
    silentMs: 0,
    ageMs: 0,
    async follow(handle) {
      deliver = handle;
    },
    async join() {},
    append: (time, count, payload, applied) =>
      log
        .append(time, count, payload)
        .then((batch) => deliver({ ...batch, node: '', isOwn: true, isLate: false, applied })),
  };
}
