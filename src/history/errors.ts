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
  override readonly name = 'HistoryUnavailableError';

  constructor(reason: string, cause?: unknown) {
    super(`History is not available: ${reason}.`, { cause });
  }
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
