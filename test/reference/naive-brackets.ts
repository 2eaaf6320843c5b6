import {
  type Attached,
  CommandKind,
  type OcoLeg,
  type PlaceBracket,
  type PlaceOrder,
} from '../../src/engine/command.ts';
import { MAX_OPEN_ORDERS_PER_ACCOUNT } from '../../src/engine/limits.ts';
import type { Leg } from '../../src/engine/orders/order-terms.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import { MarketStatus, OrderReason, OrderStatus } from '../../src/engine/terms.ts';
import { reject } from './naive-administration.ts';
import { checkClientOrderId, remember } from './naive-client-orders.ts';
import { bracketLegOrders } from './naive-leg-orders.ts';
import { nameOtherLegs, openLegs, validateLegBounds, validateLegFunds } from './naive-legs.ts';
import { run, toPlaceOrder } from './naive-matching.ts';
import type { NaiveMarket, NaiveOrder, NaiveState } from './naive-state.ts';
import { trigger } from './naive-stops.ts';
import {
  acceptsOrder,
  type NaiveTradeOutcome,
  orderTerms,
  validateBounds,
  validateFunds,
  validateMarketState,
} from './naive-trading.ts';
import { firstTrigger } from './naive-trailing.ts';
import { BUY, hasLimit, inBase, reaches, readPrice, SELL, worth } from './naive-values.ts';

export function placeBracket(state: NaiveState, placing: PlaceBracket): NaiveTradeOutcome {
  const { order: command, attached } = placing;
  const market = state.markets[command.market];
  if (market === undefined) return reject(RejectionCode.unknownMarket);
  const { account, clientOrderId } = command;
  const terms = bracketTerms(placing);
  const outcome =
    checkClientOrderId(state, command, terms) ??
    validateFunds(state, market, command) ??
    validateOrder(state, market, command, attached);
  if (outcome !== undefined) return outcome;
  const orderId = state.nextOrderId++;
  remember(state, account, clientOrderId, orderId, terms);
  const order = { ...toPlaceOrder(state, command, orderId), attached: reserve(state, attached) };
  return { kind: 'order', order: run(state, market, order) };
}

/** Reserves the order ids of the legs since version 2. */
function reserve(state: NaiveState, attached: Attached): Attached {
  if (state.version < 2) return attached;
  const firstOrderId = state.nextOrderId;
  const { takeProfit, stopLoss, oto } = attached;
  for (const leg of [takeProfit, stopLoss, oto?.order]) if (leg) state.nextOrderId++;
  return { ...attached, firstOrderId };
}

export function bracketTerms({ order, attached }: PlaceBracket): string {
  return `${orderTerms(order)} ${JSON.stringify(attached)}`;
}

function validateOrder(
  state: NaiveState,
  market: NaiveMarket,
  command: PlaceOrder,
  attached: Attached,
): Rejection | undefined {
  const amount = command.cost > 0 ? market.rules.maxAmount : command.amount;
  const legs = bracketLegOrders(command, attached, amount);
  const open = state.open.filter((order) => order.account === command.account).length;
  const code =
    validateBounds(state, market, command) ??
    legs.map((leg) => validateLegBounds(state, market, leg)).find((each) => each !== undefined) ??
    (isBracketOnWrongSide(market, command, attached)
      ? RejectionCode.bracketOnWrongSide
      : undefined) ??
    validateMarketState(state, market, command) ??
    (open >= MAX_OPEN_ORDERS_PER_ACCOUNT ? RejectionCode.tooManyOpenOrders : undefined);
  return code === undefined ? undefined : reject(code);
}

/**
 * Returns whether a leg is on the wrong side: a buy takes profit above its price and stops below
 * it, a sell the other way round.
 */
export function isBracketOnWrongSide(
  market: NaiveMarket,
  { type, side, price }: Pick<PlaceOrder, 'type' | 'side' | 'price'>,
  { takeProfit, stopLoss, oto }: Attached,
): boolean {
  if (oto !== undefined) {
    if (takeProfit === null || stopLoss === null || stopLoss.trailing !== undefined) return false;
    const target = takeProfit.triggerPrice || takeProfit.price;
    return oto.side === SELL ? target <= stopLoss.triggerPrice : target >= stopLoss.triggerPrice;
  }
  const reference = hasLimit(type) ? price : readPrice(market);
  const high = side === BUY ? takeProfit : stopLoss;
  const low = side === BUY ? stopLoss : takeProfit;
  const at = (leg: OcoLeg) => leg.triggerPrice || leg.price;
  const isFixed = (leg: OcoLeg | null) => leg !== null && leg.trailing === undefined;
  return (isFixed(high) && at(high!) <= reference) || (isFixed(low) && at(low!) >= reference);
}

/**
 * Activates the legs of bracket orders that have ended since, in the order in which they ended; legs that will not be
 * activated are canceled if they have an order id.
 */
export function activateBrackets(state: NaiveState): void {
  for (const parent of state.parents.splice(0)) {
    const market = state.markets[parent.market]!;
    const { firstOrderId, oto } = parent.attached!;
    const isDue =
      oto === undefined ? parent.remaining < parent.amount : parent.status === OrderStatus.filled;
    const isDropped = state.dropped.has(parent.id) || !isDue;
    const amount = isDropped ? parent.amount : heldAmount(market, parent);
    if (isDropped && firstOrderId === undefined) continue;
    const legs = bracketLegOrders(parent, parent.attached!, amount);
    const orders = legs.map((leg, place) => ({
      ...toPlaceOrder(
        state,
        leg,
        firstOrderId === undefined ? state.nextOrderId++ : firstOrderId + place,
      ),
      parentId: parent.id,
      ...(firstOrderId !== undefined && { createdAt: parent.createdAt }),
    }));
    const reason = isDropped ? endReason(parent) : findRejectReason(state, market, legs);
    if (reason === OrderReason.none) {
      openLegs(state, market, legs, orders);
      const connection = state.orderConnections.get(parent.id);
      for (const { id } of orders) {
        if (connection !== undefined) state.orderConnections.set(id, connection);
      }
      trigger(state, market, readPrice(market));
      continue;
    }
    if (firstOrderId !== undefined) nameOtherLegs(state, orders);
    const status = isDropped ? OrderStatus.canceled : OrderStatus.rejected;
    for (const order of orders) state.report({ ...order, status, reason });
  }
  state.dropped.clear();
}

/**
 * Returns why the legs cannot be opened. Prices and the number of open orders were validated with
 * the bracket order.
 */
function findRejectReason(state: NaiveState, market: NaiveMarket, legs: readonly Leg[]): number {
  if (validateLegFunds(state, market, legs) !== undefined) {
    return OrderReason.insufficientBalance;
  }
  for (const leg of legs) {
    const price = leg.price || unlimitedPrice(market, leg);
    const reachesMinNotional = worth(market, price, leg.amount) >= market.rules.minNotional;
    if (leg.amount < market.rules.minAmount || !reachesMinNotional) return OrderReason.tooSmall;
  }
  for (const leg of legs) {
    if (!acceptsOrder(state, market, leg)) return OrderReason.marketUnavailable;
    if (!leg.postOnly || market.status === MarketStatus.auction) continue;
    const others = state.side(market.index, leg.side === BUY ? SELL : BUY);
    if (others.some((maker) => reaches(leg.side, leg.price, maker.price))) {
      return OrderReason.postOnlyWouldTake;
    }
  }
  return OrderReason.none;
}

/** Returns why legs end that are not activated: for the reason for which their order was canceled, if it was. */
function endReason({ status, reason }: NaiveOrder): number {
  return status === OrderStatus.canceled ? reason : OrderReason.linked;
}

function unlimitedPrice(market: NaiveMarket, leg: Leg): number {
  return leg.kind === CommandKind.placeOrder ? readPrice(market) : firstTrigger(market, leg);
}

/** Returns the filled quantity, for a buy less its fees, in whole steps. */
function heldAmount(market: NaiveMarket, { side, amount, remaining, fees }: NaiveOrder): number {
  const step = inBase(market, market.rules.step);
  const left = inBase(market, amount - remaining) - (side === BUY ? fees : 0n);
  return Number(left / step) * market.rules.step;
}
