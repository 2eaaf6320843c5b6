import type { Fills, OrderDetails } from '../book/order-details.ts';
import type { OrderStore } from '../book/order-store.ts';
import type { OrderRecord } from '../event.ts';
import type { Side } from '../terms.ts';
import type { BracketStore } from './contingent/bracket-store.ts';
import { hasLimit } from './order-terms.ts';

interface OpenOrders {
  readonly orders: OrderStore;
  readonly details: OrderDetails;
  readonly attachments: BracketStore;
}

/** Returns the order in `slot` as a record with the given remaining quantity, status and fills. */
export function toRecord(
  { orders, details, attachments }: OpenOrders,
  slot: number,
  remaining: number,
  status: number,
  filled: Fills,
): OrderRecord {
  const hasAttachments = attachments.size > 0;
  const order: OrderRecord = {
    kind: 'order',
    id: details.id(slot),
    account: orders.account(slot),
    key: details.key(slot),
    market: details.market(slot),
    side: orders.side[slot] as Side,
    type: details.type(slot),
    timeInForce: details.timeInForce(slot),
    postOnly: details.postOnly(slot),
    selfTradePrevention: details.selfTradePrevention(slot),
    price: hasLimit(details.type(slot)) ? orders.price(slot) : 0,
    triggerPrice: details.triggerPrice(slot),
    amount: details.amount(slot),
    remaining,
    cost: 0,
    filledCost: filled.cost,
    fees: filled.fees,
    status,
    reason: details.reason(slot),
    clientOrderId: details.clientOrderId(slot),
    createdAt: details.createdAt(slot),
    updatedAt: details.updatedAt(slot),
    lastFillAt: details.lastFillAt(slot),
    expiresAt: details.expiresAt(slot),
    attached: hasAttachments ? attachments.get(slot) : null,
    parentId: hasAttachments ? attachments.parent(slot) : 0,
  };
  return details.isSpecial(slot) ? withSpecialTerms(order, details, slot) : order;
}

function withSpecialTerms(order: OrderRecord, details: OrderDetails, slot: number): OrderRecord {
  return details.isTrailing(slot)
    ? { ...order, trailing: details.trail(slot).terms }
    : { ...order, displayAmount: details.displayAmount(slot) };
}
