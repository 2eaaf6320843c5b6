import type { AmendOrder } from '../../src/engine/command.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { EntryType, OrderReason } from '../../src/engine/terms.ts';
import { reject } from './naive-administration.ts';
import { held, heldPrice } from './naive-matching.ts';
import type { NaiveMarket, NaiveOrder, NaiveState } from './naive-state.ts';
import { isReached } from './naive-stops.ts';
import { acceptsOrder, type NaiveTradeOutcome } from './naive-trading.ts';
import { BUY, collared, hasLimit, reaches, readPrice, SELL, worth } from './naive-values.ts';

/** Amends a pending order or a resting leg of an OCO order, which does not trade by it. */
export function amendPending(
  state: NaiveState,
  order: NaiveOrder,
  command: AmendOrder,
): NaiveTradeOutcome {
  const market = state.markets[order.market]!;
  const legs = state.ocoOrders.find((each) => each.includes(order));
  const amount = command.amount || order.amount;
  const price = command.price || order.price;
  const triggerPrice = command.triggerPrice || order.triggerPrice;
  const hasNewTrigger = triggerPrice !== order.triggerPrice;
  if (state.triggered.includes(order)) return reject(RejectionCode.notAmendable);
  if (legs !== undefined && amount !== order.amount) return reject(RejectionCode.notAmendable);
  if (command.price !== 0 && !hasLimit(order.type)) return reject(RejectionCode.takesNoPrice);
  if (hasNewTrigger && !state.stops.includes(order)) return reject(RejectionCode.noPendingTrigger);
  if (price === order.price && amount === order.amount && !hasNewTrigger) {
    return { kind: 'order', order };
  }

  const before = heldPrice(state, order);
  const after = hasLimit(order.type)
    ? price
    : hasNewTrigger
      ? collared(market, order.side, triggerPrice)
      : before;
  const other = legs?.find((each) => each !== order);
  const others = other === undefined ? 0 : heldPrice(state, other);
  const holdingOrder = legs?.[0] ?? order;
  const newHoldingOrder =
    other === undefined || after > others ? order : after < others ? other : holdingOrder;
  const oldHold = held(market, { ...order, price: Math.max(before, others) }, order.amount);
  const newHold = held(market, { ...order, price: Math.max(after, others) }, amount);
  const { asset } = oldHold;
  const required = newHold.amount - oldHold.amount;
  const available = state.available(order.account, asset);
  if (required > available) {
    const code = RejectionCode.insufficientBalance;
    return { kind: 'rejected', code, required, available, asset };
  }
  const changed = { ...order, price, triggerPrice, amount };
  const rejection = validateOrder(state, market, order, changed);
  if (rejection !== undefined) return reject(rejection);

  if (newHoldingOrder !== holdingOrder) {
    state.post(order.account, asset, EntryType.release, oldHold.amount, holdingOrder.id);
    state.post(order.account, asset, EntryType.hold, -newHold.amount, newHoldingOrder.id);
    state.unlinkOco(order);
    state.ocoOrders.push([newHoldingOrder, holdingOrder]);
  } else if (required !== 0n) {
    const type = required > 0n ? EntryType.hold : EntryType.release;
    state.post(order.account, asset, type, -required, holdingOrder.id);
  }
  const updatedAt = state.time;
  Object.assign(order, { price, triggerPrice, amount, remaining: amount, updatedAt });
  order.reason = OrderReason.amended;
  if (state.stops.includes(order)) state.worstPrices.set(order.id, after);
  else state.orders = [...state.orders.filter((each) => each !== order), order];
  return { kind: 'order', order: state.report(order) };
}

function validateOrder(
  state: NaiveState,
  market: NaiveMarket,
  order: NaiveOrder,
  changed: NaiveOrder,
): RejectionCode | undefined {
  const { rules } = market;
  const { price, triggerPrice, amount } = changed;
  const hasNewTrigger = triggerPrice !== order.triggerPrice;
  const fitsBook = (each: number) =>
    each >= rules.minPrice && each <= rules.maxPrice && each % rules.tick === 0;
  if (amount !== order.amount) {
    const isWithin = amount >= rules.minAmount && amount <= rules.maxAmount;
    if (!isWithin || amount % rules.step !== 0) return RejectionCode.amountOutOfBounds;
  }
  if (price !== order.price && !fitsBook(price)) return RejectionCode.priceOutOfBounds;
  if (hasNewTrigger && !fitsBook(triggerPrice)) return RejectionCode.triggerOutOfBounds;
  const value = worth(market, hasLimit(order.type) ? price : triggerPrice, amount);
  if (value < rules.minNotional) return RejectionCode.minNotional;
  if (amount < order.amount && price === order.price && !hasNewTrigger) return undefined;
  if (!acceptsOrder(market, order)) return RejectionCode.marketUnavailable;
  if (hasNewTrigger && isReached(changed, readPrice(market))) return RejectionCode.triggerCrossed;
  const others = state.side(order.market, order.side === BUY ? SELL : BUY);
  const takes = others.some((maker) => reaches(order.side, price, maker.price));
  return state.orders.includes(order) && takes ? RejectionCode.postOnlyWouldTake : undefined;
}
