import { expect, test } from 'bun:test';
import type { TradeEvent } from '../../engine/event.ts';
import { Side } from '../../engine/terms.ts';
import { openDatabase } from '../database/open-database.ts';
import { upgrade } from '../database/schema.ts';
import { Pending, PendingRows } from '../writer/pending.ts';
import { store } from '../writer/writer.ts';
import { FillQueries } from './fill-queries.ts';

const ACCOUNT = 0;
/** A trade of an account with itself, as in an auction. */
const TRADE: TradeEvent = {
  kind: 'trade',
  ...{ id: 5, market: 0, price: 100, amount: 1, cost: 100, takerSide: Side.buy, isAuction: true },
  ...{ makerAccount: ACCOUNT, takerAccount: ACCOUNT, makerOrderId: 10, takerOrderId: 11 },
  ...{ makerFee: 0, takerFee: 0, makerEntryId: 1, takerEntryId: 5, time: 1_700_000_000_000 },
  ...{ makerGivenAfter: 0, makerReceivedAfter: 0, takerGivenAfter: 0, takerReceivedAfter: 0 },
};

test.each([
  [10, false],
  [10, true],
  [11, false],
  [11, true],
])(
  'a search that ends between both fills of a trade finds that of order %i, descending %p',
  async (orderId, descending) => {
    const database = openDatabase('sqlite://:memory:');
    await upgrade(database);
    const rows = new PendingRows();
    rows.addEvents(1, 0, [TRADE]);
    const hash = new Uint8Array(32);
    const [before, after] = [0, 1].map((sequence) => ({ sequence, hash }));
    await database.transaction((within) => store(within, before!, after!, [rows]));
    // The search examines one row at a time.
    const queries = new FillQueries(database, new Pending(() => []), 1);
    const found: number[] = [];
    for (let edge: number | undefined = descending ? 6 : 0; edge !== undefined; ) {
      const from = descending ? { beforeId: edge } : { afterId: edge };
      const page = await queries.fills({
        account: ACCOUNT,
        orderId,
        descending,
        limit: 5,
        ...from,
      });
      found.push(...page.items.map((fill) => fill.orderId));
      edge = page.searchedTo;
    }
    expect(found).toEqual([orderId]);
    await database.close();
  },
);
