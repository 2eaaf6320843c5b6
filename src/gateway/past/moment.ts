import type { Moment } from '../../archivist/archivist.ts';
import { invalid, parseTime } from '../http/request/query.ts';
import { ApiError } from '../http/response/errors.ts';

/** Digits below this number are a log position; from it on, milliseconds since 1970 (March 1973 and later). */
export const FIRST_TIME_MS = 100_000_000_000;

/**
 * Reads the value of `at`: a log position, or a time as ISO 8601 with a zone or in milliseconds since 1970.
 * @param position The last position of the log. @param now The present, milliseconds since 1970.
 * @throws ApiError INVALID_REQUEST if it is malformed or in the future
 */
export function readMoment(text: string, position: number, now: number): Moment {
  const time = parseTime(text);
  if (time === undefined) {
    const message =
      'at must be a log position, an ISO 8601 time with a zone, or milliseconds since 1970.';
    throw invalid('at', 'positionOrTime', message);
  }
  if (/^\d+$/.test(text) && time < FIRST_TIME_MS) return readPosition(time, position);
  if (time <= now) return { time };
  const nearest = new Date(now).toISOString();
  const message = `at is in the future: the exchange's clock shows ${nearest}. Use that time or an earlier one.`;
  throw new ApiError('INVALID_REQUEST', message, { field: 'at', rule: 'past', nearest });
}

function readPosition(at: number, position: number): Moment {
  if (at < 1) throw beforeFirst('The first position of the log is 1.', 1);
  if (at <= position) return { position: at };
  const message = `at is in the future: the log ends at position ${position}. Use that position or an earlier one.`;
  const details = { field: 'at', rule: 'past', nearest: position };
  throw new ApiError('INVALID_REQUEST', message, details);
}

/** Returns the error for a moment before the first batch. @param nearest The first position, or its time. */
export function beforeFirst(reason: string, nearest: number | string): ApiError {
  const message = `at is before the exchange began. ${reason}`;
  return new ApiError('INVALID_REQUEST', message, { field: 'at', rule: 'begun', nearest });
}
