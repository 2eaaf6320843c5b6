import type { NodeClock } from '../../monitoring/clock.ts';
import { AddressList } from '../http/request/client-address.ts';
import { invalid } from '../http/request/query.ts';
import { checkClock } from '../orders/clock-check.ts';

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

/** Returns a valid expiry. @param expiresAt 0 for never. @throws ApiError INVALID_REQUEST, CLOCK_OFF */
export function checkExpiry(expiresAt: number, clock: NodeClock): number {
  checkClock(expiresAt, clock);
  if (expiresAt === 0 || expiresAt > clock.now()) return expiresAt;
  throw invalid('expiresAt', 'future', 'expiresAt must be in the future.');
}
