import { CommandKind } from '../../command.ts';
import type { OrderRecord } from '../../event.ts';
import type { Account } from '../../ledger/accounts.ts';
import { hold } from '../../ledger/holds.ts';
import { MAX_OPEN_ORDERS_PER_ACCOUNT } from '../../limits.ts';
import type { Market } from '../../markets/markets.ts';
import type { Exact } from '../../numbers/exact.ts';
import { type Rejection, RejectionCode, rejected } from '../../rejection.ts';
import type { State } from '../../state.ts';
import { OrderStatus, Side } from '../../terms.ts';
import type { Leg } from '../order-terms.ts';
import { addOpenOrder } from '../placement.ts';
import {
  validateStopBounds,
  validateStopMarketState,
  worstPrice,
} from '../triggers/validate-stop.ts';
import { insufficientFunds, validateBounds, validateMarketState } from '../validate.ts';
import { setOtherLeg } from './bracket-store.ts';

/**
 * The functions below validate and place the legs of an OCO or bracket order: a take profit, a stop
 * loss or both, of the same side and amount. None trades when it is placed.
 */

/** Returns the first reason to reject the legs; the take-profit leg is checked first. */
export function validateLegs(
  state: State,
  legs: readonly Leg[],
  account: Account,
  market: Market,
): Rejection | undefined {
  const rejection = validateLegFunds(legs, account, market);
  if (rejection !== undefined) return rejection;
  for (const leg of legs) {
    const broken = validateLegBounds(leg, market);
    if (broken !== undefined) return broken;
  }
  for (const leg of legs) {
    const broken =
      leg.kind === CommandKind.placeStopOrder
        ? validateStopMarketState(state, leg, account, market)
        : validateMarketState(state, leg, account, market);
    if (broken !== undefined) return broken;
  }
  return account.openOrders + legs.length > MAX_OPEN_ORDERS_PER_ACCOUNT
    ? rejected(RejectionCode.tooManyOpenOrders)
    : undefined;
}

/** Validates the funds for the hold that the legs share. */
export function validateLegFunds(
  legs: readonly Leg[],
  account: Account,
  market: Market,
): Rejection | undefined {
  const [{ side, amount }] = legs as readonly [Leg];
  const worst = Math.max(...legs.map((leg) => holdPrice(leg, market)));
  const isBuy = side === Side.buy;
  const needed: Exact = isBuy ? market.notional(worst, amount) : market.baseAmount(amount);
  return insufficientFunds(account, (isBuy ? market.quote : market.base).index, needed);
}

export function validateLegBounds(leg: Leg, market: Market): Rejection | undefined {
  return leg.kind === CommandKind.placeStopOrder
    ? validateStopBounds(leg, market)
    : validateBounds(leg, market);
}

/** The bracket order of legs, and the time of their ids. */
export interface LegOrigin {
  /** Id of the bracket order that the legs belong to; 0 for none. */
  readonly parentId: number;
  /** When their ids were assigned, in milliseconds since 1970. */
  readonly createdAt: number;
}

/**
 * Adds one or two validated legs to the open orders. Two are linked as an OCO order and share one
 * hold: that of the leg that needs more, or of the first if both need the same.
 */
export function placeLegs(
  state: State,
  legs: readonly Leg[],
  orderIds: readonly number[],
  account: Account,
  market: Market,
  { parentId, createdAt }: LegOrigin,
): OrderRecord[] {
  const prices = legs.map((leg) => holdPrice(leg, market));
  const slots = legs.map((leg, place) =>
    addOpenOrder(state, leg, prices[place]!, orderIds[place]!, createdAt),
  );
  if (parentId !== 0) {
    for (const [place, slot] of slots.entries()) {
      state.setParent(slot, parentId);
      // A leg comes to the book with an id from before, like an order that was triggered.
      state.removedPending.push(market.index, orderIds[place]!);
    }
  }
  if (slots.length > 1 && state.version >= 2) {
    for (const [place, slot] of slots.entries()) setOtherLeg(state, slot, orderIds[1 - place]!);
  }
  const holding = prices.length > 1 && prices[1]! > prices[0]! ? 1 : 0;
  if (slots.length > 1) state.linkOco(slots[holding]!, slots[1 - holding]!);
  const [{ side, amount }] = legs as readonly [Leg];
  hold(state, account, side, market, prices[holding]!, amount, orderIds[holding]!);
  const records = slots.map((slot) => state.record(slot, amount, OrderStatus.open));
  state.events.push(...records);
  return records;
}

/** Returns the price on which the hold of a leg is based. */
export function holdPrice(leg: Leg, market: Market): number {
  if (leg.kind === CommandKind.placeStopOrder) return worstPrice(leg, market);
  return leg.price || market.collarPrice(leg.side, market.price);
}
