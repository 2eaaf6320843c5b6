import type { PlaceOrder } from '../../command.ts';
import type { OrderRecord } from '../../event.ts';
import { hold, releaseHold } from '../../ledger/holds.ts';
import type { Market } from '../../markets/markets.ts';
import type { State } from '../../state.ts';
import { OrderReason, OrderStatus, oppositeSide, type Side, TimeInForce } from '../../terms.ts';
import { reduceInBook } from '../matching/icebergs.ts';
import { hasLimit, isBeyond } from '../order-terms.ts';

/** Ends an open order and the other leg of its OCO order. */
export function endOrder(state: State, slot: number, status: number, reason: number): OrderRecord {
  const link = state.links.get(slot);
  if (link === undefined) return finish(state, slot, status, reason, true);
  state.unlinkOco(slot);
  const order = finish(state, slot, status, reason, link.holds);
  finish(state, link.other, status, reason, !link.holds);
  return order;
}

/**
 * Called when an order starts to trade or is reduced: cancels the other leg of its OCO order and
 * moves the hold to this one.
 */
export function settleLink(state: State, slot: number): void {
  const link = state.links.get(slot);
  if (link === undefined) return;
  state.unlinkOco(slot);
  finish(state, link.other, OrderStatus.canceled, OrderReason.linked, !link.holds);
  if (link.holds) return;
  const { orders, details } = state;
  const account = state.accounts[orders.account(slot)]!;
  const market = state.markets[details.market(slot)]!;
  const [side, price] = [orders.side[slot] as Side, orders.price(slot)];
  hold(state, account, side, market, price, state.remaining(slot), details.id(slot));
}

/** Removes an open order from everything, and releases its hold if it `holds`. */
function finish(
  state: State,
  slot: number,
  status: number,
  reason: number,
  holds: boolean,
): OrderRecord {
  const remaining = state.remaining(slot);
  state.excludeOrder(slot);
  state.details.change(slot, OrderReason.none, state.time);
  if (holds) releaseHold(state, slot, remaining);
  state.removeOrder(slot);
  const order: { -readonly [Field in keyof OrderRecord]: OrderRecord[Field] } = state.record(
    slot,
    remaining,
    status,
  );
  // The slot has four bits for a reason, enough for those that open orders have.
  order.reason = reason;
  state.events.push(order);
  state.unlink(slot);
  return order;
}

/** Lowers an open order's amount; if nothing remains it ends with `endStatus`. */
export function reduceOrder(
  state: State,
  slot: number,
  quantity: number,
  reason: number,
  endStatus: number,
): OrderRecord {
  const { orders, details, events } = state;
  settleLink(state, slot);
  const market = state.markets[details.market(slot)]!;
  const before = state.remaining(slot);
  state.excludeOrder(slot);
  details.reduceAmount(slot, quantity);
  details.change(slot, reason, state.time);
  releaseHold(state, slot, quantity);
  if (quantity === before) {
    state.removeFromBook(slot, market);
    const order = state.record(slot, 0, endStatus);
    events.push(order);
    state.unlink(slot);
    return order;
  }
  state.noteBookChange(market);
  reduceInBook(state, slot, market, quantity);
  state.includeOrder(slot, orders.remaining(slot));
  const order = state.record(slot, before - quantity, OrderStatus.open);
  events.push(order);
  return order;
}

/**
 * Returns whether only the price bands have stopped a taker, which halts the market: fill-or-kill orders do not.
 * @param best The best price on the other side. @param limit The worst price within the taker's own terms.
 * @param reach The worst price within the bands too.
 */
export function isStoppedByBands(
  { side, timeInForce }: PlaceOrder,
  best: number | undefined,
  limit: number,
  reach: number,
): boolean {
  if (best === undefined || timeInForce === TimeInForce.fok) return false;
  return !isBeyond(side, best, limit) && isBeyond(side, best, reach);
}

/**
 * Returns why the remaining quantity of a taker that does not rest expires, if it may trade up to
 * `limit`.
 */
export function expireReason(taker: PlaceOrder, market: Market, limit: number): number {
  return expireReasonAt(taker, market.book.bestPrice(oppositeSide(taker.side)), limit);
}

/** Returns the same if the best price on the other side is `best`. */
export function expireReasonAt(taker: PlaceOrder, best: number | undefined, limit: number): number {
  if (hasLimit(taker.type) || taker.timeInForce === TimeInForce.fok) {
    return OrderReason.timeInForce;
  }
  if (best === undefined) return OrderReason.timeInForce;
  return isBeyond(taker.side, best, limit) ? OrderReason.collar : OrderReason.timeInForce;
}
