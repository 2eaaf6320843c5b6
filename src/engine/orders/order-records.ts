import type { Fills, OrderDetails } from '../book/order-details.ts';
import type { OrderStore } from '../book/order-store.ts';
import type { Attached, Trailing } from '../command.ts';
import type { OrderRecord } from '../event.ts';
import type { Side } from '../terms.ts';
import { type BracketStore, type LinkedOrders, setOtherLeg } from './contingent/bracket-store.ts';
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
  const otherId = hasAttachments ? attachments.otherLeg(slot) : 0;
  if (otherId === 0 && !details.isSpecial(slot)) return order;
  return withRareTerms(
    order,
    details.isIceberg(slot) ? details.displayAmount(slot) : undefined,
    details.isTrailing(slot) ? details.trail(slot).terms : undefined,
    otherId === 0 ? undefined : otherId,
  );
}

/** Returns a record with the terms that few orders have. */
export function withRareTerms(
  order: OrderRecord,
  displayAmount: number | undefined,
  trailing: Trailing | undefined,
  ocoId: number | undefined,
): OrderRecord {
  if (displayAmount === undefined && trailing === undefined && ocoId === undefined) return order;
  return {
    ...order,
    ...(displayAmount !== undefined && { displayAmount }),
    ...(trailing !== undefined && { trailing }),
    ...(ocoId !== undefined && { ocoId }),
  };
}

/** The parts of the state that connect orders. */
interface LinkedState extends LinkedOrders {
  attach(slot: number, attached: Attached): void;
  setParent(slot: number, parentId: number): void;
}

/** Connects an open order with others, as a record of it says. */
export function addLinks(
  state: LinkedState,
  slot: number,
  { attached, parentId, ocoId }: Pick<OrderRecord, 'attached' | 'parentId' | 'ocoId'>,
): void {
  if (attached !== null) state.attach(slot, attached);
  if (parentId !== 0) state.setParent(slot, parentId);
  if (ocoId !== undefined) setOtherLeg(state, slot, ocoId);
}
