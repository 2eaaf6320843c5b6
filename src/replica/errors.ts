/** A command was not carried out and never will be: it may be sent again. */
export class CommandUndoneError extends Error {
  override readonly name = 'CommandUndoneError';

  constructor() {
    super('The log did not take this in time: nothing was done.');
  }
}

/** A command is on its way into the log, which does not answer: nobody can know yet what becomes of it. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';

  constructor() {
    super('The log does not answer: this may have been done, or may yet be.');
  }
}
