import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkAsync } from '../../../test/check.ts';
import { Side } from '../../engine/terms.ts';
import { openDatabase } from '../database/open-database.ts';
import { upgrade } from '../database/schema.ts';
import { type Fill, fillsTable } from '../tables/fills.ts';
import { Pending, PendingRows } from '../writer/pending.ts';
import { type AggregatedTrade, FillQueries } from './fill-queries.ts';

const FILL = {
  account: 1,
  market: 0,
  side: Side.buy,
  isMaker: false,
  fee: 0,
  firstEntryId: 1,
  givenAfter: 0,
  receivedAfter: 0,
} as const;

/** Trades of orders; each has some at one price, then perhaps some at the next. */
const orders = fc.array(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 8,
});

function toFills(counts: readonly (readonly number[])[]): { fills: Fill[]; groups: Fill[][] } {
  const groups: Fill[][] = [];
  let tradeId = 0;
  for (const [index, prices] of counts.entries()) {
    for (const [price, count] of prices.entries()) {
      const group = Array.from({ length: count }, () => {
        tradeId++;
        return {
          ...FILL,
          tradeId,
          orderId: index + 1,
          price: 100 + price,
          amount: tradeId,
          time: index,
        };
      });
      groups.push(group);
    }
  }
  return { fills: groups.flat(), groups };
}

test('pages of aggregated trades are all records, whatever is read at a time', async () => {
  await checkAsync(
    fc.asyncProperty(
      orders,
      fc.record({
        step: fc.integer({ min: 1, max: 5 }),
        maxTrades: fc.integer({ min: 1, max: 12 }),
        limit: fc.integer({ min: 1, max: 5 }),
        descending: fc.boolean(),
        stored: fc.nat(40),
      }),
      async (counts, { step, maxTrades, limit, descending, stored }) => {
        const database = openDatabase('sqlite://:memory:');
        await upgrade(database);
        const { fills, groups } = toFills(counts);
        await database.insert(fillsTable, fills.slice(0, stored));
        const waiting = new PendingRows();
        waiting.trades.set(0, fills.slice(stored));
        const queries = new FillQueries(database, new Pending(() => [waiting]));
        const found: AggregatedTrade[] = [];
        for (let edge: number | undefined; ; ) {
          const from =
            edge === undefined ? {} : descending ? { beforeId: edge } : { afterId: edge };
          const filter = { market: 0, descending, limit, ...from };
          const { items, searchedTo } = await queries.aggregatedTrades(filter, step, maxTrades);
          expect(items.length).toBeLessThanOrEqual(limit);
          found.push(...items);
          if (items.length < limit && searchedTo === undefined) break;
          const last = items.at(-1)!;
          edge = searchedTo ?? (descending ? last.trade.tradeId : last.lastTradeId);
        }
        const expected = groups.map((group) => ({
          trade: group[0]!,
          amount: group.reduce((total, { amount }) => total + amount, 0),
          lastTradeId: group.at(-1)!.tradeId,
        }));
        expect(found).toEqual(descending ? expected.reverse() : expected);
        await database.close();
      },
    ),
    150,
  );
});
