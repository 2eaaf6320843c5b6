import { HistoryUnavailableError } from '../replica/archivist.ts';
import { CommandUndoneError, OutcomeUnknownError } from '../replica/errors.ts';
import { ApiError } from './errors.ts';
import { peopleError } from './people-errors.ts';

/** What to answer where a request failed for a reason of the contract; undefined for any other. */
export function knownError(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown;
  // What asks about the past has done nothing, nor has what a log of many nodes did not take in time.
  if (thrown instanceof HistoryUnavailableError || thrown instanceof CommandUndoneError) {
    return new ApiError('OVERLOADED');
  }
  if (thrown instanceof OutcomeUnknownError) return new ApiError('OUTCOME_UNKNOWN');
  return peopleError(thrown);
}
