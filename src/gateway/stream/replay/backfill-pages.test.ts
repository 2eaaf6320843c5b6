import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ArchiveQuery } from '../../../archivist/archive.ts';
import type { OrderRecord } from '../../../engine/event.ts';
import type { EndedOrder } from '../../../history/history.ts';
import type { AccountFeed } from '../private-channels/account-feed.ts';
import type { QueryHistory } from './backfill.ts';
import { type BackfillPage, backfillAccount } from './backfill-pages.ts';

/** The batch that ended each order, by order id. Batch sizes are around the page size. */
const endings = fc
  .array(fc.constantFrom(0, 1, 2, 498, 499, 500, 501, 999, 1001), { minLength: 1, maxLength: 5 })
  .map((sizes) => sizes.flatMap((size, batch) => Array<number>(size).fill(batch + 1)));

/** Returns ended orders as the archivist does, oldest first. */
function makeHistory(endedIn: readonly number[]): QueryHistory {
  return async (query: ArchiveQuery) => {
    if (query.kind !== 'endedOrders') throw new Error(`unexpected query ${query.kind}`);
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
  pages: AsyncGenerator<BackfillPage>,
  count: number,
): Promise<BackfillPage[]> {
  const first: BackfillPage[] = [];
  for await (const page of pages) if (first.push(page) === count) break;
  return first;
}

test('a client disconnected between any two pages of ended orders misses none when it resumes', async () => {
  await fc.assert(
    fc.asyncProperty(endings, fc.integer({ min: 1, max: 6 }), async (endedIn, pagesRead) => {
      const upTo = (endedIn.at(-1) ?? 0) + 1;
      const feed = {
        account: { index: 0 },
        sequences: { orders: upTo },
        orderText: ({ id }: OrderRecord) => `${id}`,
      } as unknown as AccountFeed;
      const plain = { queueAhead: false };
      const query = makeHistory(endedIn);
      const before = await firstPages(backfillAccount(feed, plain, 'orders', 0, query), pagesRead);
      const { sequence } = before.at(-1)!;
      const after = await firstPages(
        backfillAccount(feed, plain, 'orders', sequence, query),
        Infinity,
      );
      const received = new Set([...before, ...after].flatMap(({ texts }) => texts));
      expect(received.size).toBe(endedIn.length);
      const sequences = [...before, ...after].map((page) => page.sequence);
      expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
      expect(after.at(-1)!.sequence).toBe(upTo);
    }),
  );
});
