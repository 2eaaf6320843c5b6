import type { PlaceOrder, PlaceStopOrder } from '../../command.ts';
import type { OrderRecord, Outcome } from '../../event.ts';
import type { Account } from '../../ledger/accounts.ts';
import { hold } from '../../ledger/holds.ts';
import { MAX_TRIGGERED_AT_ONCE, PORTION } from '../../limits.ts';
import type { Market } from '../../markets/markets.ts';
import { RejectionCode, rejected } from '../../rejection.ts';
import type { State } from '../../state.ts';
import { NONE, OrderReason, OrderStatus, oppositeSide, Side } from '../../terms.ts';
import { activateBrackets } from '../contingent/brackets.ts';
import type { Trading } from '../matching/trading.ts';
import { fingerprintOrder, hasLimit, toPlaceOrder } from '../order-terms.ts';
import { addOpenOrder, assignOrderId, checkClientOrderId } from '../placement.ts';
import { acceptsOrder, wouldTake } from '../validate.ts';
import { validateStop, worstPrice } from './validate-stop.ts';

/** Places pending orders, and runs them when they are triggered. */
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
    const fingerprint = clientOrderId === null ? 0 : fingerprintOrder(command);
    const outcome =
      checkClientOrderId(state, account, command, fingerprint) ??
      validateStop(state, command, account, market);
    if (outcome !== undefined) return outcome;
    const orderId = assignOrderId(state, account, clientOrderId, fingerprint);
    return { kind: 'order', order: this.addPending(command, account, market, orderId) };
  }

  /** Adds a validated order to the pending triggers and holds its maximum cost. */
  private addPending(
    command: PlaceStopOrder,
    account: Account,
    market: Market,
    orderId: number,
  ): OrderRecord {
    const { state } = this;
    const worst = worstPrice(command, market);
    const slot = addOpenOrder(state, command, worst, orderId, state.time);
    hold(state, account, command.side, market, worst, command.amount, orderId);
    const order = state.record(slot, command.amount, OrderStatus.open);
    state.events.push(order);
    return order;
  }

  /** Runs triggered orders in order; the orders that these trigger run last. */
  runTriggered(): void {
    const { triggered, version } = this.state;
    // Version 1 has this budget before and after every command, version 2 per portion.
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

  /** Returns how many further triggered orders the work of the last one counts as. */
  private workSince(nextTradeId: number): number {
    const { state } = this;
    const trades = state.nextTradeId - nextTradeId;
    return Math.floor(trades / PORTION.trades) + Math.floor(state.scan.examined / PORTION.scanned);
  }

  /** Matches a triggered order as a taker, or rejects it if it cannot run. */
  private run(slot: number): void {
    const { state, trading } = this;
    const before = state.openRecord(slot);
    const worst = state.orders.price(slot);
    const taker = toPlaceOrder(before);
    const market = state.markets[taker.market]!;
    trading.reopenAsTaker(slot, taker, before);
    if (state.version >= 2 && before.triggerPrice !== 0) trading.takerTriggeredAt = state.time;
    const reason = findRejectReason(taker, market);
    if (reason !== OrderReason.none) {
      trading.reject(reason);
      return;
    }
    // A buy may not cost more than it has held since it was placed.
    if (!hasLimit(taker.type) && taker.side === Side.buy) {
      trading.limitTo(Math.min(market.marketLimit(Side.buy), worst));
    }
    trading.execute();
  }
}

function findRejectReason(taker: PlaceOrder, market: Market): number {
  if (!acceptsOrder(market.currentStatus, taker)) return OrderReason.marketUnavailable;
  if (taker.postOnly && wouldTake(taker, market)) return OrderReason.postOnlyWouldTake;
  const isEmpty = market.book.best(oppositeSide(taker.side)) === NONE;
  return isEmpty && !hasLimit(taker.type) ? OrderReason.noLiquidity : OrderReason.none;
}
