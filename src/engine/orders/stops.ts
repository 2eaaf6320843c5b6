import type { MarketRules, PlaceOrder, PlaceStopOrder } from '../command.ts';
import type { OrderRecord, Outcome } from '../event.ts';
import type { Account } from '../ledger/accounts.ts';
import { hold } from '../ledger/holds.ts';
import { MAX_OPEN_ORDERS_PER_ACCOUNT, MAX_TRIGGERED_AT_ONCE, PORTION } from '../limits.ts';
import type { Market } from '../markets/markets.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import { NONE, OrderReason, OrderStatus, Side } from '../terms.ts';
import { activateBrackets } from './brackets.ts';
import { fingerprintOf, hasLimit, orderOf, waitsForRise } from './order-terms.ts';
import { addOpenOrder, isMemoryFull, placedBefore, takeOrderId } from './placement.ts';
import type { Trading } from './trading.ts';
import { admits, amountOutOfBounds, priceOutOfBounds, shortOf, wouldTake } from './validate.ts';

/** Orders that wait for the last price to reach a trigger: placing them, and what they become. */
export class Stops {
  constructor(
    private readonly state: State,
    private readonly trading: Trading,
  ) {}

  place(command: PlaceStopOrder): Outcome {
    const { state } = this;
    const account = state.accounts[command.account]!;
    const market = state.markets[command.market];
    if (market === undefined) return rejected(RejectionCode.unknownMarket);
    const { clientOrderId } = command;
    const fingerprint = clientOrderId === null ? 0 : fingerprintOf(command);
    const outcome =
      placedBefore(state, account, command, fingerprint) ??
      validateStop(state, command, account, market);
    if (outcome !== undefined) return outcome;
    const orderId = takeOrderId(state, account, clientOrderId, fingerprint);
    return { kind: 'order', order: this.wait(command, account, market, orderId) };
  }

  /** Lets an admitted order wait for its trigger price, holding its worst case. */
  private wait(
    command: PlaceStopOrder,
    account: Account,
    market: Market,
    orderId: number,
  ): OrderRecord {
    const { state } = this;
    const worst = worstPrice(command, market);
    const slot = addOpenOrder(state, command, worst, orderId);
    hold(state, account, command.side, market, worst, command.amount, orderId);
    const order = state.record(slot, command.amount, OrderStatus.open);
    state.events.push(order);
    return order;
  }

  /** Runs the orders whose triggers were reached, in turn; what these trigger comes last. */
  runTriggered(): void {
    const { triggered, version } = this.state;
    // Version 1 counts anew around every command, version 2 over a portion.
    if (version < 2) triggered.left = MAX_TRIGGERED_AT_ONCE;
    for (;;) {
      const slot = triggered.next();
      if (slot === NONE || triggered.left <= 0) return;
      triggered.left--;
      const { nextTradeId } = this.state;
      this.run(slot);
      if (version >= 2) triggered.left -= this.workSince(nextTradeId);
      activateBrackets(this.state);
    }
  }

  /** Returns how many triggered orders the work of the last one counts for, besides the order itself. */
  private workSince(nextTradeId: number): number {
    const { state } = this;
    const trades = state.nextTradeId - nextTradeId;
    return Math.floor(trades / PORTION.trades) + Math.floor(state.scan.looked / PORTION.scanned);
  }

  /** A triggered order becomes the taker that it is from now on; one that cannot go on ends. */
  private run(slot: number): void {
    const { state, trading } = this;
    const before = state.record(slot, state.orders.remaining(slot), OrderStatus.open);
    const worst = state.orders.price(slot);
    const taker = orderOf(before);
    const market = state.markets[taker.market]!;
    trading.beginAnew(slot, taker, before);
    const reason = refusalToRun(taker, market);
    if (reason !== OrderReason.none) {
      trading.reject(reason);
      return;
    }
    // A buy trades no further than what it has held since it was placed.
    if (!hasLimit(taker.type) && taker.side === Side.buy) {
      trading.limitTo(Math.min(market.marketLimit(Side.buy), worst));
    }
    trading.execute();
  }
}

function refusalToRun(taker: PlaceOrder, market: Market): number {
  if (!admits(market.status, taker)) return OrderReason.marketUnavailable;
  if (taker.postOnly && wouldTake(taker, market)) return OrderReason.postOnlyWouldTake;
  const opposite = taker.side === Side.buy ? Side.sell : Side.buy;
  const isEmpty = market.book.best(opposite) === NONE;
  return isEmpty && !hasLimit(taker.type) ? OrderReason.noLiquidity : OrderReason.none;
}

/** Why a stop is not accepted, undefined where it is, in the order of API section 1. */
function validateStop(
  state: State,
  command: PlaceStopOrder,
  account: Account,
  market: Market,
): Rejection | undefined {
  const isBuy = command.side === Side.buy;
  const required = isBuy
    ? market.notional(worstPrice(command, market), command.amount)
    : market.baseAmount(command.amount);
  return (
    shortOf(account, (isBuy ? market.quote : market.base).index, required) ??
    stopOutOfBounds(command, market) ??
    stopNotAdmitted(state, command, account, market)
  );
}

/** The price by which a buy's hold is reckoned: its limit, or the collar beyond its trigger. */
export function worstPrice(command: PlaceStopOrder, market: Market): number {
  const { type, side, price, triggerPrice } = command;
  return hasLimit(type) ? price : market.collarPrice(side, triggerPrice);
}

/** A stop without a limit is valued by its trigger. */
export function stopOutOfBounds(command: PlaceStopOrder, market: Market): Rejection | undefined {
  const { type, price, triggerPrice, amount } = command;
  const { rules } = market;
  const refusal =
    amountOutOfBounds(amount, rules) ??
    (hasLimit(type) ? priceOutOfBounds(price, rules) : undefined) ??
    triggerOutOfBounds(triggerPrice, rules);
  if (refusal !== undefined) return refusal;
  return market.notional(price || triggerPrice, amount) < rules.minNotional
    ? rejected(RejectionCode.minNotional)
    : undefined;
}

export function triggerOutOfBounds(price: number, rules: MarketRules): Rejection | undefined {
  const refusal = priceOutOfBounds(price, rules);
  return refusal && rejected(RejectionCode.triggerOutOfBounds, refusal.rule);
}

/** Whether the last price has reached the trigger already. */
export function isCrossed(
  { type, side, triggerPrice }: Pick<PlaceStopOrder, 'type' | 'side' | 'triggerPrice'>,
  market: Market,
): boolean {
  return waitsForRise(type, side) ? market.price >= triggerPrice : market.price <= triggerPrice;
}

export function stopNotAdmitted(
  state: State,
  command: PlaceStopOrder,
  account: Account,
  market: Market,
): Rejection | undefined {
  const { expiresAt, clientOrderId } = command;
  if (!admits(market.status, command)) return rejected(RejectionCode.marketUnavailable);
  if (expiresAt !== 0 && expiresAt <= state.time) return rejected(RejectionCode.expiryPassed);
  if (isCrossed(command, market)) return rejected(RejectionCode.triggerCrossed);
  if (account.openOrders >= MAX_OPEN_ORDERS_PER_ACCOUNT) {
    return rejected(RejectionCode.tooManyOpenOrders);
  }
  if (isMemoryFull(state, clientOrderId)) {
    return rejected(RejectionCode.limitReached, 'too many client order ids are remembered');
  }
  return undefined;
}
