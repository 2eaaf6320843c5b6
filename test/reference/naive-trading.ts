import {
  CancelCondition,
  type CancelOrder,
  type CancelOrders,
  CommandKind,
  type OrderSelection,
  type PlaceOrder,
  type PlaceStopOrder,
} from '../../src/engine/command.ts';
import {
  MAX_ICEBERG_PARTS,
  MAX_OPEN_ORDERS_PER_ACCOUNT,
  MAX_ORDERS_BEYOND_BUDGET,
  MAX_UNITS,
} from '../../src/engine/limits.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import {
  MarketStatus,
  OrderReason,
  OrderStatus,
  OrderType,
  TimeInForce,
} from '../../src/engine/terms.ts';
import { reject } from './naive-administration.ts';
import { checkClientOrderId, remember } from './naive-client-orders.ts';
import { end, execute } from './naive-matching.ts';
import { findOwner } from './naive-owners.ts';
import { cancelSelected } from './naive-portions.ts';
import { isRestricted, type NaiveMarket, type NaiveOrder, type NaiveState } from './naive-state.ts';
import { validateStop, worstPrice } from './naive-stops.ts';
import {
  BUY,
  collared,
  hasLimit,
  inBase,
  isStop,
  reaches,
  readPrice,
  SELL,
  worth,
} from './naive-values.ts';

export type NaiveTradeOutcome =
  | Rejection
  | { readonly kind: 'order'; readonly order: NaiveOrder }
  | {
      readonly kind: 'orders';
      readonly orders: readonly NaiveOrder[];
      readonly sweep?: number;
      readonly left?: number;
    }
  | { readonly kind: 'oco'; readonly orders: readonly NaiveOrder[] }
  | { readonly kind: 'repeated'; readonly orderId: number };

export function place(state: NaiveState, command: PlaceOrder | PlaceStopOrder): NaiveTradeOutcome {
  const market = state.markets[command.market];
  if (market === undefined) return reject(RejectionCode.unknownMarket);
  const { account, clientOrderId } = command;
  const terms = orderTerms(command);
  const repeated = checkClientOrderId(state, command, terms);
  if (repeated !== undefined) return repeated;
  const rejection =
    validateFunds(state, market, command) ??
    (command.kind === CommandKind.placeStopOrder
      ? validateStop(state, market, command)
      : (validateBounds(state, market, command) ?? validateMarketState(state, market, command)));
  if (rejection !== undefined) return typeof rejection === 'number' ? reject(rejection) : rejection;
  const orderId = state.nextOrderId++;
  remember(state, account, clientOrderId, orderId, terms);
  return { kind: 'order', order: execute(state, market, command, orderId) };
}

export function orderTerms(command: PlaceOrder | PlaceStopOrder): string {
  const { market, side, type, timeInForce, postOnly, selfTradePrevention } = command;
  const { price, amount, cost, expiresAt } = command;
  const terms = [market, side, type, timeInForce, postOnly, selfTradePrevention];
  const trigger = 'triggerPrice' in command ? command.triggerPrice : 0;
  const trailing = 'trailing' in command ? Object.values(command.trailing!) : [];
  const special = [command.displayAmount ?? '', ...trailing];
  return [...terms, price, amount, cost, expiresAt, trigger, ...special].join(' ');
}

export function cancel(state: NaiveState, command: CancelOrder): NaiveTradeOutcome {
  const order = state.open.find((each) => each.id === command.orderId);
  if (order?.account !== command.account) return reject(RejectionCode.orderNotOpen);
  const isUnfilled = order.remaining === order.amount;
  if (command.onlyIf === CancelCondition.unfilled && !isUnfilled) {
    return reject(RejectionCode.cancelRestricted);
  }
  if (command.onlyIf === CancelCondition.partiallyFilled && isUnfilled) {
    return reject(RejectionCode.cancelRestricted);
  }
  return { kind: 'order', order: end(state, order, OrderStatus.canceled, OrderReason.requested) };
}

export function cancelOrders(state: NaiveState, command: CancelOrders): NaiveTradeOutcome {
  const { account } = command;
  if (state.version >= 2) return cancelSelected(state, account, command, OrderReason.requested);
  const chosen = selected(state, account, command);
  const orders = endEach(state, chosen, OrderReason.requested);
  return { kind: 'orders', orders };
}

/** Cancels orders one by one with their bracket legs and the other leg of an OCO order. */
export function endEach(
  state: NaiveState,
  orders: readonly NaiveOrder[],
  reason: number,
): NaiveOrder[] {
  return orders.flatMap((order) => {
    if (!state.open.includes(order)) return [];
    if (order.attached?.firstOrderId === undefined) order.attached = null;
    else state.dropped.add(order.id);
    const other = state.ocoOrders
      .find((legs) => legs.includes(order))
      ?.find((each) => each !== order);
    const ended = end(state, order, OrderStatus.canceled, reason);
    return other === undefined ? [ended] : [ended, { ...other }];
  });
}

/** Returns the open orders of an account that match a selection, the oldest first. */
export function selected(
  state: NaiveState,
  account: number,
  { market, orderIds, clientOrderId }: OrderSelection,
): NaiveOrder[] {
  return state.open
    .filter((order) => order.account === account)
    .filter((order) => market === -1 || order.market === market)
    .filter((order) => orderIds?.includes(order.id) ?? true)
    .filter((order) => clientOrderId === null || order.clientOrderId === clientOrderId)
    .sort((a, b) => a.id - b.id);
}

export function validateFunds(
  state: NaiveState,
  market: NaiveMarket,
  command: PlaceOrder | PlaceStopOrder,
): Rejection | undefined {
  const asset = command.side === BUY ? market.quote.index : market.base.index;
  const required = requiredFunds(state, market, command);
  const available = state.available(command.account, asset);
  const code = RejectionCode.insufficientBalance;
  return required > available ? { kind: 'rejected', code, required, available, asset } : undefined;
}

/**
 * Returns the required funds: for a limit order its maximum cost; for a market buy its current cost
 * in the book without own orders. If the account cannot pay or the amount exceeds the maximum, only
 * `MAX_ORDERS_BEYOND_BUDGET` further orders are counted.
 */
function requiredFunds(
  state: NaiveState,
  market: NaiveMarket,
  command: PlaceOrder | PlaceStopOrder,
): bigint {
  if (command.side === SELL && command.cost > 0) {
    // The part that it would sell at the best price.
    const best = state.side(market.index, BUY)[0];
    if (best === undefined) return 0n;
    const { step } = market.rules;
    const steps = BigInt(command.cost) / worth(market, best.price, step);
    const amount = steps * BigInt(step);
    const most = BigInt(MAX_UNITS) - (BigInt(MAX_UNITS) % BigInt(step));
    return inBase(market, amount < most ? Number(amount) : Number(most));
  }
  if (command.side === SELL) return inBase(market, command.amount);
  if (command.kind === CommandKind.placeStopOrder) {
    return worth(market, worstPrice(market, command), command.amount);
  }
  if (command.type === OrderType.limit) return worth(market, command.price, command.amount);
  if (command.cost > 0) return BigInt(command.cost);
  let missing = command.amount;
  let cost = 0n;
  let counted = 0;
  const available = state.available(command.account, market.quote.index);
  const isTooMuch = command.amount > market.rules.maxAmount;
  for (const maker of state.side(market.index, SELL)) {
    const limit = collared(market, BUY, readPrice(market));
    if (market.rules.collar > 0 && maker.price > limit) break;
    const isBeyond = isTooMuch || cost > available;
    if (isBeyond && counted++ === MAX_ORDERS_BEYOND_BUDGET) break;
    if (findOwner(state, maker.account) === findOwner(state, command.account)) continue;
    const taken = Math.min(missing, maker.remaining);
    cost += worth(market, maker.price, taken);
    missing -= taken;
  }
  return cost;
}

export function validateBounds(
  state: NaiveState,
  market: NaiveMarket,
  command: PlaceOrder,
): RejectionCode | undefined {
  const { rules } = market;
  const { type, price, amount, cost, side } = command;
  if (cost > 0) return cost < rules.minNotional ? RejectionCode.minNotional : undefined;
  if (amount < rules.minAmount || amount > rules.maxAmount || amount % rules.step !== 0) {
    return RejectionCode.amountOutOfBounds;
  }
  if (!fitsDisplay(market, command.displayAmount, amount)) return RejectionCode.displayOutOfBounds;
  if (type === OrderType.market) {
    const best = state.side(market.index, side === BUY ? SELL : BUY)[0];
    const isSmall = best !== undefined && worth(market, best.price, amount) < rules.minNotional;
    return isSmall ? RejectionCode.minNotional : undefined;
  }
  if (price < rules.minPrice || price > rules.maxPrice || price % rules.tick !== 0) {
    return RejectionCode.priceOutOfBounds;
  }
  return worth(market, price, amount) < rules.minNotional ? RejectionCode.minNotional : undefined;
}

/** Returns whether an order of this amount may show no more than `displayAmount`. */
export function fitsDisplay(
  { rules }: NaiveMarket,
  displayAmount: number | undefined,
  amount: number,
): boolean {
  if (displayAmount === undefined) return true;
  const fits = displayAmount >= rules.minAmount && displayAmount % rules.step === 0;
  return fits && displayAmount <= amount && amount <= displayAmount * MAX_ICEBERG_PARTS;
}

/** Returns whether the status of the market accepts the order. */
export function acceptsOrder(
  state: NaiveState,
  { status }: NaiveMarket,
  { postOnly, timeInForce, type }: Pick<PlaceOrder, 'postOnly' | 'timeInForce' | 'type'>,
): boolean {
  if (isRestricted(state)) return false;
  if (status === MarketStatus.auction) {
    const rests = timeInForce !== TimeInForce.ioc && timeInForce !== TimeInForce.fok;
    return isStop(type) || (type === OrderType.limit && rests);
  }
  return (
    status === MarketStatus.online ||
    (status === MarketStatus.postOnly && postOnly) ||
    (status === MarketStatus.limitOnly && hasLimit(type))
  );
}

export function validateMarketState(
  state: NaiveState,
  market: NaiveMarket,
  command: PlaceOrder,
): RejectionCode | undefined {
  const { account, type, side, price, postOnly, timeInForce, expiresAt } = command;
  if (!acceptsOrder(state, market, command)) return RejectionCode.marketUnavailable;
  if (timeInForce === TimeInForce.gtd && expiresAt <= state.time) return RejectionCode.expiryPassed;
  const others = state.side(market.index, side === BUY ? SELL : BUY);
  if (type === OrderType.market && others.length === 0) return RejectionCode.noLiquidity;
  const isCall = market.status === MarketStatus.auction;
  if (postOnly && !isCall && others.some((maker) => reaches(side, price, maker.price))) {
    return RejectionCode.postOnlyWouldTake;
  }
  const open = state.open.filter((order) => order.account === account).length;
  const mayRest = timeInForce === TimeInForce.gtc || timeInForce === TimeInForce.gtd;
  return mayRest && open >= MAX_OPEN_ORDERS_PER_ACCOUNT
    ? RejectionCode.tooManyOpenOrders
    : undefined;
}
