import * as logger from '../../monitoring/logger.ts';
import { ApiError, errorText } from '../http/response/errors.ts';
import { knownError } from '../http/response/known-errors.ts';

/**
 * Returns the message that reports an error to a client, and logs an unexpected one.
 * @param subscription JSON fields naming the subscription that the error ended; empty if it ended none.
 */
export function errorMessage(thrown: unknown, subscription = ''): string {
  const known = knownError(thrown);
  if (known === undefined) logger.error('Stream request failed', thrown);
  const fields = subscription === '' ? '' : `${subscription},`;
  return `{"op":"error",${fields}"error":${errorText(known ?? new ApiError('INTERNAL_ERROR'))}}`;
}
