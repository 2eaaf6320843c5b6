import type { EntryEvent } from '../../engine/event.ts';
import { EntryType } from '../../engine/terms.ts';
import type { Queries } from '../database/database.ts';
import { HistoryDamagedError } from '../errors.ts';
import { entriesTable, readEntry } from '../tables/entries.ts';
import { expandFill, type Fill, type FillTerms, readFill } from '../tables/fills.ts';
import type { Pending } from '../writer/pending.ts';
import { FILLS_BY_ACCOUNT } from './fill-queries.ts';
import {
  allows,
  Conditions,
  IdSearch,
  mergePage,
  type Page,
  type PageTerms,
  type Span,
} from './id-search.ts';

/** A query for ledger entries of one account. */
export interface EntryFilter extends PageTerms {
  readonly account: number;
  readonly asset?: number | undefined;
  /** Only the order's holds and releases, and the entries of its trades. */
  readonly orderId?: number | undefined;
  /** Only entries of one type. */
  readonly type?: number | undefined;
}

/** The terms of all markets, by index. */
export type Markets = readonly FillTerms[];

/** A fill represents at least two entries, and one in an asset of its market. */
const MIN_ENTRIES_OF_FILL = 2;
/** The entries of a trade have consecutive ids, the maker's first: at most four of each side. */
const MAX_ENTRIES_OF_TRADE = 8;
/** The most fills with entries among as many ids, and the other side of a trade of the account with itself. */
const FILLS_AROUND = MAX_ENTRIES_OF_TRADE + 2;
/** Fills to read in addition to those of the page: both of its first trade may be on the page before, and the last one may lack its other side. */
const EXTRA_FILLS = 3;
/** Fills to read for a type of entry that a fill may lack, as there is no index by it: some milliseconds. */
const FILLS_BY_TYPE = 1000;
const TYPES_OF_FILLS: readonly number[] = [
  EntryType.trade,
  EntryType.fee,
  EntryType.release,
  EntryType.rebate,
];
const HOLDS: readonly number[] = [EntryType.hold, EntryType.release];

/** Reads pages of ledger entries, merging stored ones with those that fills represent. */
export class EntryQueries {
  private readonly entries: IdSearch;
  private readonly fills: IdSearch;

  constructor(
    database: Queries,
    private readonly waiting: Pick<Pending, 'entries' | 'fills'>,
    searchLimit?: number,
  ) {
    this.entries = new IdSearch(database, ENTRIES_BY_ACCOUNT, searchLimit);
    this.fills = new IdSearch(database, FILLS_BY_ACCOUNT, searchLimit);
  }

  async page(filter: EntryFilter, markets: Markets): Promise<Page<EntryEvent>> {
    const { account, orderId } = filter;
    if (filter.type !== undefined && !TYPES_OF_FILLS.includes(filter.type)) {
      return this.withoutTrade(filter);
    }
    const stored = await this.stored(filter);
    const traded = await this.traded(filter, markets);
    const { descending } = filter;
    const edges = [stored.searchedTo, traded.searchedTo].filter((edge) => edge !== undefined);
    const searchedTo =
      edges.length === 0 ? undefined : descending ? Math.max(...edges) : Math.min(...edges);
    const pending = this.waiting
      .fills(account)
      .filter((fill) => orderId === undefined || fill.orderId === orderId)
      .flatMap((fill) => expand(fill, markets))
      .filter((entry) => matches(entry, filter));
    const others = [...traded.items, ...pending, ...this.pendingEntries(filter)];
    return mergePage({ items: stored.items, searchedTo }, others, ({ id }) => id, filter);
  }

  /** Returns a page of the entries that no fill represents: holds, releases without a trade, transfers. */
  async withoutTrade(filter: EntryFilter): Promise<Page<EntryEvent>> {
    const stored = await this.stored(filter);
    return mergePage(stored, this.pendingEntries(filter), ({ id }) => id, filter);
  }

  private pendingEntries(filter: EntryFilter): EntryEvent[] {
    const { account, orderId } = filter;
    return this.waiting
      .entries(account)
      .filter((entry) => orderId === undefined || belongsToOrder(entry, orderId))
      .filter((entry) => matches(entry, filter));
  }

  private async stored(filter: EntryFilter): Promise<Page<EntryEvent>> {
    const { account, asset, orderId, type } = filter;
    const where = new Conditions();
    if (asset !== undefined) where.add('asset = ?', asset);
    if (type !== undefined) where.add('type = ?', type);
    if (orderId !== undefined) {
      where.add('reference = ?', orderId);
      where.addIn('type', HOLDS);
    }
    const span = await this.entries.findSpan(account, 'time', filter);
    const { items, searchedTo } = await this.entries.search(account, span, where, filter);
    return { items: items.map(readEntry), searchedTo };
  }

  private async traded(filter: EntryFilter, markets: Markets): Promise<Page<EntryEvent>> {
    const { account, asset, orderId, beforeId, afterId, descending } = filter;
    const where = new Conditions();
    if (asset !== undefined) where.addIn('market', marketsWithAsset(asset, markets));
    if (orderId !== undefined) where.add('order_id = ?', orderId);
    const { since, until } = filter;
    const limit = fillsToRead(filter);
    const times = await this.fills.findSpan(account, 'time', { since, until, descending, limit });
    let { from, to } = times;
    if (afterId !== undefined)
      from = Math.max(from, await this.firstAfter(account, afterId, markets));
    if (beforeId !== undefined) to = Math.min(to, (await this.lastBefore(account, beforeId)) + 1);
    const found = await this.fills.search(account, { from, to }, where, { ...filter, limit });
    const fills = found.items.map(readFill);
    const items = fills
      .flatMap((fill) => expand(fill, markets))
      .filter((entry) => matches(entry, filter));
    let edge: Fill[] = [];
    if (found.searchedTo !== undefined) {
      edge = await this.readTrade(account, found.searchedTo);
    } else if (fills.length === limit) {
      // The other side of the last trade may be missing.
      edge = fills.filter(({ tradeId }) => tradeId !== fills.at(-1)!.tradeId);
    }
    if (edge.length === 0) return { items, searchedTo: undefined };
    const ids = edge.flatMap((fill) => expand(fill, markets)).map(({ id }) => id);
    return { items, searchedTo: descending ? Math.min(...ids) : Math.max(...ids) };
  }

  /** Returns the id of the first trade that has an entry after `entryId`. */
  private async firstAfter(account: number, entryId: number, markets: Markets): Promise<number> {
    const start = entryId - MAX_ENTRIES_OF_TRADE;
    const from = await this.fills.firstFrom(account, 'first_entry_id', start);
    const fills = await this.readAround(account, { from, to: Number.MAX_SAFE_INTEGER }, false);
    const first = fills.find((fill) => expand(fill, markets).at(-1)!.id > entryId);
    return first?.tradeId ?? Number.MAX_SAFE_INTEGER;
  }

  /** Returns the id of the last trade that has an entry before `entryId`; 0 if none has. */
  private async lastBefore(account: number, entryId: number): Promise<number> {
    const end = entryId + MAX_ENTRIES_OF_TRADE;
    const to = await this.fills.firstFrom(account, 'first_entry_id', end);
    const fills = await this.readAround(account, { from: 0, to }, true);
    return fills.find(({ firstEntryId }) => firstEntryId < entryId)?.tradeId ?? 0;
  }

  /**
   * Returns the first or last fills of a span that was found by the id of an entry. Both fills of a trade with oneself have one
   * id, so that the search saw the entries of either.
   */
  private async readAround(account: number, span: Span, descending: boolean): Promise<Fill[]> {
    const terms = { descending, limit: FILLS_AROUND };
    const rows = await this.fills.read(account, span, new Conditions(), terms);
    return rows.map(readFill);
  }

  /** Returns the fills of the account in a trade: two, if it traded with itself. */
  private async readTrade(account: number, tradeId: number): Promise<Fill[]> {
    const span = { from: tradeId, to: tradeId + 1 };
    const terms = { descending: false, limit: 2 };
    const rows = await this.fills.read(account, span, new Conditions(), terms);
    if (rows.length === 0) {
      throw new HistoryDamagedError(`an index of the table fills lacks trade ${tradeId}`);
    }
    return rows.map(readFill);
  }
}

/** Returns how many fills have enough entries for a page, whichever of them the page before had. */
function fillsToRead({ type, asset, limit }: EntryFilter): number {
  if (type !== undefined && type !== EntryType.trade) return Math.max(limit, FILLS_BY_TYPE);
  const perFill = asset === undefined ? MIN_ENTRIES_OF_FILL : 1;
  return Math.ceil(limit / perFill) + EXTRA_FILLS;
}

function expand(fill: Fill, markets: Markets): EntryEvent[] {
  return expandFill(fill, markets[fill.market]!);
}

const ENTRIES_BY_ACCOUNT = {
  table: entriesTable,
  owner: 'account',
  id: 'id',
  indexed: ['asset', 'reference', 'type'],
} as const;

function belongsToOrder({ type, reference }: EntryEvent, orderId: number): boolean {
  return reference === orderId && HOLDS.includes(type);
}

function matches(entry: EntryEvent, filter: EntryFilter): boolean {
  return (
    (filter.asset === undefined || entry.asset === filter.asset) &&
    (filter.type === undefined || entry.type === filter.type) &&
    allows(filter, entry.id, entry.time)
  );
}

/** Returns the indexes of the markets whose fills move the asset. */
function marketsWithAsset(asset: number, markets: Markets): number[] {
  const trades = ({ base, quote }: FillTerms) => base.index === asset || quote.index === asset;
  return [...markets.keys()].filter((index) => trades(markets[index]!));
}
