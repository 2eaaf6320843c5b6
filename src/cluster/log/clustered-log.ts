import type { Batch, Log } from '../../log/log.ts';
import type { Applied } from './envelope.ts';
import type { StoredMessage } from './message-stream.ts';

/** A batch of a log that many nodes append to. */
export interface FollowedBatch extends Batch {
  /** Who appended it. */
  readonly node: string;
  /** Whether it is what this log's append under way has appended. */
  readonly isOwn: boolean;
  /** It was stored after its deadline: none of its commands was, or ever will be, applied. */
  readonly isLate: boolean;
  /** What its node had applied when it was sent; nothing where that does not count. */
  readonly applied: Applied;
  /** What it came in: all that another reader needs. */
  readonly message: StoredMessage;
}

/** The one log of many equal nodes: any of them appends, all of them follow. */
export interface ClusteredLog
  extends Pick<Log, 'lastSequence' | 'lastTime' | 'lastHash' | 'close'> {
  readonly maxPayloadBytes: number;
  /** How long ago the newest message came, milliseconds: while it grows, the log is out of reach. */
  readonly silentMs: number;
  /**
   * How old the newest message is by the servers' clock, milliseconds; never less than `silentMs`. It exceeds that while
   * this node catches up after an outage.
   */
  readonly ageMs: number;

  /**
   * Passes every batch on, in order and own ones too, from where the log stood when it was opened; resolves
   * once all that was there when it was called has been passed on. To be called once, first.
   */
  follow(handle: (batch: FollowedBatch) => void): Promise<void>;

  /** Makes this process the one that runs under its node's name; resolves once all nodes know. Before the first append. */
  join(): Promise<void>;

  /**
   * Appends a batch, of no commands too (a sign of life): resolves with it once it was passed on to whoever follows.
   * It may come back late, without its commands. One append at a time. As long as the servers have no majority it waits.
   * @param time This node's clock, whole milliseconds since 1970.
   * @param applied What this node has applied so far.
   */
  append(time: number, count: number, payload: Uint8Array, applied: Applied): Promise<Batch>;
}
