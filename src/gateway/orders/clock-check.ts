import type { NodeClock } from '../../monitoring/clock.ts';
import { ApiError } from '../http/response/errors.ts';

/**
 * Rejects an expiry while the node's clock is off, because it would take effect too early or too late.
 * @param expiresAt 0 for never.
 * @throws ApiError CLOCK_OFF
 */
export function checkClock(expiresAt: number, clock: NodeClock): void {
  if (expiresAt !== 0 && clock.isOff) throw new ApiError('CLOCK_OFF');
}
