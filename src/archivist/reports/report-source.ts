import type { EntryEvent, OrderRecord } from '../../engine/event.ts';
import { listPendingLegs } from '../../engine/orders/contingent/pending-legs.ts';
import type { State } from '../../engine/state.ts';
import { expandFill, type Fill, type HistoryReader } from '../../history/history.ts';
import type { PastSource } from '../past/replays.ts';

/** Rows read in one step, about a millisecond: longer steps delay the orders of the serving thread on a busy machine. */
const PAGE_ROWS = 250;

/** The state and the history that reports read: those of the archive. */
export interface ReportSource {
  readonly state: State;
  /** The last batch that the state includes. */
  readonly position: number;
  /** The log that reports about the exchange replay; undefined if it is not in files. */
  readonly past?: PastSource | undefined;
  /** Overrides the number of rows read in one step. */
  readonly pageRows?: number | undefined;
  /** Runs a query on everything recorded at the time when `work` is called. */
  read<Answer>(work: (reader: HistoryReader) => Promise<Answer>): Promise<Answer>;
}

/**
 * The records of one account in a period, as of one position of the log: history only grows, so what was recorded later is
 * left out by its id.
 */
export class AccountRecords {
  readonly position: number;
  /** The log's time at the position, milliseconds since 1970. */
  readonly time: number;
  /** Balances at the position by asset index, minor units. */
  readonly balances: readonly ({ available: number | bigint; held: number | bigint } | undefined)[];
  private readonly nextEntryId: number;
  private readonly nextTradeId: number;
  private readonly nextOrderId: number;
  private readonly open: readonly OrderRecord[];
  private readonly pageRows: number;

  /** Takes the present position of the source. */
  constructor(
    private readonly source: ReportSource,
    private readonly account: number,
    private readonly from: number,
  ) {
    const { state, position } = source;
    const owner = state.accounts[account]!;
    this.pageRows = source.pageRows ?? PAGE_ROWS;
    this.position = position;
    this.time = state.time;
    this.balances = Array.from(owner.balances, (balance) =>
      balance === undefined ? undefined : { available: balance.available, held: balance.held },
    );
    this.nextEntryId = state.ledger.nextEntryId;
    this.nextTradeId = state.nextTradeId;
    this.nextOrderId = state.nextOrderId;
    this.open = state.accountOpenOrders(owner).sort((a, b) => a.id - b.id);
  }

  /** Yields the fills from the beginning of the period to the position, in order of their trades, a page at a time. */
  async *fills(): AsyncGenerator<Fill[]> {
    const { account, from, nextTradeId: beforeId } = this;
    let afterId: number | undefined;
    for (;;) {
      const start = afterId === undefined ? { since: from } : { afterId };
      const filter = { account, beforeId, ...start, descending: false, limit: this.pageRows };
      const { items } = await this.source.read((reader) => reader.fills(filter));
      if (items.length > 0) yield items;
      if (items.length < this.pageRows) return;
      afterId = items.at(-1)!.tradeId;
    }
  }

  /**
   * Yields the ledger from the beginning of the period to the position, in order of ids, a page at a time.
   * @param onFills Called with the fills that the entries of following pages come from, in order.
   */
  async *entries(
    onFills: (fills: readonly Fill[]) => void = () => {},
  ): AsyncGenerator<EntryEvent[]> {
    const { markets } = this.source.state;
    const expand = (fill: Fill) => expandFill(fill, markets[fill.market]!);
    const traded = new Pages(this.fills(), (fills) => {
      onFills(fills);
      return fills.flatMap(expand);
    });
    const others = new Pages(this.entriesWithoutTrade(), (page) => page);
    for (;;) {
      await traded.fill();
      await others.fill();
      const page = mergeReady(traded, others);
      if (page.length === 0) return;
      yield page;
    }
  }

  /** Yields the orders placed in the period and not after it, as they were at the position, in order of ids. */
  async *orders(to: number): AsyncGenerator<OrderRecord[]> {
    const { account, from, nextOrderId: beforeId } = this;
    // They may have ended since, and are in history then.
    const unfinished = new Set(
      this.open.flatMap((order) => [order, ...listPendingLegs(order)]).map(({ id }) => id),
    );
    const open = this.open.filter(({ createdAt }) => createdAt >= from && createdAt < to);
    let next = 0;
    let afterId: number | undefined;
    for (;;) {
      const start = afterId === undefined ? { since: from } : { afterId };
      const filter = { account, beforeId, ...start, descending: false, limit: this.pageRows };
      const { orders: final } = await this.source.read((reader) => reader.finalOrders(filter));
      const isLast = final.length < this.pageRows || final.at(-1)!.createdAt >= to;
      afterId = final.at(-1)?.id;
      const page: OrderRecord[] = [];
      for (const order of final) {
        if (unfinished.has(order.id) || order.createdAt >= to) continue;
        while (next < open.length && open[next]!.id < order.id) page.push(open[next++]!);
        page.push(order);
      }
      if (isLast) page.push(...open.slice(next));
      if (page.length > 0) yield page;
      if (isLast) return;
    }
  }

  /** Returns how much of the entries up to the position precedes `id`, from 0 to 1. @param first The first entry of the report. */
  entryProgress(first: number, id: number): number {
    return (id - first) / Math.max(1, this.nextEntryId - first);
  }

  /** Yields the entries that no fill represents from the beginning of the period to the position, in order of ids. */
  async *entriesWithoutTrade(): AsyncGenerator<EntryEvent[]> {
    const { account, from, nextEntryId: beforeId } = this;
    let afterId: number | undefined;
    for (;;) {
      const start = afterId === undefined ? { since: from } : { afterId };
      const filter = { account, beforeId, ...start, descending: false, limit: this.pageRows };
      const { items } = await this.source.read((reader) => reader.entriesWithoutTrade(filter));
      if (items.length > 0) yield items;
      if (items.length < this.pageRows) return;
      afterId = items.at(-1)!.id;
    }
  }
}

/** Entries of one of two sources that are merged. */
class Pages<Item> {
  entries: readonly EntryEvent[] = [];
  next = 0;
  private isDone = false;

  constructor(
    private readonly pages: AsyncGenerator<Item[]>,
    private readonly toEntries: (page: Item[]) => readonly EntryEvent[],
  ) {}

  /** Reads the next page if none is left. */
  async fill(): Promise<void> {
    if (this.isDone || this.next < this.entries.length) return;
    const { done, value } = await this.pages.next();
    this.isDone = done === true;
    this.entries = done ? [] : this.toEntries(value);
    this.next = 0;
  }

  get isEmpty(): boolean {
    return this.next >= this.entries.length;
  }
}

/** Takes entries in order of ids until one of the sources has to read its next page. Both were filled before. */
function mergeReady(a: Pages<Fill>, b: Pages<EntryEvent>): EntryEvent[] {
  const merged: EntryEvent[] = [];
  while (!a.isEmpty || !b.isEmpty) {
    const takesA = b.isEmpty || (!a.isEmpty && a.entries[a.next]!.id < b.entries[b.next]!.id);
    const from = takesA ? a : b;
    merged.push(from.entries[from.next++]!);
    if (from.isEmpty) break;
  }
  return merged;
}
