import type { AmendOrder, Trailing } from '../../src/engine/command.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import { EntryType, MarketStatus, OrderReason, OrderType } from '../../src/engine/terms.ts';
import { reject } from './naive-administration.ts';
import { held, heldPrice } from './naive-matching.ts';
import type { NaiveMarket, NaiveOrder, NaiveState } from './naive-state.ts';
import { isReached } from './naive-stops.ts';
import { acceptsOrder, fitsDisplay, type NaiveTradeOutcome } from './naive-trading.ts';
import {
  isPossible,
  setBest,
  startsAt,
  trailedTrigger,
  validateTrailing,
} from './naive-trailing.ts';
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
  const trail = amendTrail(state, market, order, command);
  const triggerPrice = trail?.triggerPrice ?? (command.triggerPrice || order.triggerPrice);
  const hasNewTrigger = trail !== undefined || triggerPrice !== order.triggerPrice;
  const displayAmount = command.displayAmount ?? order.displayAmount;
  const shown = displayAmount === undefined ? {} : { displayAmount };
  if (state.triggered.includes(order)) return reject(RejectionCode.notAmendable);
  const unfit = rejectSpecialChange(state, order, command);
  if (unfit !== undefined) return unfit;
  if (legs !== undefined && amount !== order.amount) return reject(RejectionCode.notAmendable);
  if (command.price !== 0 && !hasLimit(order.type)) return reject(RejectionCode.takesNoPrice);
  if (hasNewTrigger && !state.stops.includes(order)) return reject(RejectionCode.noPendingTrigger);
  const isShownAlike = displayAmount === order.displayAmount;
  if (price === order.price && amount === order.amount && !hasNewTrigger && isShownAlike) {
    return { kind: 'order', order };
  }

  const before = heldPrice(state, order);
  const after = hasLimit(order.type)
    ? price
    : hasNewTrigger
      ? collared(market, order.side, trail?.holdTrigger ?? triggerPrice)
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
  const changed = { ...order, price, triggerPrice, amount, ...shown };
  const rejection =
    (trail === undefined ? undefined : validateTrail(market, order, trail)) ??
    validateOrder(state, market, order, changed, trail);
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
  Object.assign(order, { price, triggerPrice, amount, remaining: amount, updatedAt }, shown);
  if (trail !== undefined) {
    order.trailing = trail.trailing;
    setBest(state, order, trail.best);
  }
  order.reason = OrderReason.amended;
  if (state.stops.includes(order)) state.worstPrices.set(order.id, after);
  else state.rest(order);
  return { kind: 'order', order: state.report(order) };
}

function validateOrder(
  state: NaiveState,
  market: NaiveMarket,
  order: NaiveOrder,
  changed: NaiveOrder,
  trail: AmendedTrail | undefined,
): RejectionCode | undefined {
  const { rules } = market;
  const { price, triggerPrice, amount, displayAmount } = changed;
  const hasNewTrigger = trail !== undefined || triggerPrice !== order.triggerPrice;
  const isTrailing = order.trailing !== undefined;
  const fitsBook = (each: number) =>
    each >= rules.minPrice && each <= rules.maxPrice && each % rules.tick === 0;
  if (amount !== order.amount) {
    const isWithin = amount >= rules.minAmount && amount <= rules.maxAmount;
    if (!isWithin || amount % rules.step !== 0) return RejectionCode.amountOutOfBounds;
  }
  if (price !== order.price && !fitsBook(price)) return RejectionCode.priceOutOfBounds;
  if (displayAmount !== order.displayAmount && !fitsDisplay(market, displayAmount, amount)) {
    return RejectionCode.displayOutOfBounds;
  }
  if (hasNewTrigger && !isTrailing && !fitsBook(triggerPrice)) {
    return RejectionCode.triggerOutOfBounds;
  }
  const waiting = isTrailing
    ? trailedTrigger(order.side, order.trailing!.activationPrice, order.trailing!)
    : 0;
  const trigger = trail?.holdTrigger ?? (triggerPrice || waiting);
  const value = worth(market, hasLimit(order.type) ? price : trigger, amount);
  if (value < rules.minNotional) return RejectionCode.minNotional;
  if (amount < order.amount && price === order.price && !hasNewTrigger) return undefined;
  if (!acceptsOrder(state, market, order)) return RejectionCode.marketUnavailable;
  const hasTrigger = hasNewTrigger && triggerPrice !== 0;
  if (hasTrigger && isReached(changed, readPrice(market))) return RejectionCode.triggerCrossed;
  const others = state.side(order.market, order.side === BUY ? SELL : BUY);
  const takes = others.some((maker) => reaches(order.side, price, maker.price));
  const isCall = market.status === MarketStatus.auction;
  return state.orders.includes(order) && takes && !isCall
    ? RejectionCode.postOnlyWouldTake
    : undefined;
}

/** A trailing stop with the terms that an amendment gives it. */
interface AmendedTrail {
  readonly trailing: Trailing;
  readonly best: number;
  readonly triggerPrice: number;
  readonly holdTrigger: number;
}

function amendTrail(
  state: NaiveState,
  market: NaiveMarket,
  order: NaiveOrder,
  { trailing: change }: AmendOrder,
): AmendedTrail | undefined {
  const { trailing: old, side } = order;
  if (change === undefined || old === undefined) return undefined;
  const { amount, basisPoints } = change.amount + change.basisPoints > 0 ? change : old;
  const activationPrice = change.activationPrice || old.activationPrice;
  const trailing = { amount, basisPoints, activationPrice };
  if (Bun.deepEquals(trailing, old)) return undefined;
  const last = readPrice(market);
  const best = state.best.get(order.id) || (startsAt(side, trailing, last) ? last : 0);
  const holdTrigger = trailedTrigger(side, best || activationPrice, trailing);
  return { trailing, best, triggerPrice: best === 0 ? 0 : holdTrigger, holdTrigger };
}

function validateTrail(
  market: NaiveMarket,
  { side }: NaiveOrder,
  { trailing, holdTrigger }: AmendedTrail,
): RejectionCode | undefined {
  const code = validateTrailing(market, side, trailing);
  return code ?? (isPossible(holdTrigger) ? undefined : RejectionCode.trailingOutOfBounds);
}

/** Rejects changes that only a trailing stop or an iceberg takes, and those that a trailing stop does not. */
export function rejectSpecialChange(
  state: NaiveState,
  order: NaiveOrder,
  { trailing, triggerPrice, displayAmount }: AmendOrder,
): Rejection | undefined {
  const activationPrice = trailing?.activationPrice ?? 0;
  const isOld = activationPrice === 0 || activationPrice === order.trailing?.activationPrice;
  const hasStarted = (state.best.get(order.id) ?? 0) !== 0;
  const isUnfit =
    order.trailing === undefined
      ? trailing !== undefined
      : triggerPrice !== 0 || (hasStarted && !isOld);
  const isNoIceberg = displayAmount !== undefined && order.type !== OrderType.limit;
  return isUnfit || isNoIceberg ? reject(RejectionCode.notAmendable) : undefined;
}
