import type { EntryEvent } from '../engine/event.ts';
import { difference, type Exact } from '../engine/numbers/exact.ts';
import { EntryType } from '../engine/terms.ts';
import { candleStart } from './candle-page.ts';
import type { EntryFilter } from './entry-queries.ts';
import type { Page } from './id-search.ts';

/** For which times it is asked what an account owned. Intervals are those of candles. */
export interface TotalsFilter {
  readonly account: number;
  /** Width of an interval, milliseconds: a part of a day, a day or a week. */
  readonly width: number;
  /** The first interval is the first that begins at this time or later; without it they end at `until`. */
  readonly since?: number | undefined;
  /** No interval begins later; at most `now`. */
  readonly until?: number | undefined;
  /** At most this many, from 1. */
  readonly limit: number;
  /** The present, milliseconds since 1970. */
  readonly now: number;
}

/** What an account owned when an interval ended; of the one that has not ended, what it owns. */
export interface TotalsPoint {
  /** When the interval began. */
  readonly start: number;
  /** By the index of the asset, minor units; undefined where the account never held any. */
  readonly totals: readonly (Exact | undefined)[];
}

/** Entries gone through for one answer at most: a fraction of a second. */
export const MOST_ENTRIES = 50_000;
const PAGE = 1000;

type ReadPage = (filter: EntryFilter) => Promise<Page<EntryEvent>>;

/**
 * Goes back from what the account owns now, entry by entry. Where there are more entries than an answer
 * may take, the earliest intervals are left out.
 * @param present Total of each asset, by its index. @param readPage Reads the account's ledger.
 */
export async function totalsAt(
  filter: TotalsFilter,
  present: readonly (Exact | undefined)[],
  readPage: ReadPage,
  mostEntries = MOST_ENTRIES,
): Promise<TotalsPoint[]> {
  const { width } = filter;
  const starts = startsOf(filter);
  const points: TotalsPoint[] = [];
  if (starts.length === 0) return points;
  const totals = [...present];
  const take = () => points.push({ start: starts.pop()!, totals: [...totals] });
  const terms = { account: filter.account, since: starts[0]! + width, descending: true };
  let read = 0;
  let beforeId: number | undefined;
  for (;;) {
    const { items, searchedTo } = await readPage({ ...terms, beforeId, limit: PAGE });
    for (const { type, asset, amount, time } of items) {
      while (starts.length > 0 && time < starts.at(-1)! + width) take();
      if (type === EntryType.hold || type === EntryType.release) continue;
      totals[asset] = difference(totals[asset] ?? 0, amount);
    }
    read += items.length;
    beforeId = items.length === PAGE ? items.at(-1)!.id : searchedTo;
    if (beforeId === undefined) break;
    if (read >= mostEntries) return points.reverse();
  }
  while (starts.length > 0) take();
  return points.reverse();
}

function startsOf({ width, since, until, limit, now }: TotalsFilter): number[] {
  let last = candleStart(Math.min(until ?? now, now), width);
  let first = last - (limit - 1) * width;
  if (since !== undefined) {
    first = candleStart(since + width - 1, width);
    last = Math.min(last, first + (limit - 1) * width);
  }
  const starts: number[] = [];
  for (let start = first; start <= last; start += width) if (start >= 0) starts.push(start);
  return starts;
}
