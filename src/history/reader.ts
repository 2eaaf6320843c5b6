import type { EntryEvent, OrderRecord, TransferRecord } from '../engine/event.ts';
import { type AuditFilter, type AuditRecord, isMeant, readAudit } from './audit.ts';
import { type CandleFilter, candlePage } from './candle-page.ts';
import { type Candle, CandleQueries } from './candles.ts';
import type { Queries } from './database.ts';
import { type EntryFilter, EntryQueries, type Markets } from './entry-queries.ts';
import { type FillFilter, FillQueries, type TradeFilter } from './fill-queries.ts';
import type { Fill } from './fills.ts';
import type { Page } from './id-search.ts';
import {
  IdentityQueries,
  type PlacedFilter,
  type PlacedIdsFilter,
  type PlacedIdsPage,
  type PlacedOrder,
} from './identities.ts';
import { matches, type OrderFilter, type OrderPage, withOrders } from './order-page.ts';
import { type EndedFilter, isAfter, OrderQueries } from './order-queries.ts';
import type { EndedOrder } from './orders.ts';
import type { Pending } from './pending.ts';

/** Answers from the store, and from the rows behind it that wait for a commit. */
export class HistoryReader {
  private readonly orderQueries: OrderQueries;
  private readonly fillQueries: FillQueries;
  private readonly candleQueries: CandleQueries;
  private readonly entryQueries: EntryQueries;

  private readonly identities: IdentityQueries;

  constructor(
    private readonly database: Queries,
    private readonly pending: Pending,
  ) {
    this.orderQueries = new OrderQueries(database);
    this.fillQueries = new FillQueries(database, pending);
    this.candleQueries = new CandleQueries(database, pending);
    this.entryQueries = new EntryQueries(database, pending);
    this.identities = new IdentityQueries(database, pending);
  }

  /** One page of the account's final orders. */
  async finalOrders(filter: OrderFilter): Promise<OrderPage> {
    const pending = this.pending.orders(filter.account).map(({ order }) => order);
    const page = await this.orderQueries.page(filter);
    return withOrders(
      page,
      pending.filter((order) => matches(order, filter)),
      filter,
    );
  }

  /** The account's final order `id`; undefined where it is not final, not there or another's. */
  async order(account: number, id: number): Promise<OrderRecord | undefined> {
    const pending = this.pending.orders(account).find(({ order }) => order.id === id);
    return pending?.order ?? this.orderQueries.order(account, id);
  }

  /** The account's orders that ended in the batches asked for, in the order in which they did. */
  async endedOrders(filter: EndedFilter): Promise<EndedOrder[]> {
    const stored = await this.orderQueries.ended(filter);
    const pending = this.pending
      .orders(filter.account)
      .filter((ended) => isAfter(ended, filter) && ended.endedIn <= filter.upTo)
      .sort((a, b) => a.endedIn - b.endedIn || a.order.id - b.order.id)
      .map(({ account, order, endedIn }) => ({ account, order, endedIn }));
    return [...stored, ...pending].slice(0, filter.limit);
  }

  /** The newest final order of each client order id. */
  placed(filter: PlacedFilter): Promise<(PlacedOrder | undefined)[]> {
    return this.identities.placed(filter);
  }

  /** A page of the client order ids of an account's final orders. */
  placedIds(filter: PlacedIdsFilter): Promise<PlacedIdsPage> {
    return this.identities.placedIds(filter);
  }

  /** The transfer of each reference. */
  transfers(references: readonly string[]): Promise<(TransferRecord | undefined)[]> {
    return this.identities.transfers(references);
  }

  /** One page of what trades were to an account. */
  fills(filter: FillFilter): Promise<Page<Fill>> {
    return this.fillQueries.fills(filter);
  }

  /** One page of an account's ledger. @param markets What a fill's entries depend on, by index. */
  entries(filter: EntryFilter, markets: Markets): Promise<Page<EntryEvent>> {
    return this.entryQueries.page(filter, markets);
  }

  /** One page of a market's trades, as their takers' fills. */
  trades(filter: TradeFilter): Promise<Fill[]> {
    return this.fillQueries.trades(filter);
  }

  /**
   * A market's candles of the minutes that began at `since` or later, oldest first; minutes without
   * a trade have none.
   */
  minuteCandles(market: number, since: number): Promise<Candle[]> {
    return this.candleQueries.traded(
      market,
      60_000,
      (time) => time,
      since,
      Number.MAX_SAFE_INTEGER,
    );
  }

  /** A page of a market's candles of any width, without a gap. */
  candles(filter: CandleFilter): Promise<Candle[]> {
    return candlePage(this.candleQueries, filter);
  }

  async auditPage(filter: AuditFilter): Promise<AuditRecord[]> {
    const pending = this.pending
      .audit()
      .filter((record) => isMeant(record, filter))
      .reverse();
    const rest = Math.max(0, filter.limit - pending.length);
    const stored = await readAudit(this.database, { ...filter, limit: rest });
    return [...pending, ...stored].slice(0, filter.limit);
  }
}
