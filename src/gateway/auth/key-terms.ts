import type { NodeClock } from '../../monitoring/clock.ts';
import { AddressList } from '../http/request/client-address.ts';
import { invalid } from '../http/request/query.ts';
import { ApiError } from '../http/response/errors.ts';

/** Checks of a new API key's terms, the same for operators and users. */

/** Returns a valid IP allowlist. @throws ApiError INVALID_REQUEST */
export function checkAddresses(addresses: readonly string[]): readonly string[] {
  try {
    new AddressList(addresses);
  } catch (error) {
    throw invalid('addresses', 'address', (error as Error).message);
  }
  return addresses;
}

/**
 * Returns when a key expires, milliseconds since 1970; 0 for never.
 * @param expiresAt The time that was sent, undefined or null for never.
 * @throws ApiError INVALID_REQUEST, CLOCK_OFF
 */
export function checkExpiry(expiresAt: number | null | undefined, clock: NodeClock): number {
  if (expiresAt == null) return 0;
  if (clock.isOff) throw new ApiError('CLOCK_OFF');
  if (expiresAt > clock.now()) return expiresAt;
  throw invalid('expiresAt', 'future', 'expiresAt must be in the future.');
}
