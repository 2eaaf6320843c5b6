import type { ApiError } from '../http/errors.ts';
import { invalid } from '../http/query.ts';

/** The sequence belongs to another exchange, or was made up. */
export function sequenceNotReached(): ApiError {
  const message = 'The exchange has not reached this sequence. Subscribe without one.';
  return invalid('sequence', 'reached', message);
}

export function alreadySubscribed(): ApiError {
  return invalid('channel', 'subscribedOnce', 'Already subscribed.');
}
