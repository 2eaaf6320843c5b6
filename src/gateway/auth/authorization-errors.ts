import type { Account } from '../../engine/ledger/accounts.ts';
import type { Access } from '../endpoints/endpoint.ts';
import { ApiError } from '../http/errors.ts';
import type { AccountWindows, AddressWindows } from '../limits/rate-limit.ts';
import type { Authorized } from './authorization.ts';
import type { Caller } from './caller.ts';

/** Why an account that is frozen gets no further, if it is. */
export function refusalOfFrozen({ frozen }: Account, access: Access): ApiError | undefined {
  return frozen && access === 'trade' ? new ApiError('ACCOUNT_FROZEN') : undefined;
}

/** What a session sends must come from the exchange's own pages. */
export function foreign(): ApiError {
  const message =
    "Send this from the exchange's own pages: the header Origin is missing, or names another site.";
  return new ApiError('BROWSER_NOT_ALLOWED', message);
}

/** The limiter's fields hold only until its next request: they are copied. */
export function conclude(
  windows: AccountWindows | AddressWindows,
  refusal?: unknown,
  caller?: Caller,
): Authorized {
  const { allowed, limit, remaining, resetSeconds, retryAfterSeconds } = windows;
  const error = allowed
    ? refusal
    : new ApiError('RATE_LIMIT_EXCEEDED', undefined, { retryAfter: retryAfterSeconds });
  return { rateLimit: { limit, remaining, resetSeconds }, caller, error };
}
