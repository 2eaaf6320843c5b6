import type { EntryEvent, OrderRecord } from '../../engine/event.ts';
import { sum } from '../../engine/numbers/exact.ts';
import { listPendingLegs } from '../../engine/orders/contingent/pending-legs.ts';
import type { State } from '../../engine/state.ts';
import {
  matches,
  mergeOrders,
  type OrderFilter,
  type OrderPage,
  type Page,
  type TotalsFilter,
  type TotalsPoint,
  TotalsWalk,
} from '../../history/history.ts';
import type { ArchiveQuery, Archivist } from '../archivist.ts';

/**
 * Answers queries about orders and balances as of a past state. The rows of history do not change once they are
 * written: of the final orders and ledger entries it takes those that the past state had.
 */
export class PastArchivist implements Pick<Archivist, 'query'> {
  /**
   * @param archivist Answers as of now. @param position The batch that its answers include at least.
   * @param state The past state.
   */
  constructor(
    private readonly archivist: Pick<Archivist, 'query'>,
    private readonly position: number,
    private readonly state: State,
  ) {}

  /** @throws Error for a query that no endpoint with a past has. */
  async query(query: ArchiveQuery): Promise<unknown> {
    switch (query.kind) {
      case 'orders':
        return this.orders(query.filter);
      case 'order':
        return this.order(query.account, query.orderId);
      case 'totals':
        return this.totals(query.filter);
      default:
        throw new Error(`no past answer to a query for ${query.kind}`);
    }
  }

  private async orders(filter: OrderFilter): Promise<OrderPage> {
    const { nextOrderId } = this.state;
    const open = this.openOrders(filter.account);
    const unfinished = this.unfinishedIds(open);
    const beforeId = Math.min(filter.beforeId ?? nextOrderId, nextOrderId);
    const final = (await this.ask({
      kind: 'finalOrders',
      // Orders that were open then take places in the page.
      filter: { ...filter, beforeId, limit: filter.limit + unfinished.size },
    })) as OrderPage;
    const orders = final.orders.filter(({ id }) => !unfinished.has(id)).slice(0, filter.limit);
    const page = { orders, searchedTo: final.searchedTo };
    return mergeOrders(
      page,
      open.filter((order) => matches(order, filter)),
      filter,
    );
  }

  private async order(account: number, orderId: number): Promise<OrderRecord | undefined> {
    const open = this.openOrders(account);
    const found = open.find(({ id }) => id === orderId);
    if (found !== undefined) return found;
    if (orderId >= this.state.nextOrderId || this.unfinishedIds(open).has(orderId))
      return undefined;
    return (await this.ask({ kind: 'order', account, orderId })) as OrderRecord | undefined;
  }

  /** Walks back from the balances of the past state. */
  private async totals(filter: TotalsFilter): Promise<readonly TotalsPoint[]> {
    const { state } = this;
    const now = Math.max(filter.now, state.time);
    const totals = Array.from(state.accounts[filter.account]!.balances, (balance) =>
      balance === undefined ? undefined : sum(balance.available, balance.held),
    );
    const walk = new TotalsWalk({ ...filter, now }, totals);
    const { nextEntryId } = state.ledger;
    for (let isDone = false; !isDone; ) {
      isDone = await walk.step(async (page) => {
        const beforeId = Math.min(page.beforeId ?? nextEntryId, nextEntryId);
        const entries = { kind: 'entries', filter: { ...page, beforeId } } as const;
        return (await this.ask(entries)) as Page<EntryEvent>;
      });
    }
    return walk.points;
  }

  private openOrders(account: number): OrderRecord[] {
    return this.state.accountOpenOrders(this.state.accounts[account]!);
  }

  /** Returns the ids of orders that had not ended: open ones, and legs that were not activated. */
  private unfinishedIds(open: readonly OrderRecord[]): ReadonlySet<number> {
    const orders = open.flatMap((order) => [order, ...listPendingLegs(order)]);
    return new Set(orders.map(({ id }) => id));
  }

  private ask(query: ArchiveQuery): Promise<unknown> {
    return this.archivist.query(query, this.position);
  }
}
