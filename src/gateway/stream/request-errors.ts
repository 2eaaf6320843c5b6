import { invalid } from '../http/request/query.ts';
import type { ApiError } from '../http/response/errors.ts';

/** Returns the error for a sequence in the future: it is invented, or belongs to another exchange. */
export function sequenceNotReached(): ApiError {
  const message = 'The exchange has not reached this sequence. Subscribe without a sequence.';
  return invalid('sequence', 'reached', message);
}

export function alreadySubscribed(): ApiError {
  return invalid(
    'channel',
    'subscribedOnce',
    'This connection is already subscribed to this channel.',
  );
}
