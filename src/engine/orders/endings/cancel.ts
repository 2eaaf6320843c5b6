import {
  type CancelAfter,
  CancelCondition,
  type CancelOrder,
  type CancelOrders,
  type CancelOrdersOf,
  type DelistMarket,
  type OrderSelection,
} from '../../command.ts';
import type { OrderRecord, Outcome } from '../../event.ts';
import type { Account } from '../../ledger/accounts.ts';
import { MAX_DEADLINES_PER_ACCOUNT, MAX_SWEEPS_PER_ACCOUNT } from '../../limits.ts';
import { RejectionCode, rejected, TOO_MANY_SWEEPS } from '../../rejection.ts';
import type { State } from '../../state.ts';
import { MarketStatus, NONE, OrderReason, OrderStatus } from '../../terms.ts';
import { activateBrackets } from '../contingent/brackets.ts';
import { findPlaced } from '../placement.ts';
import { untrigger } from '../triggers/triggering.ts';
import type { Deadline } from './deadlines.ts';
import { endOrder } from './endings.ts';
import type { Portions, SweepTerms } from './portions.ts';
import { ANY_KEY, listRemainingOrders } from './sweeps.ts';

/** Ends open orders before they are filled: on request, at their expiry or at a deadline. */
export class Cancellations {
  constructor(
    private readonly state: State,
    private readonly portions: Portions,
  ) {}

  cancel(command: CancelOrder): Outcome {
    const slot = this.state.index.find(command.orderId);
    if (slot === NONE || this.state.orders.account(slot) !== command.account) {
      return rejected(RejectionCode.orderNotOpen);
    }
    if (command.onlyIf !== undefined) {
      const isUnfilled = this.state.remaining(slot) === this.state.details.amount(slot);
      const isMet = isUnfilled === (command.onlyIf === CancelCondition.unfilled);
      if (!isMet) return rejected(RejectionCode.cancelRestricted);
    }
    const order = endOrder(this.state, slot, OrderStatus.canceled, OrderReason.requested);
    return { kind: 'order', order };
  }

  cancelOrders(command: CancelOrders): Outcome {
    const account = this.state.accounts[command.account]!;
    return this.cancelSelected(account, command, OrderReason.requested);
  }

  /** Cancels orders of an account, which may be frozen, on behalf of an operator. */
  cancelOrdersOf(command: CancelOrdersOf): Outcome {
    const account = this.state.accounts[command.owner];
    if (account === undefined) return rejected(RejectionCode.unknownAccount);
    return this.cancelSelected(account, command, OrderReason.operator);
  }

  private cancelSelected(account: Account, selection: OrderSelection, reason: number): Outcome {
    const { state } = this;
    const { index } = account;
    const orderIds = resolveOrderIds(state, account, selection);
    const terms = { account: index, key: ANY_KEY, market: selection.market, orderIds, reason };
    if (state.version < 2) return { kind: 'orders', orders: this.endAtOnce(terms) };
    if (state.sweeps.count(index) >= MAX_SWEEPS_PER_ACCOUNT) {
      return rejected(RejectionCode.limitReached, TOO_MANY_SWEEPS);
    }
    return { kind: 'orders', ...this.portions.start(terms) };
  }

  /** Cancels all orders of a market in the order of its book, and closes it permanently. */
  delist(command: DelistMarket): Outcome {
    const { state } = this;
    const market = state.markets[command.market];
    if (market === undefined) return rejected(RejectionCode.unknownMarket);
    if (state.version < 2) {
      const ids = Array.from(state.marketSlots(market), (slot) => state.details.id(slot));
      const orders = this.endAll(ids, OrderReason.delisted);
      state.parts.auctions.close(market, MarketStatus.delisted);
      return { kind: 'orders', orders };
    }
    state.parts.auctions.close(market, MarketStatus.delisted);
    untrigger(state, market);
    const { index } = market;
    const terms = { account: NONE, key: ANY_KEY, market: index, orderIds: null };
    const started = this.portions.start({ ...terms, reason: OrderReason.delisted });
    return started.sweep === undefined
      ? { kind: 'orders', ...started }
      : { kind: 'orders', ...started, left: market.openOrders };
  }

  /** Engine version 1: ends all orders in one command. */
  private endAtOnce(terms: SweepTerms): OrderRecord[] {
    const all = { ...terms, id: 0, below: Number.POSITIVE_INFINITY };
    return this.endAll(listRemainingOrders(all, this.state), terms.reason);
  }

  /**
   * Ends several orders. A bulk cancel also drops the legs of bracket orders, so none is activated.
   */
  private endAll(ids: readonly number[], reason: number): OrderRecord[] {
    const { state } = this;
    const { events, index, attachments } = state;
    const from = events.length;
    for (const id of ids) {
      const slot = index.find(id);
      // May have ended with the other leg of its OCO order.
      if (slot === NONE) continue;
      if (attachments.size > 0) state.detach(slot);
      endOrder(state, slot, OrderStatus.canceled, reason);
    }
    return events.slice(from).filter((event) => event.kind === 'order');
  }

  /** Arms, moves or disarms the deadline of a key. */
  cancelAfter({ account, key, market, timeoutMs }: CancelAfter): Outcome {
    const { state } = this;
    const { deadlines } = state;
    if (market !== NONE && state.markets[market] === undefined) {
      return rejected(RejectionCode.unknownMarket);
    }
    const armed = deadlines.get(account).filter((each) => each.key === key);
    const matches = (each: Deadline) =>
      each.market === market || (market === NONE && timeoutMs === 0);
    const matching = armed.filter(matches);
    if (timeoutMs !== 0 && matching.length === 0) {
      if (deadlines.get(account).length >= MAX_DEADLINES_PER_ACCOUNT) {
        return rejected(RejectionCode.limitReached, 'deadlines');
      }
    }
    for (const deadline of matching) state.disarm(deadline);
    if (timeoutMs !== 0) state.arm({ account, key, market, dueAt: state.time + timeoutMs });
    return {
      kind: 'deadlines',
      deadlines: deadlines.get(account).filter((each) => each.key === key),
    };
  }

  /**
   * Engine version 1: runs everything that is due, the earliest first; expiries before deadlines of
   * the same time.
   */
  runDue(): void {
    const { expiries, deadlines, time } = this.state;
    for (;;) {
      const next = Math.min(expiries.nextTime, deadlines.nextTime);
      if (next > time) return;
      if (next === expiries.nextTime) {
        endOrder(this.state, expiries.first, OrderStatus.expired, OrderReason.expired);
        activateBrackets(this.state);
      } else this.cancelByDeadline(deadlines.soonest);
    }
  }

  /** Cancels the orders of a key that sent no heartbeat in time. */
  private cancelByDeadline(deadline: Deadline): void {
    const { account, key, market } = deadline;
    this.state.disarm(deadline);
    this.endAtOnce({ account, key, market, orderIds: null, reason: OrderReason.cancelAfter });
  }
}

/** Returns the order ids of a selection, or null if it selects by other criteria. */
function resolveOrderIds(
  state: State,
  account: Account,
  selection: OrderSelection,
): readonly number[] | null {
  if (selection.clientOrderId === null) return selection.orderIds;
  const known = findPlaced(state, account, selection.clientOrderId);
  return known === undefined ? [] : [known.orderId];
}
