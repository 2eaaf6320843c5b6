import type { PastFailure } from '../../archivist/archivist.ts';
import { ApiError } from '../http/response/errors.ts';
import { beforeFirst } from './moment.ts';

/** Returns the error for a past that cannot be shown. @param field The parameter that asks for it. */
export function pastError(failure: PastFailure, field: 'at' | 'orderId'): ApiError {
  switch (failure.kind) {
    case 'beforeFirst': {
      const first = new Date(failure.time).toISOString();
      return beforeFirst(`The first position of the log is of ${first}.`, first);
    }
    case 'unfinished': {
      const message =
        'The nearest known state is too far from this moment for one request. Send the request again: ' +
        'it continues where this one stopped.';
      return new ApiError('OVERLOADED', message, { field, rule: 'maxCommands' });
    }
    case 'tooLarge':
      return new ApiError('INVALID_REQUEST', TOO_LARGE, { field, rule: 'maxState' });
    case 'unreadable': {
      const message = `The past of this exchange cannot be read: ${failure.reason}.`;
      return new ApiError('INVALID_REQUEST', message, { field, rule: 'readable' });
    }
  }
}

const TOO_LARGE =
  'The exchange had too many open orders at this time to show it: at most 20000, and a snapshot of 8 MiB. ' +
  'Choose a time with fewer.';
