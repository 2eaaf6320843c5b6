import { expect, test } from 'bun:test';
import { MINUTE_MS } from '../../config/durations.ts';
import type { EntryEvent } from '../../engine/event.ts';
import { EntryType } from '../../engine/terms.ts';
import type { EntryFilter } from './entry-queries.ts';
import { type TotalsFilter, type TotalsPoint, TotalsWalk } from './totals.ts';

/** Entries of one asset, one a second, each of one unit; the newest first. */
function ledger(count: number): EntryEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const id = count - index;
    const terms = { kind: 'entry', account: 0, asset: 0, type: EntryType.trade } as const;
    return { ...terms, id, amount: 1, after: id, reference: id, time: id * 1000 };
  });
}

function reader(entries: readonly EntryEvent[]) {
  return async ({ since = 0, beforeId = Infinity, limit }: EntryFilter) => ({
    items: entries.filter(({ id, time }) => id < beforeId && time >= since).slice(0, limit),
    searchedTo: undefined,
  });
}

async function walk(
  filter: TotalsFilter,
  count: number,
  maxEntries?: number,
): Promise<TotalsPoint[]> {
  const all = new TotalsWalk(filter, [count], maxEntries);
  while (!(await all.step(reader(ledger(count))))) {}
  return all.points;
}

test('reads as many pages as there are', async () => {
  const now = 3600 * 1000 + 30_000;
  const points = await walk({ account: 0, width: MINUTE_MS, limit: 61, now }, 3600);
  expect(points).toHaveLength(61);
  // An entry at the very end of an interval belongs to the next.
  expect(points.map(({ totals }) => totals[0])).toEqual(
    Array.from({ length: 61 }, (_, index) => Math.min(index * 60 + 59, 3600)),
  );
});

test('leaves out the earliest intervals if there are too many entries', async () => {
  const filter = { account: 0, width: MINUTE_MS, limit: 61, now: 3600 * 1000 };
  const points = await walk(filter, 3600, 1000);
  expect(points[0]!.start).toBeGreaterThan(0);
  expect(points.at(-1)!.totals).toEqual([3600]);
  for (const { start, totals } of points.slice(0, -1)) expect(totals).toEqual([start / 1000 + 59]);
});

test('reads one page per step, and ignores rows recorded between two steps', async () => {
  const filter = { account: 0, width: MINUTE_MS, limit: 61, now: 3600 * 1000 + 30_000 };
  const all = new TotalsWalk(filter, [3600]);
  let pages = 0;
  for (let count = 3600, isDone = false; !isDone; count += 100) {
    const readEntries = reader(ledger(count));
    isDone = await all.step((page) => {
      pages++;
      return readEntries(page);
    });
  }
  expect(pages).toBe(4);
  expect(all.points).toEqual(await walk(filter, 3600));
});
