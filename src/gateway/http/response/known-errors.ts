import {
  HistoryBacklogError,
  HistoryDamagedError,
  HistoryRebuildingError,
  HistoryUnavailableError,
} from '../../../archivist/archivist.ts';
import {
  AccountBacklogError,
  CommandNotAppliedError,
  CommandTooLargeError,
  OutcomeUnknownError,
} from '../../../replica/errors.ts';
import { userError } from '../../auth/user-errors.ts';
import { ApiError } from './errors.ts';

const DAMAGED =
  'This part of the history cannot be read. It is rebuilt from the log if the exchange keeps it in a file: try again later.';
const REBUILDING =
  'The history of orders, fills and the ledger is being rebuilt: try again in some minutes. Cancels and balances work, and so do orders, except those with a clientOrderId that must be looked up in the history.';

/** Returns the API error for a failure that clients may know of; undefined for any other. */
export function knownError(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown;
  // The archivist has logged it for the operator.
  if (thrown instanceof HistoryDamagedError) return new ApiError('INTERNAL_ERROR', DAMAGED);
  if (thrown instanceof HistoryRebuildingError) return new ApiError('OVERLOADED', REBUILDING);
  if (thrown instanceof HistoryBacklogError) return new ApiError('OVERLOADED', BACKLOG);
  // Nothing was changed: it was a read, or the cluster did not accept the command in time.
  if (thrown instanceof HistoryUnavailableError || thrown instanceof CommandNotAppliedError) {
    return new ApiError('OVERLOADED');
  }
  if (thrown instanceof AccountBacklogError) return new ApiError('OVERLOADED', BACKLOG);
  if (thrown instanceof CommandTooLargeError) return new ApiError('PAYLOAD_TOO_LARGE', TOO_LARGE);
  if (thrown instanceof OutcomeUnknownError) return new ApiError('OUTCOME_UNKNOWN');
  return userError(thrown);
}

const BACKLOG =
  'Too many requests of this account or address are waiting, so nothing was done. Try again after the number of seconds in the Retry-After header, over /ws in retryAfter.';
const TOO_LARGE =
  'Send a smaller request: this one is larger than the log takes. Nothing has been done.';
