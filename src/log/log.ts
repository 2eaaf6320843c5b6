/** A batch of commands, made durable by one append. */
export interface Batch {
  /** 1 for the first batch, then consecutive. */
  readonly sequence: number;
  /** Milliseconds since 1970; never lower than that of the batch before. */
  readonly time: number;
  /** Number of commands in the payload. */
  readonly count: number;
  /** The encoded commands, opaque to the log. */
  readonly payload: Uint8Array;
  /**
   * SHA-256 of the frame, which includes the hash of the batch before: it identifies the whole log
   * up to here.
   */
  readonly hash: Uint8Array;
}

/** The ordered, durable record of commands from which the exchange is computed. */
export interface Log {
  /**
   * Sequence, time and hash of the newest durable batch; 0, 0 and `GENESIS_HASH` before the first.
   */
  readonly lastSequence: number;
  readonly lastTime: number;
  readonly lastHash: Uint8Array;

  /**
   * Appends one batch and resolves once it is durable. Its time is max(`lastTime`, `time`). Only
   * one append may be in progress, and `payload` must not change during it.
   * @param time Integer of milliseconds since 1970.
   * @param count Number of commands, at least 1.
   * @param payload At most `MAX_PAYLOAD_BYTES`.
   * @throws RangeError for invalid arguments.
   * @throws LogFailedError if a write fails; every later append fails too.
   */
  append(time: number, count: number, payload: Uint8Array): Promise<Batch>;

  /**
   * Returns the batches after a sequence (0 for all) that are durable at the time of the call,
   * oldest first, each verified as it is read.
   * @throws LogDamagedError for a batch that differs from what was appended.
   * @throws LogPositionError if the log ends before `afterSequence`, or if that batch does not have
   * `hash`.
   */
  read(afterSequence: number, hash?: Uint8Array): Iterable<Batch>;

  /** Waits for an append in progress. Nothing can be appended afterwards. */
  close(): Promise<void>;
}

/** A position in the log, identified by the last batch before it. */
export interface Position {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

export const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;

/** Validates the arguments of an append. @throws RangeError */
export function checkAppend(time: number, count: number, payload: Uint8Array): void {
  if (!Number.isSafeInteger(time) || time < 0) {
    throw new RangeError(
      `The time of a batch must be an integer of milliseconds since 1970, not ${time}.`,
    );
  }
  if (!Number.isInteger(count) || count < 1 || count > 0xffff_ffff) {
    throw new RangeError(`A batch must contain at least one command, not ${count}.`);
  }
  if (payload.length > MAX_PAYLOAD_BYTES) {
    throw new RangeError(
      `A batch may have at most ${MAX_PAYLOAD_BYTES} bytes, not ${payload.length}: split it.`,
    );
  }
}
