import type { OrderRecord } from '../engine/event.ts';
import { OrderStatus } from '../engine/terms.ts';
import { select } from './checksum.ts';
import type { Queries } from './database.ts';
import { Conditions, IdSearch } from './id-search.ts';
import type { OrderFilter, OrderPage } from './order-page.ts';
import { type EndedOrder, ordersTable, readOrder } from './orders.ts';

/** Which orders of one account are asked for, by the batch of the log that made them final. */
export interface EndedFilter {
  readonly account: number;
  /** Those that come behind this one: a batch, and an order id within it. */
  readonly after: { readonly endedIn: number; readonly id: number };
  readonly upTo: number;
  readonly limit: number;
}

export function isAfter({ endedIn, order }: EndedOrder, { after }: EndedFilter): boolean {
  return endedIn > after.endedIn || (endedIn === after.endedIn && order.id > after.id);
}

/** Finds final orders. Ids grow with the time of placing, so a page in order of ids is one of times. */
export class OrderQueries {
  private readonly rows: IdSearch;

  constructor(
    private readonly database: Queries,
    searchLimit?: number,
  ) {
    this.rows = new IdSearch(database, ROWS, searchLimit);
  }

  async order(account: number, id: number): Promise<OrderRecord | undefined> {
    const [row] = await select(
      this.database,
      ordersTable,
      'SELECT * FROM orders WHERE account = $1 AND id = $2',
      account,
      id,
    );
    return row === undefined ? undefined : readOrder(row);
  }

  /** In the order in which they ended, those of one batch by their ids. */
  async ended({ account, after, upTo, limit }: EndedFilter): Promise<EndedOrder[]> {
    const rows = await select(
      this.database,
      ordersTable,
      `SELECT * FROM orders WHERE account = $1 AND (ended_in, id) > ($2, $3) AND ended_in <= $4
        ORDER BY ended_in, id LIMIT $5`,
      account,
      after.endedIn,
      after.id,
      upTo,
      limit,
    );
    return rows.map((row) => ({ account, order: readOrder(row), endedIn: Number(row.ended_in) }));
  }

  async page(filter: OrderFilter): Promise<OrderPage> {
    const statuses = finalStatuses(filter.statuses);
    const { account, market, side, clientOrderId } = filter;
    const span = await this.rows.spanOf(account, 'created_at', filter);
    if (statuses?.length === 0 || span.from >= span.to) {
      return { orders: [], searchedTo: undefined };
    }
    const where = new Conditions();
    if (market !== undefined) where.add('market = ?', market);
    if (side !== undefined) where.add('side = ?', side);
    if (statuses !== undefined) where.addOneOf('status', statuses);
    if (clientOrderId === undefined) {
      const { items, searchedTo } = await this.rows.search(account, span, where, filter);
      return { orders: items.map(readOrder), searchedTo };
    }
    // The second condition is that of the index, without which it is not used.
    where.add("client_order_id = ? AND client_order_id <> ''", clientOrderId);
    const rows = await this.rows.read(account, span, where, filter);
    return { orders: rows.map(readOrder), searchedTo: undefined };
  }
}

const ROWS = {
  table: ordersTable,
  owner: 'account',
  id: 'id',
  indexed: ['market', 'side', 'status'],
} as const;

/** Whether any final order can be among what is asked for. */
export function asksForFinal({ statuses }: OrderFilter): boolean {
  return finalStatuses(statuses)?.length !== 0;
}

/** Those of the statuses that a final order can have, undefined where any will do. */
function finalStatuses(statuses: readonly number[] | undefined): number[] | undefined {
  if (statuses === undefined) return undefined;
  const final = FINAL.filter((status) => statuses.includes(status));
  return final.length === FINAL.length ? undefined : final;
}

const FINAL: readonly number[] = [
  OrderStatus.filled,
  OrderStatus.canceled,
  OrderStatus.expired,
  OrderStatus.rejected,
];
