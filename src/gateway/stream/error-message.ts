import * as logger from '../../monitoring/logger.ts';
import { ApiError, errorText } from '../http/response/errors.ts';
import { knownError } from '../http/response/known-errors.ts';
import { retryAfterSeconds } from '../http/response/responses.ts';

/**
 * Returns the message that reports an error to a client, and logs an unexpected one.
 * @param subscription JSON fields naming the subscription that the error ended; empty if it ended none.
 */
export function errorMessage(thrown: unknown, subscription = ''): string {
  const fields = subscription === '' ? '' : `${subscription},`;
  const error = toApiError(thrown);
  return `{"op":"error",${fields}${retryAfterText(error)}"error":${errorText(error)}}`;
}

/** Returns the field that says how long to wait, as JSON with a comma; empty if trying again does not help. */
export function retryAfterText(error: ApiError): string {
  const seconds = retryAfterSeconds(error);
  return seconds === undefined ? '' : `"retryAfter":${seconds},`;
}

/**
 * Returns the error that a client gets. One that is not known is logged and becomes INTERNAL_ERROR.
 * @param op The operation, if it is one, and its `id` as JSON, for the log.
 */
export function toApiError(thrown: unknown, op?: string, id?: string): ApiError {
  const known = knownError(thrown);
  if (known !== undefined) return known;
  logger.error('Stream request failed', thrown, { op, id });
  return new ApiError('INTERNAL_ERROR');
}
