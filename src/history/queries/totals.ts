import { addIntervals, firstIntervalFrom, intervalStart } from '../../config/intervals.ts';
import type { EntryEvent } from '../../engine/event.ts';
import { difference, type Exact } from '../../engine/numbers/exact.ts';
import { isHoldEntry } from '../../engine/terms.ts';
import type { EntryFilter } from './entry-queries.ts';
import type { Page } from './id-search.ts';

/** The times for which an account's totals are requested. Intervals are those of candles. */
export interface TotalsFilter {
  readonly account: number;
  /** Width of an interval, one of `INTERVALS_MS`. */
  readonly width: number;
  /** The first interval begins at this time or later. If unset, the intervals end at `until`. */
  readonly since?: number | undefined;
  /** No interval begins later; at most `now`. */
  readonly until?: number | undefined;
  /** Maximum number of intervals, from 1. */
  readonly limit: number;
  /** The current time, milliseconds since 1970. */
  readonly now: number;
}

/** The account's totals at the end of an interval; for the current interval, its totals now. */
export interface TotalsPoint {
  /** Start of the interval, milliseconds since 1970. */
  readonly start: number;
  /** By asset index, minor units; undefined for assets that the account never held. */
  readonly totals: readonly (Exact | undefined)[];
}

/** Maximum ledger entries read for one answer: a fraction of a second. */
export const MAX_ENTRIES = 50_000;
/** Entries read in one step, some milliseconds. */
const PAGE = 1000;

/** Reads a page of the account's ledger. */
export type ReadEntries = (filter: EntryFilter) => Promise<Page<EntryEvent>>;

/**
 * Computes an account's past totals by walking its ledger back from its totals now. If the ledger has more entries
 * than the maximum, the earliest intervals are left out. Entries recorded between two steps do not change the result.
 */
export class TotalsWalk {
  private readonly starts: number[];
  private readonly totals: (Exact | undefined)[];
  private readonly newestFirst: TotalsPoint[] = [];
  private readonly since: number;
  private read = 0;
  private beforeId: number | undefined;

  /** @param present The account's totals by asset index, as of the state that the first step reads. */
  constructor(
    private readonly filter: TotalsFilter,
    present: readonly (Exact | undefined)[],
    private readonly maxEntries = MAX_ENTRIES,
  ) {
    this.starts = listStarts(filter);
    this.totals = [...present];
    this.since = addIntervals(this.starts[0] ?? 0, filter.width, 1);
  }

  /** Leaves out the intervals that end before a time from which the ledger is kept. */
  leaveOutBefore(keptSince: number): void {
    const { width } = this.filter;
    const kept = this.starts.filter((start) => addIntervals(start, width, 1) >= keptSince);
    this.starts.splice(0, this.starts.length, ...kept);
  }

  /** Points computed so far, oldest first. */
  get points(): TotalsPoint[] {
    return this.newestFirst.toReversed();
  }

  /** Goes back by one page of entries. @returns Whether the walk is complete. */
  async step(readEntries: ReadEntries): Promise<boolean> {
    if (this.starts.length === 0) return true;
    const { beforeId, since } = this;
    const { account } = this.filter;
    const page = { account, since, beforeId, descending: true, limit: PAGE };
    const { items, searchedTo } = await readEntries(page);
    for (const entry of items) this.rewindBy(entry);
    this.read += items.length;
    this.beforeId = items.length === PAGE ? items.at(-1)!.id : searchedTo;
    if (this.beforeId !== undefined) return this.read >= this.maxEntries;
    while (this.starts.length > 0) this.addPoint();
    return true;
  }

  private rewindBy({ type, asset, amount, time }: EntryEvent): void {
    const { starts, totals } = this;
    const { width } = this.filter;
    while (starts.length > 0 && time < addIntervals(starts.at(-1)!, width, 1)) this.addPoint();
    if (isHoldEntry(type)) return;
    totals[asset] = difference(totals[asset] ?? 0, amount);
  }

  private addPoint(): void {
    this.newestFirst.push({ start: this.starts.pop()!, totals: [...this.totals] });
  }
}

/** Returns the starts of the intervals of a request, oldest first. */
export function listStarts({ width, since, until, limit, now }: TotalsFilter): number[] {
  let last = intervalStart(Math.min(until ?? now, now), width);
  let first = addIntervals(last, width, 1 - limit);
  if (since !== undefined) {
    first = firstIntervalFrom(since, width);
    last = Math.min(last, addIntervals(first, width, limit - 1));
  }
  const starts: number[] = [];
  for (let start = first; start <= last; start = addIntervals(start, width, 1)) {
    if (start >= 0) starts.push(start);
  }
  return starts;
}
