import { HistoryUnavailableError } from '../replica/archivist.ts';
import {
  AccountBacklogError,
  CommandTooLargeError,
  CommandUndoneError,
  OutcomeUnknownError,
} from '../replica/errors.ts';
import { ApiError } from './errors.ts';
import { peopleError } from './people-errors.ts';

/** What to answer where a request failed for a reason of the contract; undefined for any other. */
export function knownError(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown;
  // What asks about the past has done nothing, nor has what a log of many nodes did not take in time.
  if (thrown instanceof HistoryUnavailableError || thrown instanceof CommandUndoneError) {
    return new ApiError('OVERLOADED');
  }
  if (thrown instanceof AccountBacklogError) return new ApiError('OVERLOADED', BACKLOG);
  if (thrown instanceof CommandTooLargeError) return new ApiError('PAYLOAD_TOO_LARGE', TOO_LARGE);
  if (thrown instanceof OutcomeUnknownError) return new ApiError('OUTCOME_UNKNOWN');
  return peopleError(thrown);
}

const BACKLOG =
  'Too many requests of this account are waiting: try again after as many seconds as Retry-After says. Nothing has been done.';
const TOO_LARGE =
  'Send a smaller request: this one is larger than the log takes. Nothing has been done.';
