import { Permission } from '../../engine/terms.ts';
import type { NodeClock } from '../../monitoring/clock.ts';
import { AddressList } from '../http/request/client-address.ts';
import { invalid } from '../http/request/query.ts';
import { ApiError } from '../http/response/errors.ts';

/** Checks of a new API key's terms, the same for operators and users. */

/**
 * Returns a valid IP allowlist. That of a key that may withdraw has no large range, which would allow almost anyone.
 * @param permissions Sum of Permission values. @throws ApiError INVALID_REQUEST
 */
export function checkAddresses(
  addresses: readonly string[],
  permissions: number,
): readonly string[] {
  let list: AddressList;
  try {
    list = new AddressList(addresses);
  } catch (error) {
    throw invalid('addresses', 'address', (error as Error).message);
  }
  if (list.isBroad && (permissions & Permission.withdraw) !== 0) {
    const message =
      'A key that may withdraw is used from ranges of at most /16 (IPv4) or /32 (IPv6): name the addresses of your servers.';
    throw invalid('addresses', 'range', message);
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
