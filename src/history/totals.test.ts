import { expect, test } from 'bun:test';
import type { EntryEvent } from '../engine/event.ts';
import { EntryType } from '../engine/terms.ts';
import type { EntryFilter } from './entry-queries.ts';
import { totalsAt } from './totals.ts';

/** Entries of one asset, one a second, each of one unit; the newest first. */
function ledger(count: number): EntryEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const id = count - index;
    const of = { kind: 'entry', account: 0, asset: 0, type: EntryType.trade } as const;
    return { ...of, id, amount: 1, after: id, reference: id, time: id * 1000 };
  });
}

function reader(entries: readonly EntryEvent[]) {
  return async ({ since = 0, beforeId = Infinity, limit }: EntryFilter) => ({
    items: entries.filter(({ id, time }) => id < beforeId && time >= since).slice(0, limit),
    searchedTo: undefined,
  });
}

const MINUTE_MS = 60_000;

test('goes through as many pages as there are', async () => {
  const now = 3600 * 1000 + 30_000;
  const filter = { account: 0, width: MINUTE_MS, limit: 61, now };
  const points = await totalsAt(filter, [3600], reader(ledger(3600)));
  expect(points).toHaveLength(61);
  // An entry at the very end of an interval belongs to the next.
  expect(points.map(({ totals }) => totals[0])).toEqual(
    Array.from({ length: 61 }, (_, index) => Math.min(index * 60 + 59, 3600)),
  );
});

test('leaves the earliest out where there are too many entries', async () => {
  const filter = { account: 0, width: MINUTE_MS, limit: 61, now: 3600 * 1000 };
  const points = await totalsAt(filter, [3600], reader(ledger(3600)), 1000);
  expect(points[0]!.start).toBeGreaterThan(0);
  expect(points.at(-1)!.totals).toEqual([3600]);
  for (const { start, totals } of points.slice(0, -1)) expect(totals).toEqual([start / 1000 + 59]);
});
