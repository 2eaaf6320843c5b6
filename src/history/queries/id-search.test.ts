import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import type { EntryEvent } from '../../engine/event.ts';
import { EntryType } from '../../engine/terms.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { upgrade } from '../database/schema.ts';
import { readAudit } from '../tables/audit.ts';
import { Pending } from '../writer/pending.ts';
import { CandleQueries } from './candle-queries.ts';
import { CustodyQueries } from './custody-queries.ts';
import { EntryQueries } from './entry-queries.ts';
import { FillQueries } from './fill-queries.ts';
import { InternalTransferQueries } from './internal-transfer-queries.ts';

/** Tests that queries use an index, so that a page reads only its own rows. */

let database: Database;
const pending = new Pending(() => []);
beforeAll(async () => {
  database = openDatabase('sqlite://:memory:');
  await upgrade(database);
});
afterAll(() => database.close());

/** The plans of all statements that `ask` makes. */
async function readPlans(ask: () => Promise<unknown>): Promise<string> {
  const query = spyOn(database, 'query');
  await ask();
  const calls = [...query.mock.calls];
  query.mockRestore();
  const steps = calls.map(([text, ...values]) =>
    database.query(`EXPLAIN QUERY PLAN ${text}`, ...values),
  );
  return (await Promise.all(steps))
    .flat()
    .map(({ detail }) => detail)
    .join('\n');
}

const page = { descending: true, limit: 10, since: 1, until: 2, beforeId: 1000 };
const own = { ...page, account: 0 };
const fills = () => new FillQueries(database, pending);
const entries = () => new EntryQueries(database, pending);
/** A received transfer, whose other entry is looked up. */
const received: EntryEvent = {
  ...{ kind: 'entry', id: 9, account: 0, asset: 0, type: EntryType.internalTransfer, amount: 1 },
  ...{ after: 1, reference: 1, time: 1 },
};
const transfers = () =>
  new InternalTransferQueries(database, pending, {
    withoutTrade: async () => ({ items: [received], searchedTo: undefined }),
  });
const custody = () => new CustodyQueries(database, pending);
const candles = () => new CandleQueries(database, pending);
const markets = [
  { base: { index: 0 }, quote: { index: 1 }, baseUnit: 1, quoteUnit: 1 },
  { base: { index: 2 }, quote: { index: 1 }, baseUnit: 1, quoteUnit: 1 },
];

test.each<[string, () => Promise<unknown>, string]>([
  ['trades', () => fills().trades({ ...page, market: 0 }), 'INDEX trades_by_market (market=? AND'],
  ['fills', () => fills().fills(own), 'INDEX fills_by_account (account=? AND trade_id>'],
  [
    'fills of a market and an order',
    () => fills().fills({ ...own, market: 0, orderId: 1 }),
    'COVERING INDEX fills_by_account (account=? AND trade_id>',
  ],
  ['entries', () => entries().page(own, markets), 'INDEX entries_by_account (account=? AND id>'],
  [
    'entries of an asset and an order',
    () => entries().page({ ...own, asset: 1, orderId: 1 }, markets),
    'COVERING INDEX entries_by_account (account=? AND id>',
  ],
  [
    'transfers of an account',
    async () => {
      const asked = transfers().page({ ...page, accounts: [0] });
      await expect(asked).rejects.toThrow('lacks entry 8');
    },
    'INDEX internal_transfers_by_id (id=?)',
  ],
  [
    'deposits of all accounts',
    () => custody().deposits({ ...page, networks: [1, 2], status: 1 }, []),
    'COVERING INDEX deposits_by_id (id>',
  ],
  [
    'withdrawals of an account',
    () => custody().withdrawals({ ...own, status: 5 }, []),
    'INDEX withdrawals_by_account (account=? AND id>',
  ],
  [
    'the audit of an action',
    () => readAudit(database, { beforeId: 1000, limit: 10, action: 'setNetwork', since: 1 }),
    'INDEX audit_by_action (action=? AND id<?)',
  ],
  [
    'candles',
    () => candles().traded(0, 3_600_000, (time) => time, 0, 1000),
    'INDEX sqlite_autoindex_candles_1 (market=? AND width=? AND start>',
  ],
  ['the first candle', () => candles().first(0), 'candles_1 (market=? AND width=?)'],
  ['the price before', () => candles().priceBefore(0, 1000), 'candles_1 (market=? AND width=?'],
])('of %s', async (_, ask, index) => {
  const plan = await readPlans(ask);
  expect(plan).toContain(index);
  expect(plan).not.toMatch(/SCAN (fills|entries|candles|deposits|withdrawals)/);
  expect(plan).not.toContain('TEMP B-TREE');
});
