import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ArchiveQuery } from '../../archivist/archive.ts';
import type { OrderRecord } from '../../engine/event.ts';
import type { EndedOrder } from '../../history/history.ts';
import type { AccountFeed } from './account-feed.ts';
import type { Ask } from './backfill.ts';
import { type MissedEvents, missedEventsOf } from './missed-events.ts';

/** Orders by id, with the batch that ended each: sizes of batches around those of pages. */
const endings = fc
  .array(fc.constantFrom(0, 1, 2, 498, 499, 500, 501, 999, 1001), { minLength: 1, maxLength: 5 })
  .map((sizes) => sizes.flatMap((size, batch) => Array<number>(size).fill(batch + 1)));

/** History as the archivist answers for it, oldest first. */
function historyOf(endedIn: readonly number[]): Ask {
  return async (query: ArchiveQuery) => {
    if (query.kind !== 'endedOrders') throw new Error('only orders are asked for');
    const { after, upTo, limit } = query.filter;
    const isAfter = (batch: number, id: number) =>
      batch > after.endedIn || (batch === after.endedIn && id > after.id);
    return endedIn
      .map((batch, id) => ({ account: 0, order: { id } as OrderRecord, endedIn: batch }))
      .filter(({ endedIn, order }) => isAfter(endedIn, order.id) && endedIn <= upTo)
      .slice(0, limit) satisfies EndedOrder[];
  };
}

async function firstPages(
  missed: AsyncGenerator<MissedEvents>,
  count: number,
): Promise<MissedEvents[]> {
  const pages: MissedEvents[] = [];
  for await (const page of missed) if (pages.push(page) === count) break;
  return pages;
}

test('who is cut off between any two pages of ended orders misses none when it comes back', async () => {
  await fc.assert(
    fc.asyncProperty(endings, fc.integer({ min: 1, max: 6 }), async (endedIn, pagesRead) => {
      const upTo = (endedIn.at(-1) ?? 0) + 1;
      const feed = {
        account: { index: 0 },
        sequences: { orders: upTo },
        orderText: ({ id }: OrderRecord) => `${id}`,
      } as unknown as AccountFeed;
      const ask = historyOf(endedIn);
      const before = await firstPages(missedEventsOf(feed, 'orders', 0, ask), pagesRead);
      const { sequence } = before.at(-1)!;
      const after = await firstPages(missedEventsOf(feed, 'orders', sequence, ask), Infinity);
      const heard = new Set([...before, ...after].flatMap(({ texts }) => texts));
      expect(heard.size).toBe(endedIn.length);
      const sequences = [...before, ...after].map((page) => page.sequence);
      expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
      expect(after.at(-1)!.sequence).toBe(upTo);
    }),
  );
});
