import type { OrderRecord } from '../../engine/event.ts';
import { OrderStatus } from '../../engine/terms.ts';
import { select } from '../database/checksum.ts';
import type { Queries } from '../database/database.ts';
import { type EndedOrder, ordersTable, readOrder } from '../tables/orders.ts';
import { Conditions, IdSearch } from './id-search.ts';
import type { OrderFilter, OrderPage } from './order-page.ts';

/** A query for final orders of one account, in the order in which they became final. */
export interface EndedFilter {
  readonly account: number;
  /** Only orders after this batch and order id. */
  readonly after: { readonly endedIn: number; readonly id: number };
  readonly upTo: number;
  readonly limit: number;
}

export function isAfter({ endedIn, order }: EndedOrder, { after }: EndedFilter): boolean {
  return endedIn > after.endedIn || (endedIn === after.endedIn && order.id > after.id);
}

/** Finds final orders. Ids grow with the time of placing, so the order of ids is that of time. */
export class OrderQueries {
  private readonly rows: IdSearch;

  constructor(
    private readonly database: Queries,
    searchLimit?: number,
  ) {
    this.rows = new IdSearch(database, ROWS, searchLimit);
  }

  /** Returns the orders with these ids, at least one, in no particular order. */
  async byIds(account: number, ids: readonly number[]): Promise<OrderRecord[]> {
    const where = new Conditions();
    // A power of two of values: databases keep a statement for each text.
    const count = 2 ** Math.ceil(Math.log2(ids.length));
    where.addIn('id', [...ids, ...Array<number>(count - ids.length).fill(ids[0]!)]);
    const rows = await select(
      this.database,
      ordersTable,
      `SELECT * FROM orders WHERE account = $1${where.and(2)}`,
      account,
      ...where.values,
    );
    return rows.map(readOrder);
  }

  /** Returns orders in the order in which they ended, those of one batch by id. */
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
    const span = await this.rows.findSpan(account, 'created_at', filter);
    if (statuses?.length === 0 || span.from >= span.to) {
      return { orders: [], searchedTo: undefined };
    }
    const where = new Conditions();
    if (market !== undefined) where.add('market = ?', market);
    if (side !== undefined) where.add('side = ?', side);
    if (statuses !== undefined) where.addIn('status', statuses);
    if (clientOrderId === undefined) {
      const { items, searchedTo } = await this.rows.search(account, span, where, filter);
      return { orders: items.map(readOrder), searchedTo };
    }
    // The second condition repeats that of the partial index; without it the index is not used.
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

/** Returns whether the query may include final orders. */
export function mayIncludeFinal({ statuses }: OrderFilter): boolean {
  return finalStatuses(statuses)?.length !== 0;
}

/** Returns the statuses that a final order can have; undefined if all of them match. */
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
