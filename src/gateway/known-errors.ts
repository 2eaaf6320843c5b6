import { HistoryUnavailableError } from '../replica/archivist.ts';
import { ApiError } from './errors.ts';
import { peopleError } from './people-errors.ts';

/** What to answer where a request failed for a reason of the contract; undefined for any other. */
export function knownError(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown;
  // What asks about the past has done nothing, and may ask again.
  if (thrown instanceof HistoryUnavailableError) return new ApiError('OVERLOADED');
  return peopleError(thrown);
}
