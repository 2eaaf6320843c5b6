import type { Account } from '../../engine/ledger/accounts.ts';
import type { RateLimitState } from '../http/response/envelope.ts';
import { ApiError } from '../http/response/errors.ts';
import type { AccountWindows, AddressWindows } from '../limits/rate-limit.ts';
import type { Caller } from './caller.ts';
import type { Access } from './permissions.ts';
import type { VerifiedRequest } from './signed-requests.ts';

/** Whether a request is authorized, and the rate-limit window that it was counted in. */
export interface Decision {
  rateLimit: RateLimitState;
  /** The API key or session that sent the request; undefined if the endpoint is public. */
  readonly caller: Caller | undefined;
  /** An ApiError, or the failure that prevented a session lookup; undefined if the request is authorized. */
  readonly error: unknown;
  /** The client's own address, if the key has an IP allowlist. */
  address?: string;
  /** The rest of a signed request, which is read before it is authorized. */
  signed?: { readonly request: VerifiedRequest; readonly body: Uint8Array | undefined };
  /** The rest of a request of the custodian. */
  custodian?: {
    readonly body: Uint8Array | undefined;
    /** Number of the key that signed it; the engine checks in log order that it is still the current one. */
    readonly keyNumber: number;
  };
}

/** Returns a decision with the state of a window, copied because the window's fields change with the next request. */
export function toDecision(
  windows: AccountWindows | AddressWindows,
  rejection?: unknown,
  caller?: Caller,
): Decision {
  const { allowed, limit, remaining, resetSeconds, retryAfterSeconds } = windows;
  const error = allowed ? rejection : rateLimitError(retryAfterSeconds);
  return { rateLimit: { limit, remaining, resetSeconds }, caller, error };
}

const RATE_LIMIT_ERRORS: ApiError[] = [];

/** Returns the error of a spent window; it is kept, because a flood may get it at every message. */
export function rateLimitError(retryAfter: number): ApiError {
  RATE_LIMIT_ERRORS[retryAfter] ??= new ApiError('RATE_LIMIT_EXCEEDED', undefined, { retryAfter });
  return RATE_LIMIT_ERRORS[retryAfter];
}

/** Returns the error for a frozen account, undefined if it may use the endpoint. */
export function frozenError({ isFrozen }: Account, access: Access): ApiError | undefined {
  return isFrozen && access === 'trade' ? new ApiError('ACCOUNT_FROZEN') : undefined;
}

/** Returns the error for a request with a session that another site's page may have sent. */
export function foreignPageError(): ApiError {
  const message =
    "This request must come from the exchange's own pages: its header Origin is missing or names another site.";
  return new ApiError('BROWSER_NOT_ALLOWED', message);
}
