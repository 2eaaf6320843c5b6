import { type Exact, sum } from '../../engine/numbers/exact.ts';
import { select } from '../database/checksum.ts';
import type { Queries } from '../database/database.ts';
import { type Fill, fillsTable, readFill } from '../tables/fills.ts';
import type { Pending } from '../writer/pending.ts';
import { allows, Conditions, IdSearch, mergePage, type Page, type PageTerms } from './id-search.ts';

/** A query for fills of one account. Their ids are those of the trades. */
export interface FillFilter extends PageTerms {
  readonly account: number;
  readonly market?: number | undefined;
  readonly orderId?: number | undefined;
}

/** A query for trades of one market. */
export interface TradeFilter extends PageTerms {
  readonly market: number;
  /** Only trades with this id or a higher one; aggregated, only records that begin with one. */
  readonly fromId?: number | undefined;
}

/** Trades of one order at one price and time, one after the other. */
export interface AggregatedTrade {
  /** The first one. */
  readonly trade: Fill;
  /** The amount of all. */
  readonly amount: Exact;
  readonly lastTradeId: number;
}

/** Trades read in one step for aggregated ones. */
const AGGREGATE_STEP = 1000;
/** Accounts in which a trade is looked up at a time. */
const ACCOUNTS_AT_ONCE = 500;
/** Maximum trades read for a page of aggregated ones, apart from those of its last order: some milliseconds. */
const MAX_AGGREGATED = 10_000;

/** Returns the first fills: at most `limit`, or one more, so that no trade of an account with itself is divided. */
export function wholeTrades(fills: readonly Fill[], limit: number): Fill[] {
  const isDivided = fills[limit - 1]?.tradeId === fills[limit]?.tradeId;
  return fills.slice(0, isDivided ? limit + 1 : limit);
}

/** Reads pages of fills and of public trades, including those that are not committed yet. */
export class FillQueries {
  private readonly byAccount: IdSearch;
  private readonly byMarket: IdSearch;

  constructor(
    private readonly database: Queries,
    private readonly waiting: Pick<Pending, 'fills' | 'trades'>,
    searchLimit?: number,
  ) {
    this.byAccount = new IdSearch(database, FILLS_BY_ACCOUNT, searchLimit);
    this.byMarket = new IdSearch(database, TRADES_BY_MARKET);
  }

  /** A page has one fill more than `limit` if it ends with a trade of the account with itself, which has two. */
  async fills({ limit, ...terms }: FillFilter): Promise<Page<Fill>> {
    const filter = { ...terms, limit: limit + 1 };
    const { account, market, orderId } = filter;
    const where = new Conditions();
    if (market !== undefined) where.add('market = ?', market);
    if (orderId !== undefined) where.add('order_id = ?', orderId);
    const span = await this.byAccount.findSpan(account, 'time', filter);
    const { items, searchedTo } = await this.byAccount.search(account, span, where, filter);
    const pending = this.waiting
      .fills(account)
      .filter((fill) => market === undefined || fill.market === market)
      .filter((fill) => orderId === undefined || fill.orderId === orderId)
      .filter((fill) => allows(filter, fill.tradeId, fill.time));
    const page = { items: items.map(readFill), searchedTo };
    const found = mergePage(page, pending, readTradeId, filter);
    const whole = wholeTrades(found.items, limit);
    return { items: whole, searchedTo: whole.length < limit ? found.searchedTo : undefined };
  }

  /** Returns the takers' fills of a market. */
  async trades({ fromId = 0, ...terms }: TradeFilter): Promise<Fill[]> {
    const { market, afterId = 0 } = terms;
    const filter = { ...terms, afterId: Math.max(afterId, fromId - 1) };
    const span = await this.byMarket.findSpan(market, 'time', filter);
    const rows = await this.byMarket.read(market, span, new Conditions(), filter);
    const pending = this.waiting
      .trades(market)
      .filter((fill) => allows(filter, fill.tradeId, fill.time));
    const page = { items: rows.map(readFill), searchedTo: undefined };
    return mergePage(page, pending, readTradeId, filter).items;
  }

  /**
   * Returns the fills of both sides of a trade, for operators: it looks into the index of each account, because no index has
   * the makers of trades. @param accounts Number of accounts
   */
  async tradeSides(market: number, tradeId: number, accounts: number): Promise<Fill[]> {
    const found: Fill[] = [];
    for (let first = 0; first < accounts && found.length < 2; first += ACCOUNTS_AT_ONCE) {
      const length = Math.min(ACCOUNTS_AT_ONCE, accounts - first);
      const owners = Array.from({ length }, (_, place) => first + place);
      const rows = await select(
        this.database,
        fillsTable,
        `SELECT * FROM fills WHERE account IN (${owners.join()}) AND trade_id = $1 AND market = $2`,
        tradeId,
        market,
      );
      const waiting = owners
        .flatMap((account) => this.waiting.fills(account))
        .filter((fill) => fill.tradeId === tradeId && fill.market === market);
      found.push(...rows.map(readFill), ...waiting);
    }
    return found;
  }

  /**
   * Returns the trades of a market as one record per taker order, price and time, at most `limit`. A record has all its
   * trades, never a part of them. A page of very many trades has fewer records: then it is continued at `searchedTo`.
   * @param step Trades read at a time. @param maxTrades After as many, the page ends with the record that they end in.
   */
  async aggregatedTrades(
    filter: TradeFilter,
    step = AGGREGATE_STEP,
    maxTrades = MAX_AGGREGATED,
  ): Promise<Page<AggregatedTrade>> {
    const { market, descending, limit } = filter;
    const fromId = filter.fromId && (await this.recordStart(market, filter.fromId));
    const groups: Fill[][] = [];
    let edge: number | undefined;
    for (let count = 0; ; ) {
      const from = edge === undefined ? {} : descending ? { beforeId: edge } : { afterId: edge };
      const trades = await this.trades({ ...filter, fromId, ...from, limit: step });
      for (const trade of trades) {
        const last = groups.at(-1);
        if (last !== undefined && belongsTo(last[0]!, trade)) last.push(trade);
        else if (groups.length === limit || count >= maxTrades) {
          const items = groups.map((group) => aggregate(group, descending));
          return { items, searchedTo: items.length < limit ? edge : undefined };
        } else groups.push([trade]);
        count++;
        edge = trade.tradeId;
      }
      if (trades.length < step) break;
    }
    return { items: groups.map((group) => aggregate(group, descending)), searchedTo: undefined };
  }

  /** Returns the id from which on no record is divided: `fromId`, or if a record began before it, the id after that record. */
  private async recordStart(market: number, fromId: number): Promise<number> {
    const terms = { market, beforeId: fromId, descending: true, limit: 1 };
    const [before] = await this.trades(terms);
    for (let start = fromId; ; ) {
      const range = { market, fromId: start, descending: false, limit: AGGREGATE_STEP };
      const trades = before === undefined ? [] : await this.trades(range);
      const next = trades.findIndex((trade) => !belongsTo(before!, trade));
      if (next > 0) return trades[next]!.tradeId;
      if (next === 0 || trades.length === 0) return start;
      start = trades.at(-1)!.tradeId + 1;
    }
  }
}

function belongsTo(first: Fill, next: Fill): boolean {
  return next.orderId === first.orderId && next.price === first.price && next.time === first.time;
}

function aggregate(trades: readonly Fill[], descending: boolean): AggregatedTrade {
  const [first, last] = descending ? [trades.at(-1)!, trades[0]!] : [trades[0]!, trades.at(-1)!];
  const amount = trades.reduce<Exact>((total, trade) => sum(total, trade.amount), 0);
  return { trade: first, amount, lastTradeId: last.tradeId };
}

const readTradeId = ({ tradeId }: Fill) => tradeId;

export const FILLS_BY_ACCOUNT = {
  table: fillsTable,
  owner: 'account',
  id: 'trade_id',
  indexed: ['market', 'order_id'],
} as const;

const TRADES_BY_MARKET = {
  table: fillsTable,
  condition: 'is_maker = 0',
  owner: 'market',
  id: 'trade_id',
} as const;
