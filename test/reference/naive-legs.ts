import { CommandKind } from '../../src/engine/command.ts';
import { MAX_OPEN_ORDERS_PER_ACCOUNT } from '../../src/engine/limits.ts';
import type { Leg } from '../../src/engine/orders/order-terms.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import { EntryType } from '../../src/engine/terms.ts';
import { reject } from './naive-administration.ts';
import { held } from './naive-matching.ts';
import type { NaiveMarket, NaiveOrder, NaiveState } from './naive-state.ts';
import { validateStopBounds, validateStopMarketState, worstPrice } from './naive-stops.ts';
import { validateBounds, validateMarketState } from './naive-trading.ts';
import { startTrailing } from './naive-trailing.ts';
import { collared, readPrice } from './naive-values.ts';

/** Returns the first reason to reject one or two legs that share a hold. */
export function validateLegs(
  state: NaiveState,
  market: NaiveMarket,
  legs: readonly Leg[],
): Rejection | undefined {
  const { account } = legs[0]!;
  const shortage = validateLegFunds(state, market, legs);
  if (shortage !== undefined) return shortage;
  const rejections = [
    ...legs.map((leg) => validateLegBounds(state, market, leg)),
    ...legs.map((leg) =>
      leg.kind === CommandKind.placeStopOrder
        ? validateStopMarketState(state, market, leg)
        : validateMarketState(state, market, leg),
    ),
  ];
  const rejection = rejections.find((each) => each !== undefined);
  if (rejection !== undefined) return reject(rejection);
  const open = state.open.filter((order) => order.account === account).length;
  return open + legs.length > MAX_OPEN_ORDERS_PER_ACCOUNT
    ? reject(RejectionCode.tooManyOpenOrders)
    : undefined;
}

export function validateLegFunds(
  state: NaiveState,
  market: NaiveMarket,
  legs: readonly Leg[],
): Rejection | undefined {
  const hold = requiredHold(market, legs);
  const available = state.available(legs[0]!.account, hold.asset);
  if (hold.amount <= available) return undefined;
  const code = RejectionCode.insufficientBalance;
  return { kind: 'rejected', code, required: hold.amount, available, asset: hold.asset };
}

export function validateLegBounds(
  state: NaiveState,
  market: NaiveMarket,
  leg: Leg,
): RejectionCode | undefined {
  return leg.kind === CommandKind.placeStopOrder
    ? validateStopBounds(market, leg)
    : validateBounds(state, market, leg);
}

/** Opens the orders of the legs. The leg that needs more has the hold, or the first if both need the same. */
export function openLegs(
  state: NaiveState,
  market: NaiveMarket,
  legs: readonly Leg[],
  orders: readonly NaiveOrder[],
): NaiveOrder[] {
  const worst = legs.map((leg) => worstLegPrice(market, leg));
  nameOtherLegs(state, orders);
  legs.forEach((leg, place) => {
    const order = orders[place]!;
    if (leg.kind === CommandKind.placeOrder && leg.postOnly) state.rest(order);
    else if (leg.kind === CommandKind.placeOrder) {
      // It may match, so it runs as a triggered order.
      state.worstPrices.set(order.id, worst[place]!);
      state.triggered.push(order);
    } else {
      startTrailing(state, market, order);
      state.worstPrices.set(order.id, worst[place]!);
      state.stops.push(order);
    }
  });
  const holdingLeg = orders[worst.indexOf(Math.max(...worst))]!;
  const other = orders.find((order) => order !== holdingLeg);
  if (other !== undefined) state.ocoOrders.push([holdingLeg, other]);
  const hold = requiredHold(market, legs);
  state.post(holdingLeg.account, hold.asset, EntryType.hold, -hold.amount, holdingLeg.id);
  return orders.map((order) => state.report(order));
}

/** Names the other leg of each of two legs since version 2. */
export function nameOtherLegs(state: NaiveState, orders: readonly NaiveOrder[]): void {
  const [first, second] = orders;
  if (second === undefined || state.version < 2) return;
  Object.assign(first!, { ocoId: second.id });
  Object.assign(second, { ocoId: first!.id });
}

function requiredHold(market: NaiveMarket, legs: readonly Leg[]) {
  const { side, amount } = legs[0]!;
  const price = Math.max(...legs.map((leg) => worstLegPrice(market, leg)));
  return held(market, { side, price }, amount);
}

function worstLegPrice(market: NaiveMarket, leg: Leg): number {
  if (leg.kind === CommandKind.placeStopOrder) return worstPrice(market, leg);
  return leg.price || collared(market, leg.side, readPrice(market));
}
