import { OperatorError } from '../monitoring/operator-error.ts';

/** Errors of users and their credentials. The gateway maps them to API errors. */

/** The credentials are wrong, unknown, expired or used. Clients do not learn which. */
export class WrongCredentialsError extends Error {
  override readonly name = 'WrongCredentialsError';
}

/** There were too many wrong guesses. The next ones are rejected unchecked for a while. */
export class GuessesSlowedError extends Error {
  override readonly name = 'GuessesSlowedError';

  constructor(readonly retryAfterSeconds: number) {
    super(`wait ${retryAfterSeconds} s before the next guess`);
  }
}

/** Too many passwords wait to be hashed. Nothing was changed. */
export class HashingOverloadedError extends Error {
  override readonly name = 'HashingOverloadedError';
}

/** The input breaks a rule. The message states a valid value. */
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

/** The record does not exist, or belongs to another user. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}

/** PostgreSQL does not respond. */
export class DatabaseDownError extends OperatorError {
  override readonly name = 'DatabaseDownError';

  /** @param mayBeDone Whether the connection ended during a write, which may have taken effect. */
  constructor(
    cause?: unknown,
    readonly mayBeDone = false,
  ) {
    super(
      'The user database (PostgreSQL) does not respond, or is a standby. Check the server and the database URL.',
      {
        cause,
      },
    );
  }
}

/** PostgreSQL accepts connections, but not this one. */
export class DatabaseRefusedError extends OperatorError {
  override readonly name = 'DatabaseRefusedError';

  constructor(cause: Error) {
    super(
      `PostgreSQL rejects the connection (${cause.message}). Check user, password and name in the database URL.`,
      { cause },
    );
  }
}

/** The user database in a file cannot be opened, or is damaged. */
export class UsersUnreadableError extends OperatorError {
  override readonly name = 'UsersUnreadableError';

  constructor(path: string, reason: string, cause?: unknown) {
    super(
      `The user database ${path} cannot be opened: ${reason}. Check that this process may read and write the file. ` +
        'If the file is damaged, restore it from a backup.',
      { cause },
    );
  }
}

/** The database was upgraded by a newer release. */
export class UsersVersionError extends OperatorError {
  override readonly name = 'UsersVersionError';

  constructor(found: number, known: number) {
    super(
      `The user database has version ${found}, this release supports up to ${known}. Start a newer release.`,
    );
  }
}

/** A stored secret is encrypted under a key that this node does not have. */
export class SealLostError extends Error {
  override readonly name = 'SealLostError';

  constructor(seal: string) {
    super(`the stored secret "${seal}" cannot be decrypted`);
  }
}
