/** A command was not applied and is guaranteed not to be: it may be sent again. */
export class CommandNotAppliedError extends Error {
  override readonly name = 'CommandNotAppliedError';

  constructor() {
    super(
      'The log did not accept the command in time. It was not carried out, so you can send it again.',
    );
  }
}

/** A command was sent to the log, which does not answer: it may or may not be applied. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';

  constructor() {
    super(
      'The log does not answer, so the command may or may not take effect. Check its result before you send it again.',
    );
  }
}

/** Too many commands of one account wait for the log. This one was not submitted. */
export class AccountBacklogError extends Error {
  override readonly name = 'AccountBacklogError';

  constructor() {
    super(
      'Too many commands of this account are waiting. This one was not carried out; send it again later.',
    );
  }
}

/** A command exceeds `MAX_COMMAND_BYTES`. It was not submitted. */
export class CommandTooLargeError extends Error {
  override readonly name = 'CommandTooLargeError';

  constructor(bytes: number) {
    super(`The command has ${bytes} bytes, more than the log accepts. It was not carried out.`);
  }
}
