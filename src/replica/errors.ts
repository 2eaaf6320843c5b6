/** A command was not carried out and never will be: it may be sent again. */
export class CommandNotAppliedError extends Error {
  override readonly name = 'CommandNotAppliedError';

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

/** Too many commands of one account wait for the log. Nothing was submitted. */
export class AccountBacklogError extends Error {
  override readonly name = 'AccountBacklogError';

  constructor() {
    super('Too many commands of this account are waiting: nothing was done.');
  }
}

/** A command has more bytes than every log takes. Nothing was submitted. */
export class CommandTooLargeError extends Error {
  override readonly name = 'CommandTooLargeError';

  constructor(bytes: number) {
    super(`The command has ${bytes} bytes, more than the log takes: nothing was done.`);
  }
}
