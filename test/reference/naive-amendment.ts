import type { AmendOrder } from '../../src/engine/command.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { EntryType, MarketStatus, OrderReason, OrderStatus } from '../../src/engine/terms.ts';
import { reject } from './naive-administration.ts';
import { isBracketOnWrongSide } from './naive-brackets.ts';
import { held, run } from './naive-matching.ts';
import { amendPending, rejectSpecialChange } from './naive-pending-amendment.ts';
import type { NaiveMarket, NaiveOrder, NaiveState } from './naive-state.ts';
import { acceptsOrder, fitsDisplay, type NaiveTradeOutcome } from './naive-trading.ts';
import { BUY, reaches, SELL, worth } from './naive-values.ts';

/**
 * Amends an order: lowering only the amount keeps its place; any other change cancels it and places
 * it again under its id.
 */
export function amend(state: NaiveState, command: AmendOrder): NaiveTradeOutcome {
  const order = state.open.find((each) => each.id === command.orderId);
  if (order?.account !== command.account) return reject(RejectionCode.orderNotOpen);
  if (command.reduceOnly && (command.amount === 0 || command.amount >= order.amount)) {
    return reject(RejectionCode.amountNotReduced);
  }
  const isOcoLeg = state.ocoOrders.some((legs) => legs.includes(order));
  if (isOcoLeg || !state.orders.includes(order)) return amendPending(state, order, command);
  const unfit = rejectSpecialChange(state, order, command);
  if (unfit !== undefined) return unfit;
  if (command.triggerPrice !== 0 && command.triggerPrice !== order.triggerPrice) {
    return reject(RejectionCode.noPendingTrigger);
  }
  const market = state.markets[order.market]!;
  const price = command.price || order.price;
  const amount = command.amount || order.amount;
  const displayAmount = command.displayAmount ?? order.displayAmount;
  const isShownAlike = displayAmount === order.displayAmount;
  if (price === order.price && amount === order.amount && isShownAlike) {
    return { kind: 'order', order };
  }
  const filled = order.amount - order.remaining;
  if (amount < filled) return reject(RejectionCode.amountBelowFilled);

  const remaining = amount - filled;
  const before = held(market, order, order.remaining);
  const after = held(market, { ...order, price }, remaining);
  const { asset } = before;
  const required = after.amount - before.amount;
  const available = state.available(order.account, asset);
  if (required > available) {
    const code = RejectionCode.insufficientBalance;
    return { kind: 'rejected', code, required, available, asset };
  }
  const isReduced = price === order.price && amount < order.amount && isShownAlike;
  const keepsPlace = remaining === 0 || isReduced;
  const shown = displayAmount === undefined ? {} : { displayAmount };
  const changed = { ...order, price, amount, ...shown };
  const code =
    validateBounds(market, order, changed) ??
    (keepsPlace ? undefined : validateMarketState(state, market, changed));
  if (code !== undefined) return reject(code);

  const released = keepsPlace ? held(market, order, order.amount - amount) : before;
  state.post(order.account, asset, EntryType.release, released.amount, order.id);
  order.amount = amount;
  state.lower(order, order.remaining - remaining);
  order.reason = OrderReason.amended;
  order.updatedAt = state.time;
  if (keepsPlace && remaining > 0) return { kind: 'order', order: state.report(order) };
  state.orders.splice(state.orders.indexOf(order), 1);
  if (keepsPlace) {
    order.status = OrderStatus.filled;
    return { kind: 'order', order: state.report(order) };
  }
  Object.assign(order, { price }, shown);
  return { kind: 'order', order: run(state, market, order) };
}

function validateBounds(
  market: NaiveMarket,
  order: NaiveOrder,
  changed: NaiveOrder,
): RejectionCode | undefined {
  const { rules } = market;
  const { price, amount, attached } = changed;
  if (amount !== order.amount) {
    const fits = amount >= rules.minAmount && amount <= rules.maxAmount;
    if (!fits || amount % rules.step !== 0) return RejectionCode.amountOutOfBounds;
  }
  const isMore = changed.displayAmount !== order.displayAmount || amount > order.amount;
  if (isMore && !fitsDisplay(market, changed.displayAmount, amount)) {
    return RejectionCode.displayOutOfBounds;
  }
  if (price !== order.price) {
    const fits = price >= rules.minPrice && price <= rules.maxPrice;
    if (!fits || price % rules.tick !== 0) return RejectionCode.priceOutOfBounds;
    if (attached !== null && isBracketOnWrongSide(market, changed, attached)) {
      return RejectionCode.bracketOnWrongSide;
    }
  }
  return worth(market, price, amount) < rules.minNotional ? RejectionCode.minNotional : undefined;
}

function validateMarketState(
  state: NaiveState,
  market: NaiveMarket,
  { side, price, postOnly, timeInForce, type }: NaiveOrder,
): RejectionCode | undefined {
  if (!acceptsOrder(state, market, { postOnly, timeInForce, type }))
    return RejectionCode.marketUnavailable;
  const others = state.side(market.index, side === BUY ? SELL : BUY);
  const wouldTake = others.some((maker) => reaches(side, price, maker.price));
  const isCall = market.status === MarketStatus.auction;
  return postOnly && wouldTake && !isCall ? RejectionCode.postOnlyWouldTake : undefined;
}
