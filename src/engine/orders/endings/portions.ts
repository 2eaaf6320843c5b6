import type { OrderRecord } from '../../event.ts';
import { PORTION } from '../../limits.ts';
import type { State } from '../../state.ts';
import { NONE, OrderReason, OrderStatus } from '../../terms.ts';
import type { Connection } from '../connections/connection-store.ts';
import { activateBrackets } from '../contingent/brackets.ts';
import type { Deadline } from './deadlines.ts';
import { endOrder } from './endings.ts';
import {
  ANY_KEY,
  addSweep,
  findNextInMarket,
  listRemainingOrders,
  type Sweep,
  takeSweep,
} from './sweeps.ts';

export type SweepTerms = Omit<Sweep, 'id' | 'below'>;

/** The orders that ended immediately, and the id of the sweep that ends the rest, if any. */
export interface Started {
  readonly orders: readonly OrderRecord[];
  readonly sweep?: number;
}

/**
 * Ends many orders in bounded portions (engine version 2): sweeps, expiries and deadlines. Each
 * order is final, and its hold is released, as soon as it has been processed.
 */
export class Portions {
  constructor(private readonly state: State) {}

  /**
   * Runs one portion: sweeps in turns, then expiries and deadlines, the earliest first, for which a
   * quarter of the portion is reserved.
   */
  begin(): void {
    this.state.renewPortion();
    this.proceed(this.isDue ? PORTION.ends >> 2 : 0);
    this.runDates();
    this.proceed(0);
  }

  /**
   * Starts a sweep: ends as many orders as the current portion allows, and leaves the rest to the
   * next portions.
   */
  start(terms: SweepTerms): Started {
    const { state } = this;
    const { sweeps } = state;
    const sweep = { ...terms, id: sweeps.nextId++, below: state.nextOrderId };
    const from = state.events.length;
    if (sweeps.endsLeft > 0 && this.step(sweep, sweeps.endsLeft)) {
      return { orders: this.ordersSince(from) };
    }
    addSweep(state, sweep);
    return { orders: this.ordersSince(from), sweep: sweep.id };
  }

  /**
   * Ends a connection and cancels its open orders: as many as the current portion allows, the rest in the
   * next portions.
   */
  disconnect(connection: Connection): Started {
    const { accounts, connections, sweeps } = this.state;
    const { openSlots } = accounts[connection.account]!;
    sweeps.endsLeft -= Math.floor(openSlots.length / PORTION.scanned);
    const orderIds = connections.remove(connection, openSlots);
    const { account } = connection;
    if (orderIds.length > 0) {
      const reason = OrderReason.disconnected;
      return this.start({ account, key: ANY_KEY, market: NONE, orderIds, reason });
    }
    // It counts too, so that a portion ends a bounded number of connections.
    sweeps.endsLeft--;
    return { orders: [] };
  }

  private get isDue(): boolean {
    return this.nextDate <= this.state.time;
  }

  /** When the next expiry, deadline, lease or work of a state part is due, in milliseconds since 1970; Infinity for never. */
  get nextDate(): number {
    const { expiries, deadlines, connections, parts } = this.state;
    return Math.min(expiries.nextTime, deadlines.nextTime, connections.nextTime, parts.nextTime);
  }

  /** Continues sweeps until no more than `reserved` of the portion is left. */
  private proceed(reserved: number): void {
    const { state } = this;
    const { sweeps } = state;
    while (sweeps.queue.length > 0 && sweeps.endsLeft > reserved) {
      const sweep = takeSweep(state);
      const left = sweeps.endsLeft - reserved;
      const from = state.events.length;
      const target = sweeps.queue.length === 0 ? left : Math.min(left, PORTION.turn);
      const isDone = this.step(sweep, target);
      if (!isDone) addSweep(state, sweep);
      sweeps.swept.push({ sweep: sweep.id, orders: this.ordersSince(from), isDone });
    }
  }

  /**
   * Runs due expiries, deadlines, leases and the work of state parts within the rest of the current portion, the earliest first; of the same
   * time in this order.
   */
  runDates(): void {
    const { expiries, deadlines, connections, parts, time, sweeps } = this.state;
    while (sweeps.endsLeft > 0) {
      const next = this.nextDate;
      if (next > time) return;
      if (next === expiries.nextTime) {
        this.end(expiries.first, OrderStatus.expired, OrderReason.expired);
        activateBrackets(this.state);
      } else if (next === deadlines.nextTime) this.cancelByDeadline(deadlines.soonest);
      else if (next === connections.nextTime) this.disconnect(connections.soonest);
      else {
        parts.runDue();
        sweeps.endsLeft--;
      }
    }
  }

  /** Cancels the orders of a key that sent no heartbeat in time. */
  private cancelByDeadline(deadline: Deadline): void {
    const { account, key, market } = deadline;
    this.state.disarm(deadline);
    this.start({ account, key, market, orderIds: null, reason: OrderReason.cancelAfter });
  }

  /** Ends about `target` orders of a sweep, at least one. @returns Whether the sweep is complete. */
  private step(sweep: Sweep, target: number): boolean {
    const { sweeps } = this.state;
    const before = sweeps.endsLeft;
    const isDone =
      sweep.account === NONE
        ? this.endMarketOrders(sweep, before - target)
        : this.endAccountOrders(sweep, before - target);
    // An empty sweep counts too, so that a portion runs a bounded number of sweeps.
    if (sweeps.endsLeft === before) sweeps.endsLeft--;
    return isDone;
  }

  private endAccountOrders(sweep: Sweep, until: number): boolean {
    const { state } = this;
    const { sweeps, accounts, index } = state;
    const scanned = sweep.orderIds?.length ?? accounts[sweep.account]!.openOrders;
    const ids = listRemainingOrders(sweep, state);
    const isDone = ids.every((id) => {
      const slot = index.find(id);
      // May have ended with the other leg of its OCO order.
      if (slot === NONE) return true;
      if (sweeps.endsLeft <= until) return false;
      this.cancel(slot, sweep.reason);
      return true;
    });
    sweeps.endsLeft -= Math.floor(scanned / PORTION.scanned);
    return isDone;
  }

  private endMarketOrders(sweep: Sweep, until: number): boolean {
    const { state } = this;
    for (;;) {
      const slot = findNextInMarket(sweep, state);
      if (slot === NONE) return true;
      if (state.sweeps.endsLeft <= until) return false;
      this.cancel(slot, sweep.reason);
    }
  }

  /**
   * Cancels an order of a sweep. A bulk cancel also drops the legs of a bracket order, so none is
   * activated.
   */
  private cancel(slot: number, reason: number): void {
    if (this.state.attachments.size > 0) this.state.detach(slot);
    this.end(slot, OrderStatus.canceled, reason);
  }

  /** Ends an order and the other leg of its OCO order. */
  private end(slot: number, status: number, reason: number): void {
    const { state } = this;
    const before = state.orders.size;
    endOrder(state, slot, status, reason);
    state.sweeps.endsLeft -= before - state.orders.size;
  }

  private ordersSince(from: number): OrderRecord[] {
    return this.state.events.slice(from).filter((event) => event.kind === 'order');
  }
}
