import type { Batch, Log } from '../../log/log.ts';
import type { Applied } from './envelope.ts';
import type { StoredMessage } from './message-stream.ts';

export { type Applied, NOTHING_APPLIED } from './envelope.ts';
export { ClusteredLogError, LogTrimmedError } from './errors.ts';
export { machineClock, type StoredMessage } from './message-stream.ts';
export { endReaching } from './stream-end.ts';

/** A batch received from a clustered log. */
export interface FollowedBatch extends Batch {
  /** Name of the node that appended it. */
  readonly node: string;
  /** Whether this process appended it: it is the batch of the append in flight. */
  readonly isOwn: boolean;
  /** Whether it was stored after its deadline: its commands are guaranteed not to execute. */
  readonly isLate: boolean;
  /** The last batch that its node had applied when it sent this one; `NOTHING_APPLIED` if the message does not count. */
  readonly applied: Applied;
  /** The stored message, from which another reader can derive the batch. */
  readonly message: StoredMessage;
}

/** The log of a cluster: every node appends to it, and all nodes follow it. */
export interface ClusteredLog
  extends Pick<Log, 'lastSequence' | 'lastTime' | 'lastHash' | 'close'> {
  /** Other nodes append to it too. */
  readonly isShared: true;
  readonly maxPayloadBytes: number;
  /** Time since the newest message, milliseconds. It grows while the log is unreachable. */
  readonly silentMs: number;
  /**
   * Age of the newest message by the servers' clock, milliseconds; at least `silentMs`. It is higher while this node
   * catches up after an outage.
   */
  readonly ageMs: number;

  /**
   * Delivers every batch in order, own ones included, from the position at which the log was opened. Resolves once all
   * batches that the log held at the time of the call are delivered. Must be called once, first.
   */
  follow(handle: (batch: FollowedBatch) => void): Promise<void>;

  /** Starts a new incarnation of this node, which fences older processes with the same node name. Must precede the first append. */
  join(): Promise<void>;

  /**
   * Appends a batch, or a heartbeat if it has no commands. Resolves with the batch once it has been delivered to the follower;
   * a late one has no commands. One append at a time. Waits while the servers have no majority.
   * @param time This node's clock, whole milliseconds since 1970.
   * @param applied The last batch that this node has applied.
   */
  append(time: number, count: number, payload: Uint8Array, applied: Applied): Promise<Batch>;
}
