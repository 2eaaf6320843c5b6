import type { Command } from '../engine/command.ts';
import type { EntryEvent, Event, OrderRecord, Outcome } from '../engine/event.ts';
import { type AuditFilter, type AuditRecord, isMeant, lastAuditId, readAudit } from './audit.ts';
import { type CandleFilter, candlePage } from './candle-page.ts';
import { type Candle, CandleQueries } from './candles.ts';
import { Database } from './database.ts';
import { type EntryFilter, EntryQueries, type Markets } from './entry-queries.ts';
import { type FillFilter, FillQueries, type TradeFilter } from './fill-queries.ts';
import type { Fill } from './fills.ts';
import type { Page } from './id-search.ts';
import { matches, type OrderFilter, type OrderPage, withOrders } from './order-page.ts';
import { type EndedFilter, isAfter, OrderQueries } from './order-queries.ts';
import type { EndedOrder } from './orders.ts';
import { upgrade } from './schema.ts';
import { type Position, readPosition, Writer } from './writer.ts';

export type { AuditFilter, AuditRecord } from './audit.ts';
export type { CandleFilter } from './candle-page.ts';
export type { Candle } from './candles.ts';
export type { EntryFilter } from './entry-queries.ts';
export type { FillFilter, TradeFilter } from './fill-queries.ts';
export type { Fill } from './fills.ts';
export type { Page, PageTerms } from './id-search.ts';
export { matches, type OrderFilter, type OrderPage, withOrders } from './order-page.ts';
export type { EndedFilter } from './order-queries.ts';
export type { EndedOrder } from './orders.ts';
export { type TotalsFilter, type TotalsPoint, totalsAt } from './totals.ts';
export type { Position } from './writer.ts';

/**
 * What happened, for reading: final orders, fills, ledger entries, candles, the audit. Written by
 * the archivist alone, from batches that are durable in the log.
 *
 * What was recorded is seen by every question at once; `commit` makes it last. A commit costs less
 * a row the more it holds, so it need not be made for a question's sake.
 *
 * Calls come one after the other: none while another is under way.
 */
export class History {
  private constructor(
    private readonly database: Database,
    private readonly writer: Writer,
    private readonly queries: OrderQueries,
    private readonly fillQueries: FillQueries,
    private readonly candleQueries: CandleQueries,
    private readonly entryQueries: EntryQueries,
  ) {}

  /**
   * @param url `sqlite://PATH`: made if it is not there, brought up to date if it is older.
   * @throws HistoryUnreadableError, HistoryVersionError
   */
  static async open(url: string): Promise<History> {
    const database = Database.open(url);
    try {
      await upgrade(database);
      const position = await readPosition(database);
      const writer = new Writer(database, position, await lastAuditId(database));
      return new History(
        database,
        writer,
        new OrderQueries(database),
        new FillQueries(database, writer),
        new CandleQueries(database, writer.candles),
        new EntryQueries(database, writer),
      );
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** The last batch that history holds for good; 0 and a hash of zeros before the first. */
  position(): Position {
    return this.writer.position;
  }

  /**
   * Takes what a command did: the events as the engine reported them, complete and in order. Every
   * command of every batch behind `position` is given once, in the order of the log; batches up to
   * it are the caller's to pass over.
   * @param sequence The batch that holds it. @param index Its place there, from 0.
   * @param time The engine's time after it, milliseconds since 1970.
   * @throws InvariantError for a batch that history holds already.
   */
  record(
    sequence: number,
    index: number,
    time: number,
    command: Command,
    outcome: Outcome,
    events: readonly Event[],
  ): void {
    this.writer.record(sequence, index, time, command, outcome, events);
  }

  /**
   * Writes all that was recorded, in one transaction that moves the position to `sequence`, the
   * last batch recorded. After an error the process must stop; the database is as it was.
   * @throws HistoryConflictError when another process has moved the position.
   */
  commit(sequence: number, hash: Uint8Array): Promise<void> {
    return this.writer.commit(sequence, hash);
  }

  /** One page of the account's final orders. */
  async finalOrders(filter: OrderFilter): Promise<OrderPage> {
    const pending = this.writer.orders.of(filter.account).map(({ order }) => order);
    const page = await this.queries.page(filter);
    return withOrders(
      page,
      pending.filter((order) => matches(order, filter)),
      filter,
    );
  }

  /** The account's final order `id`; undefined where it is not final, not there or another's. */
  async order(account: number, id: number): Promise<OrderRecord | undefined> {
    const pending = this.writer.orders.of(account).find(({ order }) => order.id === id);
    return pending?.order ?? this.queries.order(account, id);
  }

  /** The account's orders that ended in the batches asked for, in the order in which they did. */
  async endedOrders(filter: EndedFilter): Promise<EndedOrder[]> {
    const stored = await this.queries.ended(filter);
    const pending = this.writer.orders
      .of(filter.account)
      .filter((ended) => isAfter(ended, filter) && ended.endedIn <= filter.upTo)
      .sort((a, b) => a.endedIn - b.endedIn || a.order.id - b.order.id);
    return [...stored, ...pending].slice(0, filter.limit);
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
    const pending = this.writer.audit.filter((record) => isMeant(record, filter)).reverse();
    const rest = Math.max(0, filter.limit - pending.length);
    const stored = await readAudit(this.database, { ...filter, limit: rest });
    return [...pending, ...stored].slice(0, filter.limit);
  }

  close(): Promise<void> {
    return this.database.close();
  }
}
