import type {
  CancelOrder,
  CancelOrders,
  OrderSelection,
  PlaceOrder,
} from '../../src/engine/command.ts';
import {
  CLIENT_ORDER_ID_LIFETIME_MS,
  MAX_OPEN_ORDERS_PER_ACCOUNT,
} from '../../src/engine/limits.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import {
  MarketStatus,
  OrderReason,
  OrderStatus,
  OrderType,
  TimeInForce,
} from '../../src/engine/terms.ts';
import { refuse } from './naive-administration.ts';
import { BUY, end, execute, inBase, reaches, SELL, worth } from './naive-matching.ts';
import type { NaiveMarket, NaiveOrder, NaiveState } from './naive-state.ts';

export type NaiveTradeOutcome =
  | Rejection
  | { readonly kind: 'order'; readonly order: NaiveOrder }
  | { readonly kind: 'orders'; readonly orders: readonly NaiveOrder[] }
  | { readonly kind: 'repeated'; readonly orderId: number };

export function place(state: NaiveState, command: PlaceOrder): NaiveTradeOutcome {
  const market = state.markets[command.market];
  if (market === undefined) return refuse(RejectionCode.unknownMarket);
  const { account, clientOrderId } = command;
  const terms = termsOf(command);
  if (clientOrderId !== null) {
    const known = state.clientOrders.find(
      (each) => each.account === account && each.clientOrderId === clientOrderId,
    );
    if (known !== undefined) {
      return known.terms === terms
        ? { kind: 'repeated', orderId: known.orderId }
        : refuse(RejectionCode.duplicateClientOrderId);
    }
  }
  const refusal =
    shortOfFunds(state, market, command) ??
    outOfBounds(state, market, command) ??
    notAdmitted(state, market, command);
  if (refusal !== undefined) return typeof refusal === 'number' ? refuse(refusal) : refusal;
  const orderId = state.nextOrderId++;
  if (clientOrderId !== null) {
    const forgetAt = state.time + CLIENT_ORDER_ID_LIFETIME_MS;
    state.clientOrders.push({ account, clientOrderId, orderId, terms, forgetAt });
  }
  return { kind: 'order', order: execute(state, market, command, orderId) };
}

function termsOf(command: PlaceOrder): string {
  const { market, side, type, timeInForce, postOnly, selfTradePrevention } = command;
  const { price, amount, cost, expiresAt } = command;
  const words = [market, side, type, timeInForce, postOnly, selfTradePrevention];
  return [...words, price, amount, cost, expiresAt].join(' ');
}

export function cancel(state: NaiveState, command: CancelOrder): NaiveTradeOutcome {
  const order = state.orders.find((each) => each.id === command.orderId);
  if (order?.account !== command.account) return refuse(RejectionCode.orderNotOpen);
  return { kind: 'order', order: end(state, order, OrderStatus.canceled, OrderReason.requested) };
}

export function cancelOrders(state: NaiveState, command: CancelOrders): NaiveTradeOutcome {
  const chosen = selected(state, command.account, command);
  const orders = chosen.map((order) =>
    end(state, order, OrderStatus.canceled, OrderReason.requested),
  );
  return { kind: 'orders', orders };
}

/** An account's open orders that are all of what is asked for, the one placed first before the others. */
export function selected(
  state: NaiveState,
  account: number,
  { market, orderIds, clientOrderId }: OrderSelection,
): NaiveOrder[] {
  return state.orders
    .filter((order) => order.account === account)
    .filter((order) => market === -1 || order.market === market)
    .filter((order) => orderIds?.includes(order.id) ?? true)
    .filter((order) => clientOrderId === null || order.clientOrderId === clientOrderId)
    .sort((a, b) => a.id - b.id);
}

/** A client order id is kept for its time, and on while its order is open. */
export function forgetClientOrders(state: NaiveState): void {
  const kept: typeof state.clientOrders = [];
  const prolonged: typeof state.clientOrders = [];
  for (const each of state.clientOrders) {
    if (each.forgetAt > state.time) kept.push(each);
    else if (state.orders.some((order) => order.id === each.orderId)) {
      each.forgetAt = state.time + CLIENT_ORDER_ID_LIFETIME_MS;
      prolonged.push(each);
    }
  }
  state.clientOrders = [...kept, ...prolonged];
}

function shortOfFunds(
  state: NaiveState,
  market: NaiveMarket,
  command: PlaceOrder,
): Rejection | undefined {
  const asset = command.side === BUY ? market.quote.index : market.base.index;
  const required = need(state, market, command);
  const available = state.available(command.account, asset);
  const code = RejectionCode.insufficientBalance;
  return required > available ? { kind: 'rejected', code, required, available, asset } : undefined;
}

/** A limit order's worst case; of a market buy what the book asks for it now, own orders aside. */
function need(state: NaiveState, market: NaiveMarket, command: PlaceOrder): bigint {
  if (command.side === SELL) return inBase(market, command.amount);
  if (command.type === OrderType.limit) return worth(market, command.price, command.amount);
  if (command.cost > 0) return BigInt(command.cost);
  let missing = command.amount;
  let cost = 0n;
  for (const maker of state.side(market.index, SELL)) {
    if (maker.account === command.account) continue;
    const taken = Math.min(missing, maker.remaining);
    cost += worth(market, maker.price, taken);
    missing -= taken;
  }
  return cost;
}

function outOfBounds(
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

/** Whether the market's status lets such an order in. */
export function isAdmitted(
  { status }: NaiveMarket,
  { postOnly, type }: Pick<PlaceOrder, 'postOnly' | 'type'>,
): boolean {
  return (
    status === MarketStatus.online ||
    (status === MarketStatus.postOnly && postOnly) ||
    (status === MarketStatus.limitOnly && type === OrderType.limit)
  );
}

function notAdmitted(
  state: NaiveState,
  market: NaiveMarket,
  command: PlaceOrder,
): RejectionCode | undefined {
  const { account, type, side, price, postOnly, timeInForce, expiresAt } = command;
  if (!isAdmitted(market, command)) return RejectionCode.marketUnavailable;
  if (timeInForce === TimeInForce.gtd && expiresAt <= state.time) return RejectionCode.expiryPassed;
  const others = state.side(market.index, side === BUY ? SELL : BUY);
  if (type === OrderType.market && others.length === 0) return RejectionCode.noLiquidity;
  if (postOnly && others.some((maker) => reaches(side, price, maker.price))) {
    return RejectionCode.postOnlyWouldTake;
  }
  const open = state.orders.filter((order) => order.account === account).length;
  const mayRest = timeInForce === TimeInForce.gtc || timeInForce === TimeInForce.gtd;
  return mayRest && open >= MAX_OPEN_ORDERS_PER_ACCOUNT
    ? RejectionCode.tooManyOpenOrders
    : undefined;
}
