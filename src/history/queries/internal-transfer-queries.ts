import type { EntryEvent } from '../../engine/event.ts';
import { difference, type Exact } from '../../engine/numbers/exact.ts';
import { EntryType } from '../../engine/terms.ts';
import { select } from '../database/checksum.ts';
import type { Queries } from '../database/database.ts';
import { HistoryDamagedError } from '../errors.ts';
import { entriesTable, readEntry } from '../tables/entries.ts';
import type { Pending } from '../writer/pending.ts';
import { readKeptSince } from '../writer/trimming.ts';
import type { EntryQueries } from './entry-queries.ts';
import { allows, mergePage, type Page, type PageTerms } from './id-search.ts';

/** A query for the transfers from and to any of some accounts. Its ids are those of the sender's ledger entries. */
export interface InternalTransferFilter extends PageTerms {
  readonly accounts: readonly number[];
}

/** A transfer between accounts, as their ledgers have it. */
export interface StoredTransfer {
  /** The id of the sender's ledger entry; the recipient's is the next one. */
  readonly entryId: number;
  /** The id of the transfer. */
  readonly id: number;
  readonly from: number;
  readonly to: number;
  readonly asset: number;
  readonly amount: Exact;
  readonly time: number;
}

/** Reads pages of transfers from the ledgers of their accounts. */
export class InternalTransferQueries {
  constructor(
    private readonly database: Queries,
    private readonly pending: Pick<Pending, 'allEntries'>,
    private readonly ledger: Pick<EntryQueries, 'withoutTrade'>,
  ) {}

  async page(filter: InternalTransferFilter): Promise<Page<StoredTransfer>> {
    const { descending } = filter;
    const found = new Map<number, EntryEvent>();
    const edges: number[] = [];
    for (const account of filter.accounts) {
      const { items, searchedTo } = await this.ledger.withoutTrade(ledgerFilter(filter, account));
      for (const entry of items) found.set(senderEntryId(entry), entry);
      if (searchedTo !== undefined) edges.push(searchedTo);
    }
    const searchedTo =
      edges.length === 0 ? undefined : descending ? Math.max(...edges) : Math.min(...edges);
    const entries = [...found].filter(([id, { time }]) => allows(filter, id, time));
    const page = mergePage({ items: [], searchedTo }, entries, ([id]) => id, filter);
    const items = await this.withBothAccounts(page.items.map(([, entry]) => entry));
    return { items, searchedTo: page.searchedTo };
  }

  private async withBothAccounts(entries: readonly EntryEvent[]): Promise<StoredTransfer[]> {
    const others = await this.readEntries(entries.map(otherId));
    const isWhole = entries.every((entry) => others.has(otherId(entry)));
    // Rows before this time may be deleted, one account after the other.
    const keptSince = isWhole ? 0 : await readKeptSince(this.database);
    return entries.flatMap((entry) => {
      const { account, reference: id, asset, amount, time } = entry;
      const other = others.get(otherId(entry));
      if (other === undefined) {
        if (time < keptSince) return [];
        throw new HistoryDamagedError(`the ledger lacks entry ${otherId(entry)} of a transfer`);
      }
      const sides = isSent(entry)
        ? { from: account, to: other, amount: difference(0, amount) }
        : { from: other, to: account, amount };
      return [{ entryId: senderEntryId(entry), id, asset, time, ...sides }];
    });
  }

  /** Returns the accounts of entries of transfers by the ids of the entries. */
  private async readEntries(ids: readonly number[]): Promise<Map<number, number>> {
    if (ids.length === 0) return new Map();
    const wanted = new Set(ids);
    const waiting = [...this.pending.allEntries()].filter(({ id }) => wanted.has(id));
    const rows = await select(
      this.database,
      entriesTable as never,
      `SELECT * FROM entries WHERE type = ${EntryType.internalTransfer} AND id IN (${ids.join()})`,
    );
    return new Map([...waiting, ...rows.map(readEntry)].map(({ id, account }) => [id, account]));
  }
}

/** Returns the query for an account's entries, which may have one more than wanted at the edge of the page. */
function ledgerFilter({ accounts, beforeId, ...terms }: InternalTransferFilter, account: number) {
  return {
    ...terms,
    account,
    type: EntryType.internalTransfer,
    beforeId: beforeId === undefined ? undefined : beforeId + 1,
    limit: terms.limit + 1,
  };
}

function isSent({ amount }: EntryEvent): boolean {
  return amount < 0;
}

function senderEntryId(entry: EntryEvent): number {
  return isSent(entry) ? entry.id : entry.id - 1;
}

function otherId(entry: EntryEvent): number {
  return isSent(entry) ? entry.id + 1 : entry.id - 1;
}
