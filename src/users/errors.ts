import { OperatorError } from '../monitoring/operator-error.ts';

/** Why something about a person was not done. The gateway makes the answers of them. */

/** Wrong, unknown, expired or used: which of them nobody is told. */
export class WrongCredentialsError extends Error {
  override readonly name = 'WrongCredentialsError';
}

/** Too many wrong guesses: no more are looked at for a while. */
export class GuessesSlowedError extends Error {
  override readonly name = 'GuessesSlowedError';

  constructor(readonly retryAfterSeconds: number) {
    super(`wait ${retryAfterSeconds} s before the next guess`);
  }
}

/** More passwords wait to be hashed than this node works off in a moment. Nothing was done. */
export class HashingOverloadedError extends Error {
  override readonly name = 'HashingOverloadedError';
}

/** What was sent breaks a rule; the message says what to send instead. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';

  constructor(
    readonly field: string,
    readonly rule: string,
    message: string,
  ) {
    super(message);
  }
}

/** There is no such thing, or none of one's own. */
export class NotThereError extends Error {
  override readonly name = 'NotThereError';
}

/** PostgreSQL cannot be asked now. */
export class DatabaseDownError extends OperatorError {
  override readonly name = 'DatabaseDownError';

  /** @param mayBeDone Whether the connection ended when something was to be written, which may be. */
  constructor(
    cause?: unknown,
    readonly mayBeDone = false,
  ) {
    super(
      'PostgreSQL does not answer, or is a standby: see to it, or to the setting of the database.',
      {
        cause,
      },
    );
  }
}

/** PostgreSQL takes connections, and not this one. */
export class DatabaseRefusedError extends OperatorError {
  override readonly name = 'DatabaseRefusedError';

  constructor(cause: Error) {
    super(
      `PostgreSQL refuses (${cause.message}): see to user, password and name in the setting of the database.`,
      { cause },
    );
  }
}

/** The database was written by a newer release. */
export class UsersVersionError extends OperatorError {
  override readonly name = 'UsersVersionError';

  constructor(found: number, known: number) {
    super(
      `The people's database has version ${found}, this release knows ${known}: start a newer release.`,
    );
  }
}
