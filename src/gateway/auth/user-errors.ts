import {
  DatabaseDownError,
  GuessesSlowedError,
  HashingOverloadedError,
  InvalidInputError,
  NotThereError,
  WrongCredentialsError,
} from '../../users/errors.ts';
import { ApiError } from '../http/errors.ts';
import { invalid } from '../http/query.ts';

/** What to answer where something about a person was refused; undefined for any other failure. */
export function userError(thrown: unknown): ApiError | undefined {
  if (thrown instanceof WrongCredentialsError) return new ApiError('UNAUTHORIZED');
  if (thrown instanceof HashingOverloadedError) return new ApiError('OVERLOADED');
  if (thrown instanceof DatabaseDownError) {
    return thrown.mayBeDone
      ? new ApiError('OUTCOME_UNKNOWN', MAY_BE_DONE)
      : new ApiError('OVERLOADED', NO_DATABASE);
  }
  if (thrown instanceof NotThereError) return new ApiError('NOT_FOUND');
  if (thrown instanceof InvalidInputError) {
    return invalid(thrown.field, thrown.rule, thrown.message);
  }
  if (!(thrown instanceof GuessesSlowedError)) return undefined;
  const { retryAfterSeconds: retryAfter } = thrown;
  const message = `Too many wrong guesses: try again in ${retryAfter} s.`;
  return new ApiError('RATE_LIMIT_EXCEEDED', message, { retryAfter });
}

const NO_DATABASE =
  'What sessions and people need cannot be read now: try again soon. API keys work as ever.';
const MAY_BE_DONE = 'Look before you try again: it may have been done.';
