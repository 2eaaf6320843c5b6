import type { Hit, Schedule } from '../../sandbox/faults/script.ts';
import { BinanceError, toBinanceError } from '../binance/errors.ts';
import { ApiError } from '../http/response/errors.ts';

const RETRY_AFTER_SECONDS = 1;
/** The length of a ban (rest-api.md, "IP Limits": from 2 minutes). */
const BAN_MS = 120_000;
/** The time to wait in a maintenance whose end is not known. */
const MAINTENANCE_SECONDS = 60;
const MAINTENANCE =
  'The exchange is down for maintenance; the request was not carried out. Try again after the number of seconds in the Retry-After header, over /ws in retryAfter.';

/** Returns the error with which a fault rejects a request of the exchange's own API, which has no status 418. */
export function toApiFault({ fault }: Hit, now: number): ApiError {
  if (fault.kind === 'reject_all') return new ApiError('ACCOUNT_FROZEN');
  if (fault.kind === 'maintenance') {
    const retryAfter = secondsToEnd(fault.schedule, now);
    return new ApiError('OVERLOADED', MAINTENANCE, { rule: 'maintenance', retryAfter });
  }
  if (fault.status === 500) return new ApiError('INTERNAL_ERROR');
  if (fault.status === 503) return new ApiError('OVERLOADED');
  return new ApiError('RATE_LIMIT_EXCEEDED', undefined, { retryAfter: RETRY_AFTER_SECONDS });
}

/** Returns the error with which a fault rejects a request of the Binance dialect. */
export function toBinanceFault(hit: Hit, now: number): BinanceError {
  const { fault } = hit;
  if (fault.kind === 'maintenance') {
    const retryAfter = secondsToEnd(fault.schedule, now);
    return new BinanceError(-1008, 'System is under maintenance.', 503, retryAfter);
  }
  if (fault.status === 418) {
    const message =
      `Way too much request weight used; IP banned until ${now + BAN_MS}. ` +
      'Please use WebSocket Streams for live updates to avoid bans.';
    return new BinanceError(-1003, message, 418, BAN_MS / 1000);
  }
  return toBinanceError(toApiFault(hit, now));
}

/** Returns the time until a maintenance is over, in whole seconds, at least 1. */
function secondsToEnd({ from, until, everyMs, forMs }: Schedule, now: number): number {
  const period = everyMs === undefined ? 0 : Math.floor((now - from) / everyMs);
  const periodEnd = forMs === undefined ? until : from + period * (everyMs ?? 0) + forMs;
  const end = Math.min(until, periodEnd);
  if (!Number.isFinite(end)) return MAINTENANCE_SECONDS;
  return Math.max(1, Math.ceil((end - now) / 1000));
}
