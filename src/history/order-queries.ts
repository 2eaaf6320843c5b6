import type { OrderRecord } from '../engine/event.ts';
import { OrderStatus } from '../engine/terms.ts';
import type { Database } from './database.ts';
import { Conditions, IdSearch } from './id-search.ts';
import type { OrderFilter, OrderPage } from './order-page.ts';
import { readOrder } from './orders.ts';

/** Finds final orders. Ids grow with the time of placing, so a page in order of ids is one of times. */
export class OrderQueries {
  private readonly rows: IdSearch;

  constructor(
    private readonly database: Database,
    searchLimit?: number,
  ) {
    this.rows = new IdSearch(database, ROWS, searchLimit);
  }

  async order(account: number, id: number): Promise<OrderRecord | undefined> {
    const [row] = await this.database.query(
      'SELECT * FROM orders WHERE account = $1 AND id = $2',
      account,
      id,
    );
    return row === undefined ? undefined : readOrder(row);
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
  table: 'orders',
  owner: 'account',
  id: 'id',
  indexed: ['market', 'side', 'status'],
} as const;

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
