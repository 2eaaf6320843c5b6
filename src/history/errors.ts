/** The database cannot be opened, or is none. */
export class HistoryUnreadableError extends Error {
  override readonly name = 'HistoryUnreadableError';

  constructor(
    place: string,
    cause: unknown,
    advice = 'See to the file and its directory. If it is damaged, move it away: it is written anew from the log.',
  ) {
    super(
      `The history database ${place} cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}. ${advice}`,
      { cause },
    );
  }
}

/** The database holds a history that a newer release wrote. */
export class HistoryVersionError extends Error {
  override readonly name = 'HistoryVersionError';

  constructor(
    readonly version: number,
    known: number,
  ) {
    super(
      `The history database has schema version ${version}, this release knows up to ${known}. ` +
        'Nothing was changed. Start the release that wrote it or a later one.',
    );
  }
}

/** The database no longer stands where this process left it: someone else writes it too. */
export class HistoryConflictError extends Error {
  override readonly name = 'HistoryConflictError';

  constructor(readonly sequence: number) {
    super(
      `The history database no longer stands at batch ${sequence}, where this process left it: another process writes it. ` +
        'Nothing of this commit was written. Let one process at a time use the database, then start again.',
    );
  }
}

/** The store does not answer now; nothing is lost, and what needs no history goes on. */
export class HistoryUnavailableError extends Error {
  override readonly name: string = 'HistoryUnavailableError';

  constructor(reason: string, cause?: unknown) {
    super(`History is not available: ${reason}.`, { cause });
  }
}

/** History is missing, or cannot be opened, and is being rebuilt from the log. */
export class HistoryRebuildingError extends HistoryUnavailableError {
  override readonly name = 'HistoryRebuildingError';

  constructor() {
    super('it is being rebuilt from the log');
  }
}

/** Too many reads of one account wait for an answer. */
export class HistoryBacklogError extends HistoryUnavailableError {
  override readonly name = 'HistoryBacklogError';

  constructor() {
    super('too many reads of this account are waiting');
  }
}

/**
 * A part of the database is not what was written: a row, a page of the file, or the file. The question cannot be
 * answered from it; the log has it all.
 */
export class HistoryDamagedError extends HistoryUnavailableError {
  override readonly name = 'HistoryDamagedError';

  /** @param finding What is damaged, a clause. */
  constructor(
    readonly finding: string,
    cause?: unknown,
  ) {
    super(`it is damaged, ${finding}`, cause);
  }
}

/** SQLite's errors that say nothing about the content of the file: disk, memory, descriptors, other processes. */
const NOT_OF_CONTENT =
  /^SQLITE_(FULL|NOMEM|CANTOPEN|BUSY|LOCKED|READONLY|PERM|AUTH|INTERRUPT|IOERR(?!_READ|_DATA|_CORRUPTFS))/;

/** The damage that an error of history in a file stands for; undefined where it stands for something else. */
export function damageOf(error: unknown): HistoryDamagedError | undefined {
  if (error instanceof HistoryDamagedError) return error;
  const cause = error instanceof HistoryUnreadableError ? error.cause : error;
  const { name, code, message } = cause as { name?: string; code?: string; message?: string };
  if (name !== 'SQLiteError' || NOT_OF_CONTENT.test(code ?? '')) return undefined;
  // Of a damaged schema SQLite quotes whole statements.
  const [finding = ''] = (message ?? '').split('\n');
  return new HistoryDamagedError(`SQLite says "${finding.slice(0, 200)}"`, error);
}

const ANEW =
  'Give each exchange a database of its own. If this one is, and the log is as it should be, stop the node and move ' +
  'history.sqlite away (in PostgreSQL: DROP SCHEMA history CASCADE): history is written anew from this log.';

/** History and the log do not belong together: one of them is of another exchange, or has lost what the other has. */
export class HistoryForeignError extends Error {
  override readonly name = 'HistoryForeignError';

  /**
   * @param finding What does not fit, a sentence.
   * @param advice What to do; for a log in files, which hold all of it, where it is left out.
   */
  constructor(
    readonly finding: string,
    advice = ANEW,
  ) {
    super(`${finding} ${advice}`);
  }
}

/** History went on, and the log was trimmed behind it, while this one looked for where to begin: it begins again. */
export class HistoryOvertakenError extends Error {
  override readonly name = 'HistoryOvertakenError';
}
