import * as logger from '../../monitoring/logger.ts';
import { ApiError, errorText } from '../http/response/errors.ts';
import { knownError } from '../http/response/known-errors.ts';

/**
 * Returns the message that reports an error to a client, and logs an unexpected one.
 * @param subscription JSON fields naming the subscription that the error ended; empty if it ended none.
 */
export function errorMessage(thrown: unknown, subscription = ''): string {
  const fields = subscription === '' ? '' : `${subscription},`;
  return `{"op":"error",${fields}"error":${errorText(toApiError(thrown))}}`;
}

/** Returns the error that a client gets. One that is not known is logged and becomes INTERNAL_ERROR. */
export function toApiError(thrown: unknown): ApiError {
  const known = knownError(thrown);
  if (known !== undefined) return known;
  logger.error('Stream request failed', thrown);
  return new ApiError('INTERNAL_ERROR');
}
