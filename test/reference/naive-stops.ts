import type { PlaceStopOrder } from '../../src/engine/command.ts';
import {
  MAX_OPEN_ORDERS_PER_ACCOUNT,
  MAX_TRIGGERED_AT_ONCE,
  PORTION,
} from '../../src/engine/limits.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import {
  EntryType,
  MarketStatus,
  OrderReason,
  OrderStatus,
  OrderType,
  TimeInForce,
} from '../../src/engine/terms.ts';
import { activateBrackets } from './naive-brackets.ts';
import { held, run, settleOco } from './naive-matching.ts';
import type { NaiveMarket, NaiveOrder, NaiveState } from './naive-state.ts';
import { acceptsOrder } from './naive-trading.ts';
import { firstTrigger, startTrailing, validateTrailing } from './naive-trailing.ts';
import {
  BUY,
  collared,
  hasLimit,
  isStop,
  reaches,
  readPrice,
  SELL,
  worth,
} from './naive-values.ts';

/**
 * Returns whether `last` reaches the trigger. Stop buys and take-profit sells trigger on a rise,
 * the others on a fall.
 */
export function isReached(order: Pick<NaiveOrder, 'type' | 'side' | 'triggerPrice'>, last: number) {
  return triggersOnRise(order) ? last >= order.triggerPrice : last <= order.triggerPrice;
}

export function triggersOnRise({ type, side }: Pick<NaiveOrder, 'type' | 'side'>): boolean {
  const isStopLoss =
    type === OrderType.stop || type === OrderType.stopLimit || type === OrderType.trailingStop;
  return side === (isStopLoss ? BUY : SELL);
}

/** Returns the price on which the hold of a stop buy is based. */
export function worstPrice(market: NaiveMarket, command: PlaceStopOrder): number {
  return hasLimit(command.type)
    ? command.price
    : collared(market, command.side, firstTrigger(market, command));
}

export function validateStop(
  state: NaiveState,
  market: NaiveMarket,
  command: PlaceStopOrder,
): RejectionCode | undefined {
  return validateStopBounds(market, command) ?? validateStopMarketState(state, market, command);
}

export function validateStopBounds(
  market: NaiveMarket,
  command: PlaceStopOrder,
): RejectionCode | undefined {
  const { rules } = market;
  const { type, amount, price, triggerPrice, trailing, side } = command;
  if (amount < rules.minAmount || amount > rules.maxAmount || amount % rules.step !== 0) {
    return RejectionCode.amountOutOfBounds;
  }
  const fits = (each: number) =>
    each >= rules.minPrice && each <= rules.maxPrice && each % rules.tick === 0;
  if (hasLimit(type) && !fits(price)) return RejectionCode.priceOutOfBounds;
  if (trailing !== undefined) {
    const code = validateTrailing(market, side, trailing);
    if (code !== undefined) return code;
  } else if (!fits(triggerPrice)) return RejectionCode.triggerOutOfBounds;
  const value = worth(market, hasLimit(type) ? price : firstTrigger(market, command), amount);
  return value < rules.minNotional ? RejectionCode.minNotional : undefined;
}

export function validateStopMarketState(
  state: NaiveState,
  market: NaiveMarket,
  command: PlaceStopOrder,
): RejectionCode | undefined {
  const { account, timeInForce, expiresAt } = command;
  if (!acceptsOrder(state, market, command)) return RejectionCode.marketUnavailable;
  if (timeInForce === TimeInForce.gtd && expiresAt <= state.time) return RejectionCode.expiryPassed;
  const isTrailing = command.trailing !== undefined;
  if (!isTrailing && isReached(command, readPrice(market))) return RejectionCode.triggerCrossed;
  const open = state.open.filter((order) => order.account === account).length;
  return open >= MAX_OPEN_ORDERS_PER_ACCOUNT ? RejectionCode.tooManyOpenOrders : undefined;
}

export function addPending(
  state: NaiveState,
  market: NaiveMarket,
  order: NaiveOrder,
  worst: number,
) {
  state.worstPrices.set(order.id, worst);
  startTrailing(state, market, order);
  state.stops.push(order);
  const hold = held(market, { ...order, price: worst }, order.remaining);
  state.post(order.account, hold.asset, EntryType.hold, -hold.amount, order.id);
  return state.report(order);
}

/**
 * Triggers the orders that a trade at `last` reaches: the nearest trigger first, then the oldest
 * order.
 */
export function trigger(state: NaiveState, market: NaiveMarket, last: number): void {
  const reached = state.stops
    .filter(({ market: index, trailing }) => index === market.index && trailing === undefined)
    .filter((order) => isReached(order, last))
    .sort((a, b) => a.id - b.id);
  const rising = reached.filter(triggersOnRise);
  const falling = reached.filter((order) => !triggersOnRise(order));
  rising.sort((a, b) => a.triggerPrice - b.triggerPrice);
  falling.sort((a, b) => b.triggerPrice - a.triggerPrice);
  for (const order of [...rising, ...falling]) {
    state.remove(order);
    state.triggered.push(order);
  }
}

export function runTriggered(state: NaiveState): void {
  if (state.version < 2) state.triggersLeft = MAX_TRIGGERED_AT_ONCE;
  for (; state.triggersLeft > 0; state.triggersLeft--) {
    const isDelisted = ({ market }: NaiveOrder) =>
      state.markets[market]!.status === MarketStatus.delisted;
    const isCall = ({ market }: NaiveOrder) =>
      state.markets[market]!.status === MarketStatus.auction;
    const order = state.triggered.find(
      (each) => !isCall(each) && (!isDelisted(each) || !isStop(each.type)),
    );
    if (order === undefined) return;
    const { nextTradeId } = state;
    state.looked = 0;
    runTriggeredOrder(state, order);
    if (state.version >= 2) {
      const trades = state.nextTradeId - nextTradeId;
      state.triggersLeft -= Math.floor(trades / PORTION.trades);
      state.triggersLeft -= Math.floor(state.looked / PORTION.scanned);
    }
    activateBrackets(state);
  }
}

function runTriggeredOrder(state: NaiveState, order: NaiveOrder): void {
  settleOco(state, order);
  state.remove(order);
  const market = state.markets[order.market]!;
  const worst = state.worstPrices.get(order.id)!;
  const release = held(market, { ...order, price: worst }, order.remaining);
  state.post(order.account, release.asset, EntryType.release, release.amount, order.id);
  order.updatedAt = state.time;
  if (state.version >= 2 && order.triggerPrice !== 0) order.triggeredAt = state.time;
  const others = state.side(order.market, order.side === BUY ? SELL : BUY);
  if (!acceptsOrder(state, market, order)) order.reason = OrderReason.marketUnavailable;
  else if (order.postOnly && others.some(({ price }) => reaches(order.side, order.price, price))) {
    order.reason = OrderReason.postOnlyWouldTake;
  } else if (!hasLimit(order.type) && others.length === 0) order.reason = OrderReason.noLiquidity;
  else {
    run(state, market, order, order.side === BUY ? worst : undefined);
    return;
  }
  order.status = OrderStatus.rejected;
  state.report(order);
}
