import type { EntryEvent } from '../../engine/event.ts';
import { EntryType } from '../../engine/terms.ts';
import type { Queries } from '../database/database.ts';
import { HistoryDamagedError } from '../errors.ts';
import { entriesTable, readEntry } from '../tables/entries.ts';
import { expandFill, type Fill, type FillTerms, readFill } from '../tables/fills.ts';
import type { Pending } from '../writer/pending.ts';
import { FILLS_BY_ACCOUNT } from './fill-queries.ts';
import { allows, Conditions, IdSearch, mergePage, type Page, type PageTerms } from './id-search.ts';

/** A query for ledger entries of one account. */
export interface EntryFilter extends PageTerms {
  readonly account: number;
  readonly asset?: number | undefined;
  /** Only the order's holds and releases, and the entries of its trades. */
  readonly orderId?: number | undefined;
  /** Only entries of one type, which must be one that fills do not represent. */
  readonly type?: number | undefined;
}

/** The terms of all markets, by index. */
export type Markets = readonly FillTerms[];

/** A fill represents two to four entries with consecutive ids. */
const MIN_ENTRIES_OF_FILL = 2;
const MAX_ENTRIES_OF_FILL = 4;
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
    if (filter.type !== undefined) return this.withoutTrade(filter);
    const stored = await this.stored(filter);
    const traded = await this.traded(filter, markets);
    const { descending } = filter;
    const edges = [stored.searchedTo, traded.searchedTo].filter((edge) => edge !== undefined);
    const searchedTo =
      edges.length === 0 ? undefined : descending ? Math.max(...edges) : Math.min(...edges);
    const pending = [
      ...this.waiting
        .entries(account)
        .filter((entry) => orderId === undefined || belongsToOrder(entry, orderId)),
      ...this.waiting
        .fills(account)
        .filter((fill) => orderId === undefined || fill.orderId === orderId)
        .flatMap((fill) => expandFill(fill, markets[fill.market]!)),
    ].filter((entry) => matches(entry, filter));
    const page = { items: stored.items, searchedTo };
    return mergePage(page, [...traded.items, ...pending], ({ id }) => id, filter);
  }

  /** Returns a page of the entries that no fill represents: holds, releases without a trade, transfers. */
  async withoutTrade(filter: EntryFilter): Promise<Page<EntryEvent>> {
    const waiting = this.waiting.entries(filter.account).filter((entry) => matches(entry, filter));
    return mergePage(await this.stored(filter), waiting, ({ id }) => id, filter);
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
    const { account, asset, orderId, beforeId, afterId, descending, limit } = filter;
    const where = new Conditions();
    if (asset !== undefined) where.addIn('market', marketsWithAsset(asset, markets));
    if (orderId !== undefined) where.add('order_id = ?', orderId);
    const { since, until } = filter;
    const times = await this.fills.findSpan(account, 'time', { since, until, descending, limit });
    let { from, to } = times;
    if (afterId !== undefined) {
      from = Math.max(from, await this.firstAfter(account, afterId, markets));
    }
    if (beforeId !== undefined) {
      to = Math.min(to, await this.fills.firstFrom(account, 'first_entry_id', beforeId));
    }
    // One more: the page before may have all entries of the fill at either end.
    const perFill = asset === undefined ? MIN_ENTRIES_OF_FILL : 1;
    const terms = { ...filter, limit: Math.ceil(limit / perFill) + 1 };
    const found = await this.fills.search(account, { from, to }, where, terms);
    const items = found.items
      .map(readFill)
      .flatMap((fill) => expandFill(fill, markets[fill.market]!))
      .filter((entry) => matches(entry, filter));
    if (found.searchedTo === undefined) return { items, searchedTo: undefined };
    const last = await this.firstFill(account, found.searchedTo);
    if (last === undefined) throw outOfOrder();
    const searchedTo = descending ? last.firstEntryId : lastEntryId(last, markets);
    return { items, searchedTo };
  }

  /** Returns the trade id of the first fill that has an entry after `entryId`. */
  private async firstAfter(account: number, entryId: number, markets: Markets): Promise<number> {
    const first = entryId - MAX_ENTRIES_OF_FILL + 2;
    let from = await this.fills.firstFrom(account, 'first_entry_id', first);
    for (;;) {
      const fill = await this.firstFill(account, from);
      if (fill === undefined || lastEntryId(fill, markets) > entryId) return from;
      if (fill.tradeId < from) throw outOfOrder();
      from = fill.tradeId + 1;
    }
  }

  private async firstFill(account: number, tradeId: number): Promise<Fill | undefined> {
    const span = { from: tradeId, to: Number.MAX_SAFE_INTEGER };
    const terms = { descending: false, limit: 1 };
    const [row] = await this.fills.read(account, span, new Conditions(), terms);
    return row === undefined ? undefined : readFill(row);
  }
}

const ENTRIES_BY_ACCOUNT = {
  table: entriesTable,
  owner: 'account',
  id: 'id',
  indexed: ['asset', 'reference', 'type'],
} as const;

function outOfOrder(): HistoryDamagedError {
  return new HistoryDamagedError('an index of the table fills is not in order');
}

function lastEntryId(fill: Fill, markets: Markets): number {
  return fill.firstEntryId + expandFill(fill, markets[fill.market]!).length - 1;
}

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
