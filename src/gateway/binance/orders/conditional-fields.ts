import type { OrderRecord } from '../../../engine/event.ts';
import { hasLimit } from '../../../engine/orders/order-terms.ts';
import { OrderReason, OrderStatus, OrderType, TimeInForce } from '../../../engine/terms.ts';
import { PENDING_NEW } from './pending-orders.ts';

/** The values of fields that depend on what has become of an order (rest-api.md, "Conditional fields in Order Responses"). */

/** Returns when an order was first in the order book or matched, milliseconds since 1970; -1 if it never was. */
export function workingTime(order: OrderRecord): number {
  const { type, status, createdAt, triggeredAt, lastFillAt } = order;
  if (status === PENDING_NEW || status === OrderStatus.rejected) return -1;
  if (type < OrderType.stop) return createdAt;
  // Engine version 1 did not record when it triggered an order.
  return triggeredAt ?? (lastFillAt > 0 ? lastFillAt : -1);
}

/**
 * Returns when a trailing stop began to follow the price, milliseconds since 1970; -1 if it has not yet. Undefined if a price
 * activated it, because that time is not recorded.
 */
export function trailingTime({
  trailing,
  triggerPrice,
  createdAt,
}: OrderRecord): number | undefined {
  if (trailing?.activationPrice === 0) return createdAt;
  return triggerPrice === 0 ? -1 : undefined;
}

/** Returns the stop price that a client chose, in price units; 0 for none. The trigger of a trailing stop moves by itself. */
export function stopPrice({ trailing, triggerPrice }: OrderRecord): number {
  return trailing === undefined ? triggerPrice : trailing.activationPrice;
}

/**
 * Returns why an order has expired (user-data-stream.md, "Order Expiry Reason").
 * @param hasWaited Whether it was pending in a list until then. Unless known, an order of a list that is not one of a pair was.
 */
export function expiryReason(
  { status, reason, type, timeInForce, parentId, ocoId }: OrderRecord,
  hasWaited = parentId !== 0 && ocoId === undefined,
): string {
  if (status === OrderStatus.rejected) return 'REJECTED';
  switch (reason) {
    case OrderReason.linked:
      return hasWaited ? 'OTO_PHASE_ONE_EXPIRED' : 'OCO_TRIGGER';
    case OrderReason.collar:
      return 'EXECUTION_RULE_PRICE_RANGE_EXCEEDED';
    case OrderReason.timeInForce:
      if (!hasLimit(type)) return 'INSUFFICIENT_LIQUIDITY';
      return timeInForce === TimeInForce.fok
        ? 'UNFILLED_FOK_ORDER_EXPIRED'
        : 'UNFILLED_IOC_QUANTITY_EXPIRED';
    default:
      return 'EXCHANGE_CANCELED';
  }
}
