import type { CancelOrder } from './command.ts';
import type { Outcome } from './event.ts';
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

  /** Ends every order whose time has come, the earliest first. */
  runDue(): void {
    const { expiries, time } = this.state;
    while (expiries.nextTime <= time) {
      this.trading.end(expiries.first, OrderStatus.expired, OrderReason.expired);
    }
  }
}
