import { OperatorError, StoredDataError } from '../monitoring/operator-error.ts';

/** A write or a sync failed: nothing more is made durable, now or later, by this process. */
export class LogFailedError extends OperatorError {
  override readonly name = 'LogFailedError';

  constructor(cause: unknown) {
    super(
      `The log could not be written: ${cause instanceof Error ? cause.message : String(cause)}. ` +
        'Nothing is acknowledged from here on. See to the disk, then start again.',
      { cause },
    );
  }
}

/** What is stored is not what was acknowledged. */
export class LogDamagedError extends StoredDataError {
  override readonly name = 'LogDamagedError';

  constructor(
    /** Name of the segment file. */
    readonly segment: string,
    /** Where in that file, in bytes. */
    readonly offset: number,
    reason: string,
  ) {
    super(
      `The log is damaged at byte ${offset} of ${segment}: ${reason}. Nothing was changed. ` +
        'Keep a copy of the directory, put the file back from a backup, then start again.',
    );
  }
}

/** A segment is in a format that this release does not know. */
export class LogFormatError extends StoredDataError {
  override readonly name = 'LogFormatError';

  constructor(
    /** Name of the segment file. */
    readonly segment: string,
    readonly version: number,
  ) {
    super(
      `${segment} is in log format ${version}, which this release does not know. ` +
        'Nothing was changed. Start the release that wrote it, or a later one.',
    );
  }
}

/** Reading was asked to go on from a batch that this log does not hold. */
export class LogPositionError extends StoredDataError {
  override readonly name = 'LogPositionError';

  constructor(
    readonly sequence: number,
    reason: string,
  ) {
    super(
      `Reading cannot go on after batch ${sequence}: ${reason}. ` +
        'The snapshot or history that names it does not belong to this log. Put the log back as it was ' +
        'with them, if it was changed; else move snapshots/ and history.sqlite away, to have them ' +
        'written anew from this log.',
    );
  }
}
