import {
  DatabaseDownError,
  GuessesSlowedError,
  HashingOverloadedError,
  InvalidInputError,
  NotFoundError,
  WrongCredentialsError,
} from '../../users/errors.ts';
import { invalid } from '../http/request/query.ts';
import { ApiError } from '../http/response/errors.ts';

/** Returns the API error for a failed operation on users; undefined for any other failure. */
export function userError(thrown: unknown): ApiError | undefined {
  if (thrown instanceof WrongCredentialsError) return new ApiError('UNAUTHORIZED');
  if (thrown instanceof HashingOverloadedError) return new ApiError('OVERLOADED');
  if (thrown instanceof DatabaseDownError) {
    return thrown.mayBeDone
      ? new ApiError('OUTCOME_UNKNOWN', MAY_BE_DONE)
      : new ApiError('OVERLOADED', NO_DATABASE);
  }
  if (thrown instanceof NotFoundError) return new ApiError('NOT_FOUND', NOT_FOUND);
  if (thrown instanceof InvalidInputError) {
    return invalid(thrown.field, thrown.rule, thrown.message);
  }
  if (!(thrown instanceof GuessesSlowedError)) return undefined;
  const { retryAfterSeconds: retryAfter } = thrown;
  const message = `Too many failed attempts. Try again in ${retryAfter} s.`;
  return new ApiError('RATE_LIMIT_EXCEEDED', message, { retryAfter });
}

const NOT_FOUND = 'Not found. It may have been removed already.';
const NO_DATABASE =
  'Sign-in is temporarily unavailable; API keys still work. Try again after the number of seconds in the Retry-After header.';
const MAY_BE_DONE =
  'The outcome is unknown: the change may have been made. Check before you try again.';
