import type { NodeClock } from '../../monitoring/clock.ts';
import { ApiError } from '../http/errors.ts';

/**
 * Rejects what is to expire at a time while the node's clock is off: it would end too early or too late.
 * @param expiresAt 0 for never.
 * @throws ApiError CLOCK_OFF
 */
export function checkClock(expiresAt: number, clock: NodeClock): void {
  if (expiresAt !== 0 && clock.isOff) throw new ApiError('CLOCK_OFF');
}
