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
}

/** Reads pages of fills and of public trades, including those that are not committed yet. */
export class FillQueries {
  private readonly byAccount: IdSearch;
  private readonly byMarket: IdSearch;

  constructor(
    database: Queries,
    private readonly waiting: Pick<Pending, 'fills' | 'trades'>,
    searchLimit?: number,
  ) {
    this.byAccount = new IdSearch(database, FILLS_BY_ACCOUNT, searchLimit);
    this.byMarket = new IdSearch(database, TRADES_BY_MARKET);
  }

  async fills(filter: FillFilter): Promise<Page<Fill>> {
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
    return mergePage({ items: items.map(readFill), searchedTo }, pending, readTradeId, filter);
  }

  /** Returns the takers' fills of a market. */
  async trades(filter: TradeFilter): Promise<Fill[]> {
    const { market } = filter;
    const span = await this.byMarket.findSpan(market, 'time', filter);
    const rows = await this.byMarket.read(market, span, new Conditions(), filter);
    const pending = this.waiting
      .trades(market)
      .filter((fill) => allows(filter, fill.tradeId, fill.time));
    const page = { items: rows.map(readFill), searchedTo: undefined };
    return mergePage(page, pending, readTradeId, filter).items;
  }
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
