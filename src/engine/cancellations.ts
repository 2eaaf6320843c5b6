import type { Account } from './accounts.ts';
import { bringAttached } from './attached-orders.ts';
import type {
  CancelAfter,
  CancelOrder,
  CancelOrders,
  CancelOrdersOf,
  DelistMarket,
  OrderSelection,
} from './command.ts';
import type { Deadline } from './deadlines.ts';
import { end } from './endings.ts';
import type { OrderRecord, Outcome } from './event.ts';
import { MAX_DEADLINES_PER_ACCOUNT } from './limits.ts';
import { hashMarket } from './markets.ts';
import { findPlaced } from './placement.ts';
import { RejectionCode, rejected } from './rejection.ts';
import type { State } from './state.ts';
import { MarketStatus, NONE, OrderReason, OrderStatus } from './terms.ts';

/** Open orders end before they are filled: somebody asks for it, or their time has come. */
export class Cancellations {
  constructor(private readonly state: State) {}

  cancel(command: CancelOrder): Outcome {
    const slot = this.state.index.find(command.orderId);
    if (slot === NONE || this.state.orders.account(slot) !== command.account) {
      return rejected(RejectionCode.orderNotOpen);
    }
    const order = end(this.state, slot, OrderStatus.canceled, OrderReason.requested);
    return { kind: 'order', order };
  }

  cancelOrders(command: CancelOrders): Outcome {
    const ids = this.select(this.state.accounts[command.account]!, command);
    return { kind: 'orders', orders: this.endAll(ids, OrderReason.requested) };
  }

  /** An operator cancels on behalf of an account, a frozen one too. */
  cancelOrdersOf(command: CancelOrdersOf): Outcome {
    const account = this.state.accounts[command.owner];
    if (account === undefined) return rejected(RejectionCode.unknownAccount);
    const ids = this.select(account, command);
    return { kind: 'orders', orders: this.endAll(ids, OrderReason.operator) };
  }

  /** Ends all orders of a market for good, in the order of its book, and lets no more in. */
  delist(command: DelistMarket): Outcome {
    const { state } = this;
    const market = state.markets[command.market];
    if (market === undefined) return rejected(RejectionCode.unknownMarket);
    const ids: number[] = [];
    state.forEachOrderOf(market, (slot) => ids.push(state.details.id(slot)));
    const orders = this.endAll(ids, OrderReason.delisted);
    state.exclude(hashMarket(market));
    market.status = MarketStatus.delisted;
    state.include(hashMarket(market));
    return { kind: 'orders', orders };
  }

  /** Ids of the account's open orders, by id, that a selection means. */
  private select(account: Account, selection: OrderSelection): number[] {
    const { details, index, orders } = this.state;
    const { market, orderIds, clientOrderId } = selection;
    let slots: readonly number[] = account.openSlots;
    if (clientOrderId !== null) {
      const known = findPlaced(this.state, account, clientOrderId);
      slots = known === undefined ? [] : [index.find(known.orderId)];
    } else if (orderIds !== null) slots = orderIds.map((id) => index.find(id));
    const ids = slots
      .filter((slot) => slot !== NONE && orders.account(slot) === account.index)
      .filter((slot) => market === NONE || details.market(slot) === market)
      .map((slot) => details.id(slot));
    return [...new Set(ids)].sort((a, b) => a - b);
  }

  /** Who ends several orders at once wants none: what is attached to them never comes alive. */
  private endAll(ids: readonly number[], reason: number): OrderRecord[] {
    const { state } = this;
    const { events, index, attachments } = state;
    const from = events.length;
    for (const id of ids) {
      const slot = index.find(id);
      // The other of its pair may have taken it along.
      if (slot === NONE) continue;
      if (attachments.size > 0) state.detach(slot);
      end(state, slot, OrderStatus.canceled, reason);
    }
    return events.slice(from).filter((event) => event.kind === 'order');
  }

  /** Arms a key's deadline, moves the one it has, or takes it back. */
  cancelAfter({ account, key, market, timeoutMs }: CancelAfter): Outcome {
    const { state } = this;
    const { deadlines } = state;
    if (market !== NONE && state.markets[market] === undefined) {
      return rejected(RejectionCode.unknownMarket);
    }
    const armed = deadlines.of(account).filter((each) => each.key === key);
    const isMeant = (each: Deadline) =>
      each.market === market || (market === NONE && timeoutMs === 0);
    const meant = armed.filter(isMeant);
    if (timeoutMs !== 0 && meant.length === 0) {
      if (deadlines.of(account).length >= MAX_DEADLINES_PER_ACCOUNT) {
        return rejected(RejectionCode.limitReached, 'deadlines');
      }
    }
    for (const deadline of meant) state.disarm(deadline);
    if (timeoutMs !== 0) state.arm({ account, key, market, dueAt: state.time + timeoutMs });
    return {
      kind: 'deadlines',
      deadlines: deadlines.of(account).filter((each) => each.key === key),
    };
  }

  /** Does what has become due, the earliest first; of what is due together orders expire first. */
  runDue(): void {
    const { expiries, deadlines, time } = this.state;
    for (;;) {
      const next = Math.min(expiries.nextTime, deadlines.nextTime);
      if (next > time) return;
      if (next === expiries.nextTime) {
        end(this.state, expiries.first, OrderStatus.expired, OrderReason.expired);
        bringAttached(this.state);
      } else this.meet(deadlines.first);
    }
  }

  /** A key has been silent for too long: what it placed is canceled. */
  private meet(deadline: Deadline): void {
    const { state } = this;
    const { details } = state;
    state.disarm(deadline);
    const { account, key, market } = deadline;
    const ids = state.accounts[account]!.openSlots.filter((slot) => details.key(slot) === key)
      .filter((slot) => market === NONE || details.market(slot) === market)
      .map((slot) => details.id(slot))
      .sort((a, b) => a - b);
    this.endAll(ids, OrderReason.cancelAfter);
  }
}
