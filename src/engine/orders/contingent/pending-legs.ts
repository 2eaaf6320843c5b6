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
  return legRecords(bracketLegs(parent, attached, parent.amount), first, { parentId, createdAt });
}

/**
 * Returns the records of legs that were accepted with their bracket order, before they are activated.
 * @param firstOrderId Reserved for the first of them.
 */
export function legRecords(
  legs: readonly Leg[],
  firstOrderId: number,
  origin: LegOrigin,
): OrderRecord[] {
  return legs.map((leg, place) => {
    const record = legRecord(leg, firstOrderId + place, origin);
    return legs.length === 1 ? record : { ...record, ocoId: firstOrderId + 1 - place };
  });
}

/** Returns the record of a leg without the other leg of its OCO order. */
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
