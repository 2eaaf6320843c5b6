import type { OrderRecord } from '../../event.ts';
import { OrderReason, OrderStatus } from '../../terms.ts';
import { bracketLegs, type Leg } from '../order-terms.ts';
import type { LegOrigin } from './legs.ts';

/**
 * Returns the legs that a bracket order has not activated, as open orders under the ids that are reserved for them: none
 * for an order of engine version 1. Unless they have an amount of their own, they are for that of their order.
 */
export function listPendingLegs(parent: OrderRecord): OrderRecord[] {
  const { id: parentId, attached, createdAt } = parent;
  if (attached === null || attached.firstOrderId === undefined) return [];
  const first = attached.firstOrderId;
  return bracketLegs(parent, attached, parent.amount).map((leg, place) =>
    legRecord(leg, first + place, { parentId, createdAt }),
  );
}

/** Returns the record of a leg that was accepted with its bracket order, before it is activated. */
export function legRecord(leg: Leg, id: number, { parentId, createdAt }: LegOrigin): OrderRecord {
  const { account, key, market, side, type, timeInForce, postOnly, selfTradePrevention } = leg;
  const trailing = 'trailing' in leg ? leg.trailing : undefined;
  return {
    kind: 'order',
    id,
    account,
    key,
    market,
    side,
    type,
    timeInForce,
    postOnly,
    selfTradePrevention,
    price: leg.price,
    triggerPrice: 'triggerPrice' in leg ? leg.triggerPrice : 0,
    amount: leg.amount,
    remaining: leg.amount,
    cost: 0,
    filledCost: 0,
    fees: 0,
    status: OrderStatus.open,
    reason: OrderReason.none,
    clientOrderId: null,
    createdAt,
    updatedAt: createdAt,
    lastFillAt: 0,
    expiresAt: 0,
    attached: null,
    parentId,
    ...(trailing === undefined ? {} : { trailing }),
  };
}
