import type { OrderRecord } from '../engine/event.ts';
import { OrderStatus } from '../engine/terms.ts';
import type { Database, Value } from './database.ts';
import type { OrderFilter, OrderPage } from './order-page.ts';
import { readOrder } from './orders.ts';

/**
 * How many orders a search for few among many looks at before it gives up: some milliseconds of
 * reading the index. A page that asks on finds the rest, and no question takes the thread for long.
 */
const SEARCH_LIMIT = 50_000;

/** The ids that a page may hold, `from` to below `to`. Placed in that order, so a span of time too. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Finds final orders. Ids grow with the time of placing, so a page in order of ids is one of times. */
export class OrderQueries {
  constructor(
    private readonly database: Database,
    private readonly searchLimit = SEARCH_LIMIT,
  ) {}

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
    const span = await this.spanOf(filter);
    if (statuses?.length === 0 || span.from >= span.to) {
      return { orders: [], searchedTo: undefined };
    }
    const { market, side, clientOrderId } = filter;
    const where = new Conditions();
    if (market !== undefined) where.add('market = ?', market);
    if (side !== undefined) where.add('side = ?', side);
    if (statuses !== undefined) {
      where.add(`status IN (${statuses.map(() => '?').join(', ')})`, ...statuses);
    }
    if (where.values.length > 0 && clientOrderId === undefined) {
      return this.search(filter, span, where);
    }
    if (clientOrderId !== undefined) {
      // The second condition is that of the index, without which it is not used.
      where.add("client_order_id = ? AND client_order_id <> ''", clientOrderId);
    }
    return { orders: await this.read(filter, span, where), searchedTo: undefined };
  }

  private async read(
    { account, descending, limit }: OrderFilter,
    { from, to }: Span,
    where: Conditions,
  ): Promise<OrderRecord[]> {
    const rows = await this.database.query(
      `SELECT * FROM orders WHERE account = $1 AND id >= $2 AND id < $3${where.and(4)}
        ORDER BY id ${descending ? 'DESC' : 'ASC'} LIMIT $${4 + where.values.length}`,
      account,
      from,
      to,
      ...where.values,
      limit,
    );
    return rows.map(readOrder);
  }

  /** Looks through the index alone, up to the limit, and reads only the orders it finds. */
  private async search(filter: OrderFilter, span: Span, where: Conditions): Promise<OrderPage> {
    const { account, descending, limit } = filter;
    const direction = descending ? 'DESC' : 'ASC';
    const all = `FROM orders WHERE account = $1 AND id >= $2 AND id < $3 ORDER BY id ${direction}`;
    const rows = await this.database.query(
      `SELECT orders.* FROM (
          SELECT id FROM (SELECT id, market, side, status ${all} LIMIT $4) AS searched
            WHERE TRUE${where.and(5)} ORDER BY id ${direction} LIMIT $${5 + where.values.length}
        ) AS found
        JOIN orders ON orders.account = $1 AND orders.id = found.id
        ORDER BY found.id ${direction}`,
      account,
      span.from,
      span.to,
      this.searchLimit,
      ...where.values,
      limit,
    );
    const orders = rows.map(readOrder);
    if (orders.length === limit) return { orders, searchedTo: undefined };
    const [last] = await this.database.query(
      `SELECT id ${all} LIMIT 1 OFFSET $4`,
      account,
      span.from,
      span.to,
      this.searchLimit - 1,
    );
    return { orders, searchedTo: last === undefined ? undefined : Number(last.id) };
  }

  private async spanOf({ account, since, until, beforeId, afterId }: OrderFilter): Promise<Span> {
    let from = afterId === undefined ? 0 : afterId + 1;
    let to = beforeId ?? Number.MAX_SAFE_INTEGER;
    if (since !== undefined) from = Math.max(from, await this.firstPlacedFrom(account, since));
    if (until !== undefined) to = Math.min(to, await this.firstPlacedFrom(account, until + 1));
    return { from, to };
  }

  /**
   * An id that divides the account's final orders: those placed before `time` are below it, the
   * others not. Found by halving, with no index by time to be kept.
   */
  private async firstPlacedFrom(account: number, time: number): Promise<number> {
    const [newest] = await this.database.query(
      'SELECT id FROM orders WHERE account = $1 ORDER BY id DESC LIMIT 1',
      account,
    );
    let before = 0;
    let from = newest === undefined ? 1 : Number(newest.id) + 1;
    while (from - before > 1) {
      const middle = before + Math.floor((from - before) / 2);
      const [order] = await this.database.query(
        'SELECT id, created_at FROM orders WHERE account = $1 AND id >= $2 ORDER BY id LIMIT 1',
        account,
        middle,
      );
      if (Number(order!.created_at) < time) before = Number(order!.id);
      else from = middle;
    }
    return from;
  }
}

/** Conditions besides account and id, and their values. */
class Conditions {
  readonly values: Value[] = [];
  private readonly texts: string[] = [];

  /** @param text With `?` for each value. */
  add(text: string, ...values: Value[]): void {
    this.texts.push(text);
    this.values.push(...values);
  }

  /** ` AND …` for each, the values numbered from `first` on. */
  and(first: number): string {
    let next = first;
    const text = this.texts.map((condition) => ` AND ${condition}`).join('');
    return text.replaceAll('?', () => `$${next++}`);
  }
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
