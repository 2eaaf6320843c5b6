import { OperatorError } from '../monitoring/operator-error.ts';

/** The database cannot be opened, or is not a database. */
export class HistoryUnreadableError extends OperatorError {
  override readonly name = 'HistoryUnreadableError';

  constructor(
    place: string,
    cause: unknown,
    advice = 'Check the file and its directory. If the file is damaged, move it away; it is rebuilt from the log.',
  ) {
    super(
      `The history database ${place} cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { advice, cause },
    );
  }
}

/** A newer release wrote the history database. */
export class HistoryVersionError extends OperatorError {
  override readonly name = 'HistoryVersionError';

  constructor(
    readonly version: number,
    known: number,
  ) {
    super(
      `The history database has schema version ${version}, and this release supports up to ${known}. Nothing was changed.`,
      { advice: 'Start the release that wrote it or a later one.' },
    );
  }
}

/** The database is no longer at the position where this process left it, because another process writes it. */
export class HistoryConflictError extends OperatorError {
  override readonly name = 'HistoryConflictError';

  constructor(readonly sequence: number) {
    super(
      `The history database is no longer at batch ${sequence}, where this process left it: another process writes it. ` +
        'This commit was rolled back.',
      { advice: 'Let only one process use the database, then start again.' },
    );
  }
}

/** A period begins before the records that are kept. */
export class HistoryTrimmedError extends Error {
  override readonly name = 'HistoryTrimmedError';

  /** @param keptSince Milliseconds since 1970. */
  constructor(readonly keptSince: number) {
    const time = new Date(keptSince).toISOString();
    super(
      `Orders, fills and ledger entries from before ${time} are no longer kept. Choose a period that begins then or later.`,
    );
  }
}

/** History cannot be queried now. Nothing is lost, and requests that need no history are served. */
export class HistoryUnavailableError extends OperatorError {
  override readonly name: string = 'HistoryUnavailableError';

  constructor(reason: string, cause?: unknown) {
    super(`History is unavailable: ${reason}.`, { cause });
  }
}

/** History is missing or could not be opened, and is being rebuilt from the log. */
export class HistoryRebuildingError extends HistoryUnavailableError {
  override readonly name = 'HistoryRebuildingError';

  constructor() {
    super('it is being rebuilt from the log');
  }
}

/** Too many reads of one account or address wait for an answer. */
export class HistoryBacklogError extends HistoryUnavailableError {
  override readonly name = 'HistoryBacklogError';

  constructor() {
    super('too many reads of this account or address are waiting');
  }
}

/** A row, a page or the whole file of the database is damaged. It can be rebuilt from the log. */
export class HistoryDamagedError extends HistoryUnavailableError {
  override readonly name = 'HistoryDamagedError';

  /** @param finding Describes the damage, as a clause. */
  constructor(
    readonly finding: string,
    cause?: unknown,
  ) {
    super(`it is damaged, ${finding}`, cause);
  }
}

/** Whether the store itself is unavailable; the subclasses concern one query, or are thrown without asking the store. */
export function isStoreUnavailable(error: unknown): boolean {
  return error instanceof HistoryUnavailableError && error.constructor === HistoryUnavailableError;
}

/** SQLite's errors that are not about the file's content: disk, memory, descriptors, other processes. */
const NOT_OF_CONTENT =
  /^SQLITE_(FULL|NOMEM|CANTOPEN|BUSY|LOCKED|READONLY|PERM|AUTH|INTERRUPT|IOERR(?!_READ|_DATA|_CORRUPTFS))/;

/** Returns the damage that an error of a history file indicates, or undefined if the error has another cause. */
export function toDamage(error: unknown): HistoryDamagedError | undefined {
  if (error instanceof HistoryDamagedError) return error;
  const cause = error instanceof HistoryUnreadableError ? error.cause : error;
  const { name, code, message } = cause as { name?: string; code?: string; message?: string };
  if (name !== 'SQLiteError' || NOT_OF_CONTENT.test(code ?? '')) return undefined;
  // For a damaged schema SQLite quotes whole statements.
  const [finding = ''] = (message ?? '').split('\n');
  return new HistoryDamagedError(`SQLite reports "${finding.slice(0, 200)}"`, error);
}

const REBUILD_ADVICE =
  'Use a separate database for each exchange. If this is the right database and the right log, stop the node and move ' +
  'history.sqlite away (in PostgreSQL: DROP SCHEMA history CASCADE); history is then rebuilt from this log.';

/** History and the log do not match: one of them belongs to another exchange, or lacks batches that the other has. */
export class HistoryForeignError extends OperatorError {
  override readonly name = 'HistoryForeignError';

  /**
   * @param finding The mismatch, as a sentence.
   * @param advice By default that for a log in files, from which history can be rebuilt.
   */
  constructor(
    readonly finding: string,
    advice = REBUILD_ADVICE,
  ) {
    super(finding, { advice });
  }
}

/** The log was trimmed past the position from which this process was about to start; it starts again from a newer one. */
export class HistoryOvertakenError extends Error {
  override readonly name = 'HistoryOvertakenError';
}
