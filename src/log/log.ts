/** What one append made durable. */
export interface Batch {
  /** 1 for a log's first batch, then one more each. */
  readonly sequence: number;
  /** Milliseconds since 1970, never less than the batch before. */
  readonly time: number;
  /** How many commands the payload holds. */
  readonly count: number;
  /** The log does not look inside. */
  readonly payload: Uint8Array;
  /** SHA-256 over the hash of the batch before and all of the above: it stands for the whole log up to here. */
  readonly hash: Uint8Array;
}

/** The one ordered, durable record of commands that the exchange is computed from. */
export interface Log {
  /** Sequence, time and hash of the newest durable batch; 0, 0 and `GENESIS_HASH` before the first. */
  readonly lastSequence: number;
  readonly lastTime: number;
  readonly lastHash: Uint8Array;

  /**
   * Makes one batch durable and resolves with it once it is, its time being
   * max(`lastTime`, `time`). One append at a time; `payload` must stay as it is until then.
   * `time` in whole milliseconds since 1970, `count` from 1, at most `MAX_PAYLOAD_BYTES` of
   * payload, else it rejects with RangeError. Once an append rejects with LogFailedError, all do.
   */
  append(time: number, count: number, payload: Uint8Array): Promise<Batch>;

  /**
   * All batches after a sequence (0 for all of them) that are durable when it is called, oldest
   * first, each verified as it is read: LogDamagedError where one is not what was appended.
   * LogPositionError when the log ends before `afterSequence`, or when that batch has another hash
   * than the one given.
   */
  read(afterSequence: number, hash?: Uint8Array): Iterable<Batch>;

  /** Waits for the append under way. Nothing can be appended afterwards. */
  close(): Promise<void>;
}

/** A place in the log: the batch last seen there. */
export interface Position {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

export const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;

/** Throws RangeError for what no log takes. */
export function checkAppend(time: number, count: number, payload: Uint8Array): void {
  if (!Number.isSafeInteger(time) || time < 0) {
    throw new RangeError(`The time of a batch is whole milliseconds since 1970, not ${time}.`);
  }
  if (!Number.isInteger(count) || count < 1 || count > 0xffff_ffff) {
    throw new RangeError(`A batch holds at least one command, not ${count}.`);
  }
  if (payload.length > MAX_PAYLOAD_BYTES) {
    throw new RangeError(
      `A batch holds at most ${MAX_PAYLOAD_BYTES} bytes, not ${payload.length}: split it.`,
    );
  }
}
