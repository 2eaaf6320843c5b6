import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkAsync } from '../../../test/check.ts';
import type { EntryEvent } from '../../engine/event.ts';
import { EntryType } from '../../engine/terms.ts';
import { openDatabase } from '../database/open-database.ts';
import { upgrade } from '../database/schema.ts';
import { Pending, PendingRows } from '../writer/pending.ts';
import { type Position, store } from '../writer/writer.ts';
import { EntryQueries } from './entry-queries.ts';
import { InternalTransferQueries, type StoredTransfer } from './internal-transfer-queries.ts';

const ACCOUNTS = 4;
const START = 1_700_000_000_000;
const move = fc.record({
  from: fc.nat(ACCOUNTS - 1),
  /** Added to `from`, so that the accounts differ. */
  toOffset: fc.integer({ min: 1, max: ACCOUNTS - 1 }),
  amount: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(2n ** 70n)),
  /** Ledger entries of other types that follow. */
  others: fc.nat(3),
  isCommitted: fc.boolean(),
});
const terms = fc.record({
  accounts: fc.uniqueArray(fc.nat(ACCOUNTS - 1), { minLength: 1, maxLength: ACCOUNTS }),
  since: fc.option(fc.integer({ min: START, max: START + 30 }), { nil: undefined, freq: 2 }),
  until: fc.option(fc.integer({ min: START, max: START + 30 }), { nil: undefined, freq: 2 }),
  descending: fc.boolean(),
  limit: fc.integer({ min: 1, max: 4 }),
  searchLimit: fc.constantFrom(2, 5, 50_000),
});

test('all pages have every transfer of some accounts once, with both accounts', async () => {
  const property = fc.asyncProperty(
    fc.array(move, { maxLength: 30 }),
    terms,
    async (moves, { searchLimit, ...filter }) => {
      const database = openDatabase('sqlite://:memory:');
      await upgrade(database);
      let stored: Position = { sequence: 0, hash: new Uint8Array(32) };
      let waiting = new PendingRows();
      const pending = new Pending(() => [waiting]);
      const expected: StoredTransfer[] = [];
      let nextId = 1;
      for (const [index, { from, toOffset, amount, others, isCommitted }] of moves.entries()) {
        const to = (from + toOffset) % ACCOUNTS;
        const time = START + index;
        const entryId = nextId;
        const add = (account: number, type: number, change: number | bigint): EntryEvent => ({
          ...{ kind: 'entry', id: nextId++, account, asset: 0, type, amount: change },
          ...{ after: 0, reference: index + 1, time },
        });
        const events = [
          add(from, EntryType.internalTransfer, -amount),
          add(to, EntryType.internalTransfer, amount),
          ...Array.from({ length: others }, () => add(from, EntryType.hold, -1)),
        ];
        waiting.addEvents(index + 1, 0, events);
        if (filter.accounts.includes(from) || filter.accounts.includes(to)) {
          expected.push({ entryId, id: index + 1, from, to, asset: 0, amount, time });
        }
        if (!isCommitted) continue;
        const next = { sequence: index + 1, hash: new Uint8Array(32) };
        await database.transaction((within) => store(within, stored, next, [waiting]));
        stored = next;
        waiting = new PendingRows();
      }
      const ledger = new EntryQueries(database, pending, searchLimit);
      const queries = new InternalTransferQueries(database, pending, ledger);
      const found: StoredTransfer[] = [];
      let edge: number | undefined;
      for (let pages = 0; pages === 0 || edge !== undefined; pages++) {
        expect(pages).toBeLessThan(200);
        const from = { [filter.descending ? 'beforeId' : 'afterId']: edge };
        const page = await queries.page({ ...filter, ...from });
        found.push(...page.items);
        const isFull = page.items.length === filter.limit;
        edge = isFull ? page.items.at(-1)!.entryId : page.searchedTo;
      }
      const { since = 0, until = Number.MAX_SAFE_INTEGER } = filter;
      const wanted = expected.filter(({ time }) => time >= since && time <= until);
      expect(found).toEqual(filter.descending ? wanted.reverse() : wanted);
      await database.close();
    },
  );
  await checkAsync(property, 150);
});
