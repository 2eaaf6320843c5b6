import type { AmendOrder } from '../command.ts';
import type { OrderRecord, Outcome } from '../event.ts';
import { heldFor, requiredHold } from '../ledger/holds.ts';
import type { Market } from '../markets/markets.ts';
import { difference, type Exact } from '../numbers/exact.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import { OrderReason, OrderStatus, OrderType, Side } from '../terms.ts';
import {
  type AmendedTrail,
  amendTrailing,
  holdTrigger,
  rejectSpecialChange,
  setTrailing,
  validateAmendedTrail,
} from './amend-trailing.ts';
import { setRemaining } from './matching/icebergs.ts';
import { hasLimit, toPlaceOrder } from './order-terms.ts';
import { isTriggerCrossed, validateTriggerPrice } from './triggers/validate-stop.ts';
import {
  acceptsOrder,
  insufficientFunds,
  validateAmount,
  validateDisplay,
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
  const order = state.openRecord(slot);
  const unfit = rejectSpecialChange(state, order, slot, command) ?? rejectDisplay(order, command);
  if (unfit !== undefined) return unfit;
  const trail = amendTrailing(state, order, slot, command.trailing);
  const changed = withChanges(order, command, trail);
  const { price, triggerPrice, amount } = changed;
  if (amount !== order.amount && links.get(slot) !== undefined) {
    return rejected(RejectionCode.notAmendable, 'pair');
  }
  if (command.price !== 0 && !hasLimit(order.type)) return rejected(RejectionCode.takesNoPrice);
  const hasNewTrigger = trail !== undefined || triggerPrice !== order.triggerPrice;
  if (hasNewTrigger && !details.awaitsTrigger(slot))
    return rejected(RejectionCode.noPendingTrigger);
  const isShownAlike = changed.displayAmount === order.displayAmount;
  if (price === order.price && amount === order.amount && !hasNewTrigger && isShownAlike) {
    return { kind: 'order', order };
  }
  const market = state.markets[order.market]!;
  const held = { ...changed, triggerPrice: trail?.trigger ?? holdTrigger(changed) };
  const worst = holdPrice(held, hasNewTrigger, orders.price(slot), market);
  const rejection =
    validateFunds(state, slot, worst, amount) ??
    (trail === undefined ? undefined : validateAmendedTrail(order, trail, market)) ??
    validateBounds(order, held, market) ??
    validateMarketState(order, changed, hasNewTrigger, market);
  if (rejection !== undefined) return rejection;

  state.excludeOrder(slot);
  moveHold(state, slot, worst, amount);
  state.removeOrder(slot);
  details.amend(slot, amount, OrderReason.amended, state.time);
  if (trail !== undefined) setTrailing(state, slot, order, trail);
  else if (hasNewTrigger) details.setTriggerPrice(slot, triggerPrice);
  orders.setPrice(slot, worst);
  setRemaining(state, slot, amount, changed.displayAmount);
  state.insertOrder(slot);
  state.includeOrder(slot, orders.remaining(slot));
  const amended = state.record(slot, amount, OrderStatus.open);
  state.events.push(amended);
  return { kind: 'order', order: amended };
}

function isReached({ details, markets }: State, slot: number): boolean {
  if (!details.awaitsTrigger(slot)) return false;
  const { triggers, trailing } = markets[details.market(slot)]!;
  return details.isTrailing(slot)
    ? trailing.isTriggered(details.trail(slot))
    : triggers.isReached(slot);
}

/** Only a limit order can be an iceberg. */
export function rejectDisplay(order: OrderRecord, command: AmendOrder): Rejection | undefined {
  return command.displayAmount === undefined || order.type === OrderType.limit
    ? undefined
    : rejected(RejectionCode.notAmendable, 'notIceberg');
}

function withChanges(
  order: OrderRecord,
  command: AmendOrder,
  trail: AmendedTrail | undefined,
): OrderRecord {
  const { price, triggerPrice, amount, displayAmount = order.displayAmount } = command;
  return {
    ...order,
    price: price === 0 ? order.price : price,
    triggerPrice: changeTrigger(order, triggerPrice, trail),
    amount: amount === 0 ? order.amount : amount,
    ...(displayAmount === undefined ? {} : { displayAmount }),
  };
}

function changeTrigger(
  order: OrderRecord,
  triggerPrice: number,
  trail: AmendedTrail | undefined,
): number {
  if (trail !== undefined) return trail.best === 0 ? 0 : trail.trigger;
  return triggerPrice === 0 ? order.triggerPrice : triggerPrice;
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
  { type, price, triggerPrice, amount, trailing, displayAmount }: OrderRecord,
  market: Market,
): Rejection | undefined {
  const { rules } = market;
  const rejection =
    (amount === order.amount ? undefined : validateAmount(amount, rules)) ??
    (price === order.price ? undefined : validatePrice(price, rules)) ??
    (displayAmount === order.displayAmount
      ? undefined
      : validateDisplay(displayAmount, amount, rules)) ??
    (triggerPrice === order.triggerPrice || trailing !== undefined
      ? undefined
      : validateTriggerPrice(triggerPrice, rules));
  if (rejection !== undefined) return rejection;
  return market.notional(hasLimit(type) ? price : triggerPrice, amount) < rules.minNotional
    ? rejected(RejectionCode.minNotional)
    : undefined;
}

/** Lowering only the amount is a partial cancel, so it is allowed whenever cancels are. */
function validateMarketState(
  order: OrderRecord,
  changed: OrderRecord,
  hasNewTrigger: boolean,
  market: Market,
): Rejection | undefined {
  const isReduced = changed.amount < order.amount;
  if (isReduced && changed.price === order.price && !hasNewTrigger) return undefined;
  if (!acceptsOrder(market.currentStatus, order)) return rejected(RejectionCode.marketUnavailable);
  if (hasNewTrigger && isTriggerCrossed(changed, market))
    return rejected(RejectionCode.triggerCrossed);
  const rests = order.type === OrderType.limit;
  return rests && wouldTake(toPlaceOrder(changed), market)
    ? rejected(RejectionCode.postOnlyWouldTake)
    : undefined;
}
