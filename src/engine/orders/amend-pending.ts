import type { AmendOrder } from '../command.ts';
import type { OrderRecord, Outcome } from '../event.ts';
import { heldFor, requiredHold } from '../ledger/holds.ts';
import type { Market } from '../markets/markets.ts';
import { difference, type Exact } from '../numbers/exact.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import { OrderReason, OrderStatus, Side } from '../terms.ts';
import { hasLimit, toPlaceOrder } from './order-terms.ts';
import { isTriggerCrossed, validateTriggerPrice } from './triggers/validate-stop.ts';
import {
  acceptsOrder,
  insufficientFunds,
  validateAmount,
  validatePrice,
  wouldTake,
} from './validate.ts';

/**
 * Amends an open order without matching it: a pending order or a resting leg of an OCO order.
 * Nothing of it is filled. The amount of an OCO order cannot change, because both legs share it.
 */
export function amendPending(state: State, command: AmendOrder, slot: number): Outcome {
  const { orders, details, links } = state;
  // The order will run next, so it may trade within this command.
  if (details.isTriggered(slot) || isReached(state, slot))
    return rejected(RejectionCode.notAmendable, 'triggered');
  const order = state.record(slot, orders.remaining(slot), OrderStatus.open);
  const changed = withChanges(order, command);
  const { price, triggerPrice, amount } = changed;
  if (amount !== order.amount && links.get(slot) !== undefined) {
    return rejected(RejectionCode.notAmendable, 'pair');
  }
  if (command.price !== 0 && !hasLimit(order.type)) return rejected(RejectionCode.takesNoPrice);
  const hasNewTrigger = triggerPrice !== order.triggerPrice;
  if (hasNewTrigger && !details.awaitsTrigger(slot))
    return rejected(RejectionCode.noPendingTrigger);
  if (price === order.price && amount === order.amount && !hasNewTrigger) {
    return { kind: 'order', order };
  }
  const market = state.markets[order.market]!;
  const worst = holdPrice(changed, hasNewTrigger, orders.price(slot), market);
  const rejection =
    validateFunds(state, slot, worst, amount) ??
    validateBounds(order, changed, market) ??
    validateMarketState(order, changed, market);
  if (rejection !== undefined) return rejection;

  state.exclude(state.hashOrder(slot, order.remaining));
  moveHold(state, slot, worst, amount);
  state.removeOrder(slot);
  details.amend(slot, amount, OrderReason.amended, state.time);
  if (hasNewTrigger) details.setTriggerPrice(slot, triggerPrice);
  orders.setPrice(slot, worst);
  orders.setRemaining(slot, amount);
  state.insertOrder(slot);
  state.include(state.hashOrder(slot, amount));
  const amended = state.record(slot, amount, OrderStatus.open);
  state.events.push(amended);
  return { kind: 'order', order: amended };
}

function isReached({ details, markets }: State, slot: number): boolean {
  return details.awaitsTrigger(slot) && markets[details.market(slot)]!.triggers.isReached(slot);
}

function withChanges(order: OrderRecord, command: AmendOrder): OrderRecord {
  const { price, triggerPrice, amount } = command;
  return {
    ...order,
    price: price === 0 ? order.price : price,
    triggerPrice: triggerPrice === 0 ? order.triggerPrice : triggerPrice,
    amount: amount === 0 ? order.amount : amount,
  };
}

/**
 * Returns the price on which the hold is based; a stop that keeps its trigger keeps the collar it
 * was placed with.
 */
function holdPrice(
  { type, side, price, triggerPrice }: OrderRecord,
  hasNewTrigger: boolean,
  currentPrice: number,
  market: Market,
): number {
  if (hasLimit(type)) return price;
  return hasNewTrigger ? market.collarPrice(side, triggerPrice) : currentPrice;
}

/** Returns the hold that the amended order or its OCO order needs, in minor units. */
function holdNeeded(state: State, slot: number, worst: number, amount: number): Exact {
  const { orders, details, links, markets } = state;
  const link = links.get(slot);
  const price = link === undefined ? worst : Math.max(worst, orders.price(link.other));
  return requiredHold(markets[details.market(slot)]!, orders.side[slot] as Side, price, amount);
}

function validateFunds(
  state: State,
  slot: number,
  worst: number,
  amount: number,
): Rejection | undefined {
  const { orders, details, accounts, markets } = state;
  const { base, quote } = markets[details.market(slot)]!;
  const asset = orders.side[slot] === Side.buy ? quote : base;
  const more = difference(holdNeeded(state, slot, worst, amount), heldFor(state, slot));
  return insufficientFunds(accounts[orders.account(slot)]!, asset.index, more);
}

/** Adjusts the hold. In an OCO order the leg that needs more holds for both. */
function moveHold(state: State, slot: number, worst: number, amount: number): void {
  const { orders, details, links, ledger } = state;
  const { base, quote } = state.markets[details.market(slot)]!;
  const { index: asset } = orders.side[slot] === Side.buy ? quote : base;
  const account = state.accounts[orders.account(slot)]!;
  const link = links.get(slot);
  const held = heldFor(state, slot);
  const need = holdNeeded(state, slot, worst, amount);
  const holding = link === undefined || link.holds ? slot : link.other;
  const holdingId = details.id(holding);
  const others = link === undefined ? 0 : orders.price(link.other);
  // If both need the same, the current leg keeps the hold.
  const newHolding =
    link === undefined || worst > others ? slot : worst < others ? link.other : holding;
  if (newHolding !== holding) {
    ledger.release(account, asset, held, holdingId);
    ledger.hold(account, asset, need, details.id(newHolding));
    state.unlinkOco(slot);
    state.linkOco(newHolding, holding);
    return;
  }
  const more: Exact = difference(need, held);
  if (more > 0) ledger.hold(account, asset, more, holdingId);
  else if (more < 0) ledger.release(account, asset, difference(held, need), holdingId);
}

/** Validates only what changes, because the rules may have changed since the order was placed. */
function validateBounds(
  order: OrderRecord,
  { type, price, triggerPrice, amount }: OrderRecord,
  market: Market,
): Rejection | undefined {
  const { rules } = market;
  const rejection =
    (amount === order.amount ? undefined : validateAmount(amount, rules)) ??
    (price === order.price ? undefined : validatePrice(price, rules)) ??
    (triggerPrice === order.triggerPrice ? undefined : validateTriggerPrice(triggerPrice, rules));
  if (rejection !== undefined) return rejection;
  return market.notional(hasLimit(type) ? price : triggerPrice, amount) < rules.minNotional
    ? rejected(RejectionCode.minNotional)
    : undefined;
}

/** Lowering only the amount is a partial cancel, so it is allowed whenever cancels are. */
function validateMarketState(
  order: OrderRecord,
  changed: OrderRecord,
  market: Market,
): Rejection | undefined {
  const hasNewTrigger = changed.triggerPrice !== order.triggerPrice;
  const isReduced = changed.amount < order.amount;
  if (isReduced && changed.price === order.price && !hasNewTrigger) return undefined;
  if (!acceptsOrder(market.status, order)) return rejected(RejectionCode.marketUnavailable);
  if (hasNewTrigger && isTriggerCrossed(changed, market))
    return rejected(RejectionCode.triggerCrossed);
  const rests = order.triggerPrice === 0;
  return rests && wouldTake(toPlaceOrder(changed), market)
    ? rejected(RejectionCode.postOnlyWouldTake)
    : undefined;
}
