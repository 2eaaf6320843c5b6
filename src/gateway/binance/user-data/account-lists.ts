import type { OrderRecord } from '../../../engine/event.ts';
import type { State } from '../../../engine/state.ts';
import { NONE } from '../../../engine/terms.ts';
import { toMemberTexts } from '../order-lists/list-text.ts';
import { findFirstId, type OrderNames, orderNames, readListNames } from '../orders/order-names.ts';
import { toSymbol } from '../symbols.ts';
import type { Execution } from './executions.ts';

/** The order lists of one account that have an open order. */
export class AccountLists {
  /** The first orders of the lists, by id. */
  private readonly firsts = new Map<number, OrderRecord>();

  /** @param findOrder Returns one of the account's orders, open or final, from history. */
  constructor(
    private readonly state: State,
    open: readonly OrderRecord[],
    findOrder: (id: number) => Promise<OrderRecord | undefined>,
  ) {
    for (const order of open) this.note(order);
    for (const order of open) {
      const firstId = findFirstId(order);
      if (firstId === undefined || this.firsts.has(firstId)) continue;
      // A report that comes before the answer names the order by its id.
      findOrder(firstId).then(
        (first) => first !== undefined && this.note(first),
        () => undefined,
      );
    }
  }

  names(order: OrderRecord): OrderNames {
    return orderNames(order, this.firsts.get(findFirstId(order) ?? NONE));
  }

  note(order: OrderRecord): void {
    if (readListNames(order) !== undefined) this.firsts.set(order.id, order);
  }

  /**
   * Returns a `listStatus` for each list that a command has begun or ended.
   * @param firstNewId The lowest id of orders that the command placed.
   */
  statusEvents(executions: readonly Execution[], firstNewId: number, now: number): string[] {
    const events: string[] = [];
    const seen = new Set<number>();
    for (const { order } of executions) {
      const { orderListId } = this.names(order);
      const first = this.firsts.get(orderListId);
      if (first === undefined || seen.has(orderListId)) continue;
      seen.add(orderListId);
      const { orders } = readListNames(first)!;
      const isOpen = orders.some((_, place) => this.state.index.find(first.id + place) !== NONE);
      if (first.id >= firstNewId) {
        events.push(this.statusText(first, 'EXEC_STARTED', 'EXECUTING', now));
      }
      if (isOpen) continue;
      events.push(this.statusText(first, 'ALL_DONE', 'ALL_DONE', now));
      this.firsts.delete(orderListId);
    }
    return events;
  }

  private statusText(first: OrderRecord, type: string, status: string, now: number): string {
    const market = this.state.markets[first.market]!;
    const { kind, list } = readListNames(first)!;
    return (
      `{"e":"listStatus","E":${now},"s":"${toSymbol(market)}","g":${first.id},"c":"${kind}",` +
      `"l":"${type}","L":"${status}","r":"NONE","C":"${list}","T":${this.state.time},` +
      `"O":${toMemberTexts(first, market, ['s', 'i', 'c'])}}`
    );
  }
}
