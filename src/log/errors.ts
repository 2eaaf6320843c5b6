import { OperatorError, StoredDataError } from '../monitoring/operator-error.ts';

/** A write or sync failed: this process makes nothing more durable. */
export class LogFailedError extends OperatorError {
  override readonly name = 'LogFailedError';

  constructor(cause: unknown) {
    super(
      `The log could not be written: ${cause instanceof Error ? cause.message : String(cause)}. ` +
        'Nothing more is acknowledged. See to the disk, then start again.',
      { cause },
    );
  }
}

/** The stored data differs from what was acknowledged. */
export class LogDamagedError extends StoredDataError {
  override readonly name = 'LogDamagedError';

  constructor(
    /** Name of the segment file. */
    readonly segment: string,
    /** Offset in that file, in bytes. */
    readonly offset: number,
    reason: string,
  ) {
    super(
      `The log is damaged at byte ${offset} of ${segment}: ${reason}. Nothing was changed. ` +
        'Copy the directory, restore the file from a backup, then start again.',
    );
  }
}

/** The format of a segment is unknown to this release. */
export class LogFormatError extends StoredDataError {
  override readonly name = 'LogFormatError';

  constructor(
    /** Name of the segment file. */
    readonly segment: string,
    readonly version: number,
  ) {
    super(
      `${segment} has log format ${version}, which this release does not know. ` +
        'Nothing was changed. Start the release that wrote it or a later one.',
    );
  }
}

/** The log does not contain the batch after which reading should continue. */
export class LogPositionError extends StoredDataError {
  override readonly name = 'LogPositionError';

  constructor(
    readonly sequence: number,
    reason: string,
  ) {
    super(
      `Reading the log cannot continue after batch ${sequence}: ${reason}. ` +
        'The snapshot or history that names this batch does not belong to this log. If the log was ' +
        'replaced, restore the one that belongs to them. Otherwise move snapshots/ and ' +
        'history.sqlite away: they are rebuilt from this log.',
    );
  }
}
