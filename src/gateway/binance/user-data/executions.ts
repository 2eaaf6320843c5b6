import type { Event, OrderRecord } from '../../../engine/event.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import { difference, type Exact } from '../../../engine/numbers/exact.ts';
import type { State } from '../../../engine/state.ts';
import { OrderReason, OrderStatus, OrderType } from '../../../engine/terms.ts';
import { isPending, statusName } from '../orders/order-text.ts';
import { listPending } from '../orders/pending-orders.ts';
import type { JoinedFills, OrderFill } from './joined-fills.ts';

/** The kinds of change to an order that Binance reports (enums.md, "Execution types"). Rejected requests have no report. */
export type ExecutionType =
  | 'NEW'
  | 'CANCELED'
  | 'REPLACED'
  | 'TRADE'
  | 'EXPIRED'
  | 'TRADE_PREVENTION';

/** One change to an order. */
export interface Execution {
  readonly type: ExecutionType;
  /** The order's status after the change, as Binance names it. */
  readonly status: string;
  readonly order: OrderRecord;
  /** Whether the order is in the order book, or matched now. */
  readonly isWorking: boolean;
  /** Filled until then: amount in the market's units, cost in minor units of the quote asset. */
  readonly filled: number;
  readonly filledCost: Exact;
  /** Only with TRADE. */
  readonly fill?: OrderFill;
  /** Whether the order ends without having been activated. */
  readonly hasWaited?: boolean;
}

/**
 * Derives the changes to an account's orders from the events of commands: an order that trades at once is reported as new,
 * then once for every trade, and once more if its remaining quantity expires.
 */
export class AccountExecutions {
  /** Ids of the account's orders that are pending trigger. */
  private readonly pending: Set<number>;
  /** Ids of the orders that wait for the working order of their list. */
  private readonly waiting: Set<number>;
  /** Ids of the orders that the current command has reported as new, triggered or replaced. */
  private readonly introduced = new Set<number>();
  private executions: Execution[] = [];
  private firstNewId = 0;

  constructor(
    private readonly state: State,
    readonly account: Account,
  ) {
    const open = state.accountOpenOrders(account);
    this.pending = new Set(open.map(({ id }) => id).filter((id) => isPending(state, id)));
    this.waiting = new Set(open.flatMap(listPending).map(({ id }) => id));
  }

  /**
   * Returns the account's changes in order.
   * @param events Of the command that was applied last.
   * @param firstNewId The lowest id of orders that the command placed.
   */
  read(events: readonly Event[], fills: JoinedFills, firstNewId: number): readonly Execution[] {
    const { index } = this.account;
    this.executions = [];
    this.introduced.clear();
    this.firstNewId = firstNewId;
    for (const event of events) {
      if (event.kind === 'trade') {
        for (const fill of fills.get(event)) if (fill.order.account === index) this.noteFill(fill);
      } else if (event.kind === 'order' && event.account === index) {
        this.noteOrder(event, fills.hasFills(event));
      }
    }
    return this.executions;
  }

  private noteFill(fill: OrderFill): void {
    this.introduce(fill);
    const { order, filled, filledCost } = fill;
    const isLast = order.status === OrderStatus.filled && filled === order.amount;
    const status = isLast ? 'FILLED' : 'PARTIALLY_FILLED';
    const isWorking = !isLast;
    this.executions.push({ type: 'TRADE', status, order, isWorking, filled, filledCost, fill });
  }

  /** Reports how an order comes to trade, unless it was in the book before. */
  private introduce(fill: OrderFill): void {
    const { order, trade, isMaker } = fill;
    if (this.pending.delete(order.id)) this.addNew(order);
    else if (this.introduced.has(order.id)) return;
    else if (order.id >= this.firstNewId) this.addPlaced(order);
    else if (isMaker) return;
    else {
      // Only an amendment makes an order of the book the taker.
      const filled = fill.filled - trade.amount;
      const filledCost = difference(fill.filledCost, trade.cost);
      const status = filled === 0 ? 'NEW' : 'PARTIALLY_FILLED';
      const state = { order, isWorking: true, filled, filledCost };
      this.executions.push({ type: 'REPLACED', status, ...state });
    }
    this.introduced.add(order.id);
  }

  private noteOrder(order: OrderRecord, hasFills: boolean): void {
    const { id, status } = order;
    const isOpen = status === OrderStatus.open;
    if (this.waiting.delete(id)) {
      this.noteActivated(order);
      return;
    }
    if (id >= this.firstNewId && !this.introduced.has(id)) {
      this.introduced.add(id);
      const isStop = order.type >= OrderType.stop;
      if (isStop && isOpen) this.pending.add(id);
      this.addPlaced(order, !isStop);
    } else if (this.pending.has(id)) this.notePending(order);
    else if (isOpen && !hasFills) this.addChange(order);
    if (isOpen) return;
    if (status !== OrderStatus.filled) this.addEnd(order);
    else if (!hasFills) this.addChange(order);
  }

  /** Notes that the working order of a list has ended, and what becomes of an order that waited for it. */
  private noteActivated(order: OrderRecord): void {
    if (order.status !== OrderStatus.open) {
      this.addEnd(order, true);
      return;
    }
    const isStop = order.type >= OrderType.stop;
    this.introduced.add(order.id);
    // One that may match is reported when it runs.
    if (isStop || !order.postOnly) this.pending.add(order.id);
    if (isStop || order.postOnly) this.addNew(order, !isStop);
  }

  /** Reports a placed order, and those that wait for it. */
  private addPlaced(order: OrderRecord, isWorking = true): void {
    this.addNew(order, isWorking);
    for (const waiting of listPending(order)) {
      this.waiting.add(waiting.id);
      this.addState('NEW', waiting, false);
    }
  }

  /** Notes a change of an order that was pending trigger until then, without a trade. */
  private notePending(order: OrderRecord): void {
    const { id, status, reason } = order;
    if (status === OrderStatus.open && isPending(this.state, id)) {
      this.addChange(order);
      return;
    }
    this.pending.delete(id);
    const isEnd = status === OrderStatus.canceled || status === OrderStatus.rejected;
    if (!isEnd && reason !== OrderReason.expired) this.addNew(order);
  }

  /** Reports an order before it trades. */
  private addNew(order: OrderRecord, isWorking = true): void {
    const unfilled = { filled: 0, filledCost: 0 };
    this.executions.push({ type: 'NEW', status: 'NEW', order, isWorking, ...unfilled });
  }

  /** Reports an amendment, or a reduction by self-trade prevention. */
  private addChange(order: OrderRecord): void {
    const isPrevented = order.reason === OrderReason.selfTrade;
    const isWorking = order.status === OrderStatus.open && !isPending(this.state, order.id);
    this.addState(isPrevented ? 'TRADE_PREVENTION' : 'REPLACED', order, isWorking);
  }

  private addEnd(order: OrderRecord, hasWaited = false): void {
    const status = statusName(order);
    const isCanceled = status === 'CANCELED';
    const type = status === 'EXPIRED_IN_MATCH' ? 'TRADE_PREVENTION' : 'EXPIRED';
    this.addState(isCanceled ? 'CANCELED' : type, order, false, hasWaited);
  }

  private addState(
    type: ExecutionType,
    order: OrderRecord,
    isWorking: boolean,
    hasWaited = false,
  ): void {
    const { amount, remaining, filledCost } = order;
    const filled = amount - remaining;
    const status = statusName(order);
    this.executions.push({ type, status, order, isWorking, filled, filledCost, hasWaited });
  }
}
