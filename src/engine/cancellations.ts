import type { Account } from './accounts.ts';
import type { CancelOrder, CancelOrders, OrderSelection } from './command.ts';
import type { OrderRecord, Outcome } from './event.ts';
import { RejectionCode, rejected } from './rejection.ts';
import type { State } from './state.ts';
import { NONE, OrderReason, OrderStatus } from './terms.ts';
import type { Trading } from './trading.ts';

/** Open orders end before they are filled: somebody asks for it, or their time has come. */
export class Cancellations {
  constructor(
    private readonly state: State,
    private readonly trading: Trading,
  ) {}

  cancel(command: CancelOrder): Outcome {
    const slot = this.state.index.find(command.orderId);
    if (slot === NONE || this.state.orders.account(slot) !== command.account) {
      return rejected(RejectionCode.orderNotOpen);
    }
    const order = this.trading.end(slot, OrderStatus.canceled, OrderReason.requested);
    return { kind: 'order', order };
  }

  cancelOrders(command: CancelOrders): Outcome {
    const ids = this.select(this.state.accounts[command.account]!, command);
    return { kind: 'orders', orders: this.endAll(ids, OrderReason.requested) };
  }

  /** Ids of the account's open orders that a selection means. */
  private select(account: Account, selection: OrderSelection): number[] {
    const { details, index, orders } = this.state;
    const { market, orderIds, clientOrderId } = selection;
    let slots: readonly number[] = account.openSlots;
    if (clientOrderId !== null) {
      const known = account.clientOrders.get(clientOrderId);
      slots = known === undefined ? [] : [index.find(known.orderId)];
    } else if (orderIds !== null) slots = orderIds.map((id) => index.find(id));
    const ids = slots
      .filter((slot) => slot !== NONE && orders.account(slot) === account.index)
      .filter((slot) => market === NONE || details.market(slot) === market)
      .map((slot) => details.id(slot));
    return [...new Set(ids)];
  }

  /** Ends orders, the one placed first before the others. */
  private endAll(ids: number[], reason: number): OrderRecord[] {
    return ids
      .sort((a, b) => a - b)
      .map((id) => this.trading.end(this.state.index.find(id), OrderStatus.canceled, reason));
  }

  /** Ends every order whose time has come, the earliest first. */
  runDue(): void {
    const { expiries, time } = this.state;
    while (expiries.nextTime <= time) {
      this.trading.end(expiries.first, OrderStatus.expired, OrderReason.expired);
    }
  }
}
