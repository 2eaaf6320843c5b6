import type { OrderIndex } from '../book/order-index.ts';
import type { ElementHashes } from '../digest.ts';
import { type ClientOrder, hashClientOrder } from '../ledger/accounts.ts';
import { CLIENT_ORDER_ID_LIFETIME_MS, MAX_CLIENT_ORDER_IDS } from '../limits.ts';
import { NONE } from '../terms.ts';

/** The parts of the state that the queue needs. */
export interface QueueState extends ElementHashes {
  readonly time: number;
  readonly index: OrderIndex;
}

/** The client order ids of engine version 1: all of the last 25 hours. */
export class ClientOrderQueue {
  /** In the order in which they will be forgotten. */
  private orders: ClientOrder[] = [];
  private forgotten = 0;

  constructor(private readonly state: QueueState) {}

  get size(): number {
    return this.orders.length - this.forgotten;
  }

  get isFull(): boolean {
    return this.size >= MAX_CLIENT_ORDER_IDS;
  }

  /** Returns the remembered ids in the order in which they will be forgotten. */
  all(): readonly ClientOrder[] {
    return this.orders.slice(this.forgotten);
  }

  add(order: ClientOrder): void {
    order.account.clientOrders.set(order.clientOrderId, order);
    this.orders.push(order);
    this.state.include(hashClientOrder(order));
  }

  /** Forgets expired ids unless their order is still open. */
  forgetDue(): void {
    const { state, orders } = this;
    while (this.forgotten < orders.length && orders[this.forgotten]!.forgetAt <= state.time) {
      const due = orders[this.forgotten++]!;
      state.exclude(hashClientOrder(due));
      if (state.index.find(due.orderId) === NONE) {
        due.account.clientOrders.delete(due.clientOrderId);
        continue;
      }
      due.forgetAt = state.time + CLIENT_ORDER_ID_LIFETIME_MS;
      orders.push(due);
      state.include(hashClientOrder(due));
    }
    if (this.forgotten > 10_000 && this.forgotten * 2 > orders.length) {
      orders.splice(0, this.forgotten);
      this.forgotten = 0;
    }
  }

  /** Removes and returns all ids in the order in which they would have been forgotten. */
  takeAll(): readonly ClientOrder[] {
    const all = this.all();
    for (const order of all) {
      this.state.exclude(hashClientOrder(order));
      order.account.clientOrders.clear();
    }
    this.orders = [];
    this.forgotten = 0;
    return all;
  }
}
