import type { NodeClock } from '../clock.ts';
import type { PlaceOrder } from '../engine/command.ts';
import type { Exchange } from '../engine/exchange.ts';
import { ApiError } from './errors.ts';

/**
 * Rejects what is to expire at a time while the node's clock is off: it would end too early or too late.
 * @param expiresAt 0 for never.
 * @throws ApiError CLOCK_OFF
 */
export function checkClock(expiresAt: number, clock: NodeClock): void {
  if (expiresAt !== 0 && clock.isOff) throw new ApiError('CLOCK_OFF');
}

/**
 * As `checkClock`, for an order or OCO order. One whose client order id is known passes: the engine answers with the
 * order that has it, or that the terms differ, and places nothing.
 */
export function checkOrderClock(
  {
    account,
    clientOrderId,
    expiresAt,
  }: Pick<PlaceOrder, 'account' | 'clientOrderId' | 'expiresAt'>,
  { state }: Exchange,
  clock: NodeClock,
): void {
  const isKnown =
    clientOrderId !== null && state.accounts[account]!.clientOrders.has(clientOrderId);
  if (!isKnown) checkClock(expiresAt, clock);
}
