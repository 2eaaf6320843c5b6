import type { AmendOrder } from '../command.ts';
import type { OrderRecord, Outcome } from '../event.ts';
import { heldFor, requiredHold } from '../ledger/holds.ts';
import type { Market } from '../markets/markets.ts';
import { difference, type Exact } from '../numbers/exact.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import { OrderReason, OrderStatus, Side } from '../terms.ts';
import { hasLimit, toPlaceOrder } from './order-terms.ts';
import { admits, insufficientFunds, validateAmount, validatePrice, wouldTake } from './validate.ts';
import { isTriggerCrossed, validateTriggerPrice } from './validate-stop.ts';

/**
 * Changes an open order that does not trade by it: one that waits for its trigger, or rests as one of
 * a pair. Nothing of it is filled. Two of a pair are of one amount, which stays.
 */
export function amendPending(state: State, command: AmendOrder, slot: number): Outcome {
  const { orders, details, links } = state;
  // It is to run next: it may trade in this very moment.
  if (details.isTriggered(slot) || isReached(state, slot))
    return rejected(RejectionCode.notAmendable, 'triggered');
  const order = state.record(slot, orders.remaining(slot), OrderStatus.open);
  const changed = withChanges(order, command);
  const { price, triggerPrice, amount } = changed;
  if (amount !== order.amount && links.of(slot) !== undefined) {
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
  const worst = worstPriceOf(changed, hasNewTrigger, orders.price(slot), market);
  const rejection =
    validateFunds(state, slot, worst, amount) ??
    validateBounds(order, changed, market) ??
    validateMarketState(order, changed, market);
  if (rejection !== undefined) return rejection;

  state.exclude(state.hashOrder(slot, order.remaining));
  moveHold(state, slot, worst, amount);
  state.leave(slot);
  details.amend(slot, amount, OrderReason.amended, state.time);
  if (hasNewTrigger) details.setTriggerPrice(slot, triggerPrice);
  orders.setPrice(slot, worst);
  orders.setRemaining(slot, amount);
  state.enter(slot);
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

/** What the hold is reckoned by; a stop whose trigger stays keeps the collar it was placed with. */
function worstPriceOf(
  { type, side, price, triggerPrice }: OrderRecord,
  hasNewTrigger: boolean,
  present: number,
  market: Market,
): number {
  if (hasLimit(type)) return price;
  return hasNewTrigger ? market.collarPrice(side, triggerPrice) : present;
}

/** What the changed order needs, or its pair, minor units. */
function needOf(state: State, slot: number, worst: number, amount: number): Exact {
  const { orders, details, links, markets } = state;
  const link = links.of(slot);
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
  const more = difference(needOf(state, slot, worst, amount), heldFor(state, slot));
  return insufficientFunds(accounts[orders.account(slot)]!, asset.index, more);
}

/** Of a pair the order that needs more holds. */
function moveHold(state: State, slot: number, worst: number, amount: number): void {
  const { orders, details, links, ledger } = state;
  const { base, quote } = state.markets[details.market(slot)]!;
  const { index: asset } = orders.side[slot] === Side.buy ? quote : base;
  const account = state.accounts[orders.account(slot)]!;
  const link = links.of(slot);
  const held = heldFor(state, slot);
  const need = needOf(state, slot, worst, amount);
  const holder = link === undefined || link.holds ? slot : link.other;
  const holderId = details.id(holder);
  const others = link === undefined ? 0 : orders.price(link.other);
  // Of two that need as much the one that holds goes on.
  const newHolder =
    link === undefined || worst > others ? slot : worst < others ? link.other : holder;
  if (newHolder !== holder) {
    ledger.release(account, asset, held, holderId);
    ledger.hold(account, asset, need, details.id(newHolder));
    state.unlinkOco(slot);
    state.linkOco(newHolder, holder);
    return;
  }
  const more: Exact = difference(need, held);
  if (more > 0) ledger.hold(account, asset, more, holderId);
  else if (more < 0) ledger.release(account, asset, difference(held, need), holderId);
}

/** Only what changes must fit the rules: they may have changed since the order was placed. */
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

/** Less amount alone is part of a cancel, so it is taken whenever cancels are. */
function validateMarketState(
  order: OrderRecord,
  changed: OrderRecord,
  market: Market,
): Rejection | undefined {
  const hasNewTrigger = changed.triggerPrice !== order.triggerPrice;
  const isLess = changed.amount < order.amount;
  if (isLess && changed.price === order.price && !hasNewTrigger) return undefined;
  if (!admits(market.status, order)) return rejected(RejectionCode.marketUnavailable);
  if (hasNewTrigger && isTriggerCrossed(changed, market))
    return rejected(RejectionCode.triggerCrossed);
  const rests = order.triggerPrice === 0;
  return rests && wouldTake(toPlaceOrder(changed), market)
    ? rejected(RejectionCode.postOnlyWouldTake)
    : undefined;
}
