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
        'Nothing was changed. Start the release that wrote it or a later one, ' +
        'or move the database away to have it written anew from the log.',
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

/** The store holds another batch where this process's log has one of its own. */
export class HistoryForeignError extends Error {
  override readonly name = 'HistoryForeignError';

  constructor(sequence: number) {
    super(
      `History was written from another log, or this node computed another: at batch ${sequence} the two differ. ` +
        'Give each exchange a database of its own. To have history written anew from this log, stop all nodes and ' +
        'DROP SCHEMA history CASCADE (with SQLite: move history.sqlite away).',
    );
  }
}
