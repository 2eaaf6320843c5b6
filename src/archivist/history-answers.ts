import type { EntryEvent, OrderRecord } from '../engine/event.ts';
import { sum } from '../engine/numbers/exact.ts';
import type { State } from '../engine/state.ts';
import { OrderStatus } from '../engine/terms.ts';
import {
  type AlertFilter,
  type AuditFilter,
  type CandleFilter,
  type ChangeFilter,
  type CustodyFilter,
  type EndedFilter,
  type EntryFilter,
  type Fill,
  type FillFilter,
  type HistoryReader,
  type InternalTransferFilter,
  matches,
  mayIncludeFinal,
  mergeOrders,
  type OrderFilter,
  type OrderPage,
  type Page,
  type Payment,
  type PlacedFilter,
  type PlacedIdsFilter,
  type RecordSearchFilter,
  type TotalsFilter,
  TotalsWalk,
  type TradeFilter,
  type UserTimelineFilter,
} from '../history/history.ts';
import type { GainsQuery } from './gains/profit-and-loss.ts';
import type { PastQuery } from './past/past.ts';
import type { ProofQuery } from './proofs/proofs.ts';
import { searchState } from './record-search.ts';
import type { ReportQuery } from './reports/report.ts';
import type { DetectionQuery } from './watch.ts';

/** A query to the archivist. */
export type ArchiveQuery =
  | HistoryQuery
  | PastQuery
  | ReportQuery
  | ProofQuery
  | GainsQuery
  | StateQuery
  /** Makes a snapshot, and everything before it in history durable. */
  | { readonly kind: 'save' };

/** A query of the node itself that its archivist answers without history. */
export type StateQuery =
  | { readonly kind: 'state' }
  /** The usual time of a deposit, by network. */
  | { readonly kind: 'depositTimes' }
  | DetectionQuery;

/** A query that is read from history, or from history and the state together. */
export type HistoryQuery =
  | { readonly kind: 'orders'; readonly filter: OrderFilter }
  /** Only final orders, in the order of placing. */
  | { readonly kind: 'finalOrders'; readonly filter: OrderFilter }
  | { readonly kind: 'endedOrders'; readonly filter: EndedFilter }
  | { readonly kind: 'order'; readonly account: number; readonly orderId: number }
  /** At most 1,000 ids. */
  | { readonly kind: 'ordersById'; readonly account: number; readonly orderIds: readonly number[] }
  | { readonly kind: 'placed'; readonly filter: PlacedFilter }
  | { readonly kind: 'placedIds'; readonly filter: PlacedIdsFilter }
  | { readonly kind: 'transfers'; readonly references: readonly string[] }
  | CustodyQuery
  | { readonly kind: 'audit'; readonly filter: AuditFilter }
  | { readonly kind: 'userTimeline'; readonly filter: UserTimelineFilter }
  | { readonly kind: 'searchRecords'; readonly filter: RecordSearchFilter }
  | { readonly kind: 'alerts'; readonly filter: AlertFilter }
  | { readonly kind: 'alert'; readonly id: string }
  | CandleQuery
  | { readonly kind: 'fills'; readonly filter: FillFilter }
  | { readonly kind: 'trades'; readonly filter: TradeFilter }
  | { readonly kind: 'aggregatedTrades'; readonly filter: TradeFilter }
  | {
      readonly kind: 'tradeSides';
      readonly market: number;
      readonly tradeId: number;
      readonly accounts: number;
    }
  | { readonly kind: 'entries'; readonly filter: EntryFilter }
  | { readonly kind: 'internalTransfers'; readonly filter: InternalTransferFilter }
  | TotalsQuery;

type CandleQuery =
  | { readonly kind: 'candles'; readonly filter: CandleFilter }
  | { readonly kind: 'minuteCandles'; readonly market: number; readonly since: number }
  | {
      readonly kind: 'totalCandle';
      readonly market: number;
      readonly from: number;
      readonly to: number;
    };

type CustodyQuery =
  /** The newest deposit of a payment that the engine has dropped. */
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'deposits' | 'withdrawals'; readonly filter: CustodyFilter }
  | { readonly kind: 'custodyChanges'; readonly filter: ChangeFilter };

interface TotalsQuery {
  readonly kind: 'totals';
  readonly filter: TotalsFilter;
}

/** The account whose own records a query reads; undefined for public data and for queries of the node itself. */
export function queriedAccount(query: ArchiveQuery): number | undefined {
  switch (query.kind) {
    case 'order':
    case 'ordersById':
    case 'timeline':
    case 'reports':
    case 'reportFile':
    case 'deleteReport':
    case 'inclusion':
      return query.account;
    case 'createReport':
      return query.terms.account;
    case 'orders':
    case 'finalOrders':
    case 'endedOrders':
    case 'fills':
    case 'entries':
    case 'deposits':
    case 'withdrawals':
    case 'custodyChanges':
    case 'totals':
    case 'profitAndLoss':
      return query.filter.account;
    case 'internalTransfers':
      return query.filter.accounts[0];
    default:
      return undefined;
  }
}

/** Queries whose empty answer allows a command to be executed. */
export const EMPTY_ANSWER_ALLOWS: ReadonlySet<string> = new Set([
  'placed',
  'placedIds',
  'transfers',
  'payment',
]);

/** Returns whether the state alone may have the answer. */
export function mayBeInState(query: ArchiveQuery): boolean {
  if (query.kind === 'orders') return !mayIncludeFinal(query.filter);
  return query.kind === 'order' || query.kind === 'state' || query.kind === 'depositTimes';
}

export function isStateQuery(query: ArchiveQuery): query is StateQuery {
  return query.kind === 'state' || query.kind === 'depositTimes' || query.kind === 'detection';
}

/** Answers queries from history and the archivist's state. */
export class HistoryResponder {
  constructor(private readonly state: State) {}

  private get custody() {
    return this.state.parts.custody.store;
  }

  /** Returns the answer if the state alone has it. */
  answerFromState(
    query: HistoryQuery | PastQuery | ProofQuery,
  ): OrderPage | OrderRecord | undefined {
    if (query.kind === 'order') return this.openOrder(query.account, query.orderId);
    if (query.kind !== 'orders' || mayIncludeFinal(query.filter)) return undefined;
    return mergeOrders(NO_ORDERS, this.openOrders(query.filter), query.filter);
  }

  /**
   * Reads the answer. The state is read synchronously, before the first await, so that state and history are as of
   * the same batch.
   */
  async answerFromHistory(
    reader: HistoryReader,
    query: Exclude<HistoryQuery, TotalsQuery>,
  ): Promise<unknown> {
    switch (query.kind) {
      case 'orders':
        return this.orders(reader, query.filter);
      case 'finalOrders':
        return reader.finalOrders(query.filter);
      case 'endedOrders':
        return reader.endedOrders(query.filter);
      case 'order':
        return this.order(reader, query.account, query.orderId);
      case 'ordersById':
        return this.ordersById(reader, query.account, query.orderIds);
      case 'placed':
        return reader.placed(query.filter);
      case 'placedIds':
        return reader.placedIds(query.filter);
      case 'transfers':
        return reader.transfers(query.references);
      case 'payment':
      case 'deposits':
      case 'withdrawals':
      case 'custodyChanges':
        return this.payments(reader, query);
      case 'audit':
        return reader.auditPage(query.filter);
      case 'userTimeline':
        return reader.userTimeline(query.filter);
      case 'searchRecords':
        return searchState(this.state, reader, query.filter);
      case 'alerts':
        return reader.alerts(query.filter);
      case 'alert':
        return reader.alert(query.id);
      case 'candles':
      case 'minuteCandles':
      case 'totalCandle':
        return this.candles(reader, query);
      case 'fills':
        return this.fills(reader, query.filter);
      case 'trades':
        return reader.trades(query.filter);
      case 'tradeSides':
        return reader.tradeSides(query.market, query.tradeId, query.accounts);
      case 'aggregatedTrades':
        return reader.aggregatedTrades(query.filter);
      case 'entries':
        return this.entries(reader, query.filter);
      case 'internalTransfers':
        return reader.internalTransfers(query.filter);
    }
  }

  /** Returns what a query asks of deposits and withdrawals: those that the engine knows, and others from history. */
  private payments(reader: HistoryReader, query: CustodyQuery): Promise<unknown> {
    if (query.kind === 'payment') return reader.payment(query.payment);
    if (query.kind === 'custodyChanges') return reader.custodyChanges(query.filter);
    const { custody } = this;
    const { account } = query.filter;
    if (query.kind === 'deposits') {
      const { openDeposits, endedDeposits } = custody;
      const all = () => [...openDeposits.values(), ...endedDeposits.values()];
      const known = account === undefined ? all() : custody.accountDepositRecords(account);
      return reader.deposits(query.filter, known);
    }
    const all = () => custody.withdrawals.values();
    const known = account === undefined ? all() : custody.accountWithdrawalRecords(account);
    return reader.withdrawals(query.filter, [...known]);
  }

  /** Begins a walk back from the account's totals in the current state. */
  totalsWalk(filter: TotalsFilter): TotalsWalk {
    const { accounts, time } = this.state;
    const present = Array.from(accounts[filter.account]!.balances, (balance) =>
      balance === undefined ? undefined : sum(balance.available, balance.held),
    );
    return new TotalsWalk({ ...filter, now: Math.max(filter.now, time) }, present);
  }

  /** Goes back by one page of the account's ledger. @returns Whether the walk is complete. */
  async continueWalk(reader: HistoryReader, walk: TotalsWalk): Promise<boolean> {
    walk.leaveOutBefore(await reader.keptSince());
    return walk.step((page) => reader.entries(page, this.state.markets));
  }

  /** Returns one page of an account's orders: open ones from the state, final ones from history. */
  private async orders(reader: HistoryReader, filter: OrderFilter): Promise<OrderPage> {
    const open = this.openOrders(filter);
    return mergeOrders(await reader.finalOrders(filter), open, filter);
  }

  private async order(
    reader: HistoryReader,
    account: number,
    orderId: number,
  ): Promise<OrderRecord | undefined> {
    const { state } = this;
    if (state.openOrder(orderId) !== undefined) return this.openOrder(account, orderId);
    return reader.order(account, orderId);
  }

  /** Returns the account's orders with these ids, in no particular order. */
  private async ordersById(
    reader: HistoryReader,
    account: number,
    orderIds: readonly number[],
  ): Promise<OrderRecord[]> {
    const open: OrderRecord[] = [];
    const ended: number[] = [];
    for (const id of orderIds) {
      const order = this.openOrder(account, id);
      if (order === undefined) ended.push(id);
      else open.push(order);
    }
    if (ended.length === 0) return open;
    return [...open, ...(await reader.ordersById(account, ended))];
  }

  private openOrder(account: number, orderId: number): OrderRecord | undefined {
    const open = this.state.openOrder(orderId);
    return open?.account === account ? open : undefined;
  }

  private async candles(reader: HistoryReader, query: CandleQuery): Promise<unknown> {
    if (query.kind === 'totalCandle') return reader.totalCandle(query.market, query.from, query.to);
    if (query.kind === 'minuteCandles') {
      return {
        candles: await reader.minuteCandles(query.market, query.since),
        previousClose: await reader.priceBefore(query.market, query.since),
      };
    }
    const { filter } = query;
    // The log's time may be ahead of the clock, which may have been set back.
    const now = Math.max(filter.now, this.state.time);
    return reader.candles({ ...filter, now }, this.state.markets[filter.market]!.quoteUnit);
  }

  private async fills(reader: HistoryReader, filter: FillFilter): Promise<Page<Fill>> {
    const narrowed = await this.limitToOrder(reader, filter);
    if (narrowed === undefined) return { items: [], searchedTo: undefined };
    return reader.fills(narrowed);
  }

  private async entries(reader: HistoryReader, filter: EntryFilter): Promise<Page<EntryEvent>> {
    const narrowed = await this.limitToOrder(reader, filter);
    if (narrowed === undefined) return { items: [], searchedTo: undefined };
    return reader.entries(narrowed, this.state.markets);
  }

  /**
   * Narrows a query that names an order to the lifetime of that order, so that few rows are searched. Returns
   * undefined if the account has no such order.
   */
  private async limitToOrder<Filter extends FillFilter | EntryFilter>(
    reader: HistoryReader,
    filter: Filter,
  ): Promise<Filter | undefined> {
    if (filter.orderId === undefined) return filter;
    const order = await this.order(reader, filter.account, filter.orderId);
    if (order === undefined) return undefined;
    const since = Math.max(filter.since ?? 0, order.createdAt);
    if (order.status === OrderStatus.open) return { ...filter, since };
    return { ...filter, since, until: Math.min(filter.until ?? Infinity, order.updatedAt) };
  }

  private openOrders(filter: OrderFilter): OrderRecord[] {
    const { state } = this;
    const account = state.accounts[filter.account];
    if (account === undefined) return [];
    return state.accountOpenOrders(account).filter((order) => matches(order, filter));
  }
}

const NO_ORDERS: OrderPage = { orders: [], searchedTo: undefined };
