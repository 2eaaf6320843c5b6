import type {
  DepositRecord,
  EntryEvent,
  OrderRecord,
  TransferRecord,
  WithdrawalRecord,
} from '../../engine/event.ts';
import type { Queries } from '../database/database.ts';
import { type AuditFilter, type AuditRecord, matchesAudit, readAudit } from '../tables/audit.ts';
import type { Candle } from '../tables/candles.ts';
import type { CustodyChange } from '../tables/custody.ts';
import type { Fill } from '../tables/fills.ts';
import type { EndedOrder } from '../tables/orders.ts';
import type { Pending } from '../writer/pending.ts';
import { readKeptSince } from '../writer/trimming.ts';
import {
  type AlertFilter,
  type AlertWithCase,
  findAlert,
  findAlerts,
  type ReviewedAlert,
} from './alert-queries.ts';
import { type CandleFilter, candlePage, isMadeOfTrades } from './candle-page.ts';
import { CandleQueries } from './candle-queries.ts';
import {
  type ChangeFilter,
  type CustodyFilter,
  CustodyQueries,
  type Payment,
} from './custody-queries.ts';
import { type EntryFilter, EntryQueries, type Markets } from './entry-queries.ts';
import {
  type AggregatedTrade,
  type FillFilter,
  FillQueries,
  type TradeFilter,
} from './fill-queries.ts';
import type { Page } from './id-search.ts';
import {
  IdentityQueries,
  type PlacedFilter,
  type PlacedIdsFilter,
  type PlacedIdsPage,
  type PlacedOrder,
} from './identities.ts';
import {
  type InternalTransferFilter,
  InternalTransferQueries,
  type StoredTransfer,
} from './internal-transfer-queries.ts';
import { matches, mergeOrders, type OrderFilter, type OrderPage } from './order-page.ts';
import { type EndedFilter, isAfter, OrderQueries } from './order-queries.ts';
import { type FoundRecords, type RecordSearchFilter, searchRecords } from './record-search.ts';
import { SecondCandles } from './second-candles.ts';
import {
  readUserTimeline,
  type UserTimelineEntry,
  type UserTimelineFilter,
} from './user-timeline.ts';

/** Reads the store and the rows that wait for a commit. */
export class HistoryReader {
  private readonly orderQueries: OrderQueries;
  private readonly fillQueries: FillQueries;
  private readonly candleQueries: CandleQueries;
  private readonly entryQueries: EntryQueries;
  private readonly transferQueries: InternalTransferQueries;
  private readonly identities: IdentityQueries;
  private readonly custody: CustodyQueries;

  constructor(
    private readonly database: Queries,
    private readonly pending: Pending,
  ) {
    this.orderQueries = new OrderQueries(database);
    this.fillQueries = new FillQueries(database, pending);
    this.candleQueries = new CandleQueries(database, pending);
    this.entryQueries = new EntryQueries(database, pending);
    this.transferQueries = new InternalTransferQueries(database, pending, this.entryQueries);
    this.identities = new IdentityQueries(database, pending);
    this.custody = new CustodyQueries(database, pending);
  }

  /** Returns the time from which all orders, fills and entries are kept, milliseconds since 1970; 0 if all are. */
  keptSince(): Promise<number> {
    return readKeptSince(this.database);
  }

  /** Returns one page of the account's final orders. */
  async finalOrders(filter: OrderFilter): Promise<OrderPage> {
    const pending = this.pending.orders(filter.account).map(({ order }) => order);
    const page = await this.orderQueries.page(filter);
    return mergeOrders(
      page,
      pending.filter((order) => matches(order, filter)),
      filter,
    );
  }

  /** Returns the account's final order `id`; undefined if it is open, does not exist or belongs to another account. */
  async order(account: number, id: number): Promise<OrderRecord | undefined> {
    const [order] = await this.ordersById(account, [id]);
    return order;
  }

  /** Returns the account's final orders with these ids, at most 1,000, in no particular order. */
  async ordersById(account: number, ids: readonly number[]): Promise<OrderRecord[]> {
    const wanted = new Set(ids);
    const found: OrderRecord[] = [];
    for (const { order } of this.pending.orders(account)) {
      if (wanted.delete(order.id)) found.push(order);
    }
    if (wanted.size > 0) found.push(...(await this.orderQueries.byIds(account, [...wanted])));
    return found;
  }

  /** Returns the account's orders that ended in the given batches, in the order in which they ended. */
  async endedOrders(filter: EndedFilter): Promise<EndedOrder[]> {
    const stored = await this.orderQueries.ended(filter);
    const pending = this.pending
      .orders(filter.account)
      .filter((ended) => isAfter(ended, filter) && ended.endedIn <= filter.upTo)
      .sort((a, b) => a.endedIn - b.endedIn || a.order.id - b.order.id)
      .map(({ account, order, endedIn }) => ({ account, order, endedIn }));
    return [...stored, ...pending].slice(0, filter.limit);
  }

  /** Returns the newest final order of each client order id. */
  placed(filter: PlacedFilter): Promise<(PlacedOrder | undefined)[]> {
    return this.identities.placed(filter);
  }

  /** Returns a page of the client order ids of an account's final orders. */
  placedIds(filter: PlacedIdsFilter): Promise<PlacedIdsPage> {
    return this.identities.placedIds(filter);
  }

  /** Returns the transfer of each reference. */
  transfers(references: readonly string[]): Promise<(TransferRecord | undefined)[]> {
    return this.identities.transfers(references);
  }

  /** Returns one page of deposits. @param known Those that the engine knows. */
  deposits(filter: CustodyFilter, known: readonly DepositRecord[]): Promise<Page<DepositRecord>> {
    return this.custody.deposits(filter, known);
  }

  /** Returns one page of withdrawals. @param known Those that the engine knows. */
  withdrawals(
    filter: CustodyFilter,
    known: readonly WithdrawalRecord[],
  ): Promise<Page<WithdrawalRecord>> {
    return this.custody.withdrawals(filter, known);
  }

  /** Returns one page of the alerts of surveillance, newest first. */
  alerts(filter: AlertFilter): Promise<AlertWithCase[]> {
    return findAlerts(this.database, this.pending, filter);
  }

  /** Returns the alert with this id, and its reviews. */
  alert(id: string): Promise<ReviewedAlert | undefined> {
    return findAlert(this.database, this.pending, id);
  }

  /** Returns the newest deposit of a payment that the engine has dropped. */
  payment(payment: Payment): Promise<DepositRecord | undefined> {
    return this.custody.payment(payment);
  }

  /** Returns the changes of an account's deposits and withdrawals after a place in the log, in its order. */
  custodyChanges(filter: ChangeFilter): Promise<CustodyChange[]> {
    return this.custody.changes(filter);
  }

  /** Returns one page of an account's fills. */
  fills(filter: FillFilter): Promise<Page<Fill>> {
    return this.fillQueries.fills(filter);
  }

  /** Returns one page of an account's ledger. @param markets Terms of each market, by index: entries of fills depend on them. */
  entries(filter: EntryFilter, markets: Markets): Promise<Page<EntryEvent>> {
    return this.entryQueries.page(filter, markets);
  }

  /** Returns one page of an account's ledger without the entries that fills represent. */
  entriesWithoutTrade(filter: EntryFilter): Promise<Page<EntryEvent>> {
    return this.entryQueries.withoutTrade(filter);
  }

  /** Returns one page of the transfers between accounts from and to some of them. */
  internalTransfers(filter: InternalTransferFilter): Promise<Page<StoredTransfer>> {
    return this.transferQueries.page(filter);
  }

  /** Returns one page of a market's trades, as the fills of their takers. */
  trades(filter: TradeFilter): Promise<Fill[]> {
    return this.fillQueries.trades(filter);
  }

  /** Returns the fills of both sides of a trade. @param accounts Number of accounts */
  tradeSides(market: number, tradeId: number, accounts: number): Promise<Fill[]> {
    return this.fillQueries.tradeSides(market, tradeId, accounts);
  }

  /** Returns one page of a market's trades, aggregated by taker order. */
  aggregatedTrades(filter: TradeFilter): Promise<Page<AggregatedTrade>> {
    return this.fillQueries.aggregatedTrades(filter);
  }

  /**
   * Returns a market's candles of the minutes that began at `since` or later, oldest first. Minutes without a trade are
   * left out.
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

  /** Returns the candle of a market's trades from `from` to before `to`, which must be starts of minutes. */
  totalCandle(market: number, from: number, to: number): Promise<Candle | undefined> {
    return this.candleQueries.total(market, from, to);
  }

  /** Returns the close of the last candle of a minute that started before `time`. */
  priceBefore(market: number, time: number): Promise<number | undefined> {
    return this.candleQueries.priceBefore(market, time);
  }

  /** Returns the candle of the minute of a market's first trade. */
  firstCandle(market: number): Promise<Candle | undefined> {
    return this.candleQueries.firstCandle(market);
  }

  /**
   * Returns a page of a market's candles of any width, without gaps.
   * @param quoteUnit Minor units of the quote asset per price unit × amount unit of the market.
   */
  candles(filter: CandleFilter, quoteUnit: number): Promise<Candle[]> {
    const source = isMadeOfTrades(filter.width)
      ? new SecondCandles(this.fillQueries, quoteUnit)
      : this.candleQueries;
    return candlePage(source, filter);
  }

  /** Returns one page of the timeline of a user, newest first. */
  userTimeline(filter: UserTimelineFilter): Promise<UserTimelineEntry[]> {
    return readUserTimeline(this.database, this.pending, filter);
  }

  /** Returns ended records of all accounts by an id, a reference or a transaction. @param accounts Number of accounts */
  searchRecords(filter: RecordSearchFilter, accounts: number): Promise<FoundRecords> {
    return searchRecords(this.database, this.pending, filter, accounts);
  }

  async auditPage(filter: AuditFilter): Promise<AuditRecord[]> {
    const account = filter.target?.account;
    const subjects = account === undefined ? [] : this.pending.auditSubjects(account);
    const concerning = new Set(subjects.map(({ auditId }) => auditId));
    const pending = this.pending
      .audit()
      .filter((record) => matchesAudit(record, filter, concerning))
      .reverse();
    const rest = Math.max(0, filter.limit - pending.length);
    const stored = await readAudit(this.database, { ...filter, limit: rest });
    return [...pending, ...stored].slice(0, filter.limit);
  }
}
