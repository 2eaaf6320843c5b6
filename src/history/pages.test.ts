import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { runs } from '../../test/check.ts';
import { type Applied, flows } from '../../test/history/flow.ts';
import { LIMITS, PROPERTY_TIMEOUT_MS } from '../../test/history/temporary.ts';
import type { EntryEvent } from '../engine/event.ts';
import { EntryType, entryTypes } from '../engine/terms.ts';
import { openDatabase } from './database/open-database.ts';
import { upgrade } from './database/schema.ts';
import { EntryQueries } from './queries/entry-queries.ts';
import { FillQueries } from './queries/fill-queries.ts';
import type { Page, PageTerms } from './queries/id-search.ts';
import { expandFill, type Fill, toFills } from './tables/fills.ts';
import { Pending, PendingRows } from './writer/pending.ts';
import { type Position, store } from './writer/writer.ts';

const START = 1_700_000_000_000;
const times = { min: START - 1_000, max: START + 1_500_000 };

/** The terms of any list. */
const queries = fc.record({
  account: fc.nat(3),
  market: fc.option(fc.nat(2), { nil: undefined }),
  asset: fc.option(fc.nat(2), { nil: undefined }),
  orderId: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined, freq: 2 }),
  type: fc.option(fc.nat(entryTypes.length - 1), { nil: undefined }),
  since: fc.option(fc.integer(times), { nil: undefined, freq: 2 }),
  until: fc.option(fc.integer(times), { nil: undefined, freq: 2 }),
  descending: fc.boolean(),
  limit: fc.integer({ min: 1, max: 7 }),
});

/** The start of the first page, and the batches after which history is committed. */
const course = fc.record({
  start: fc.double({ min: 0, max: 1, noNaN: true }),
  commits: fc.array(fc.boolean(), { minLength: 130, maxLength: 130 }),
  searchLimit: fc.constantFrom(1, 2, 5, 50_000),
});

test(
  'all pages together are the whole list, in order, while rows arrive in between',
  async () => {
    await fc.assert(
      fc.asyncProperty(flows(), queries, course, async ({ applied, exchange }, terms, how) => {
        const { account, market, asset, orderId, type, since, until } = terms;
        const { markets } = exchange.state;
        const isIn = ({ time }: { time: number }) =>
          (since === undefined || time >= since) && (until === undefined || time <= until);
        const fillsIn = (some: readonly Applied[]): Fill[] =>
          some
            .flatMap(({ events }) => events)
            .flatMap((event) => (event.kind === 'trade' ? toFills(event) : []))
            .filter(isIn);
        const tradesIn = (some: readonly Applied[]): Fill[] =>
          fillsIn(some).filter((fill) => !fill.isMaker && fill.market === (market ?? 0));
        const ownFillsIn = (some: readonly Applied[]): Fill[] =>
          fillsIn(some)
            .filter((fill) => fill.account === account)
            .filter((fill) => market === undefined || fill.market === market)
            .filter((fill) => orderId === undefined || fill.orderId === orderId);
        const entriesIn = (some: readonly Applied[]): EntryEvent[] => {
          const traded = fillsIn(some)
            .filter((fill) => orderId === undefined || fill.orderId === orderId)
            .flatMap((fill) => expandFill(fill, markets[fill.market]!));
          const kept = some
            .flatMap(({ events }) => events)
            .filter((event) => event.kind === 'entry')
            .filter(isIn)
            .filter(({ type }) => orderId === undefined || type !== EntryType.transfer)
            .filter(({ reference }) => orderId === undefined || reference === orderId);
          return [...traded, ...kept]
            .filter((entry) => entry.account === account)
            .filter((entry) => asset === undefined || entry.asset === asset)
            .filter((entry) => type === undefined || entry.type === type)
            .sort((a, b) => a.id - b.id);
        };

        const database = openDatabase('sqlite://:memory:');
        await upgrade(database);
        let waiting = new PendingRows();
        let stored: Position = { sequence: 0, hash: new Uint8Array(32) };
        const pending = new Pending(() => [waiting]);
        const batches = [...Map.groupBy(applied, ({ sequence }) => sequence).values()];
        let arrived = 0;
        const arrive = async () => {
          const batch = batches[arrived];
          if (batch === undefined) return;
          const { sequence } = batch[0]!;
          for (const [index, { events }] of batch.entries()) {
            waiting.addEvents(sequence, index, events);
          }
          if (!how.commits[arrived++]) return;
          const next = { sequence, hash: new Uint8Array(32) };
          await database.transaction((within) => store(within, stored, next, [waiting]));
          stored = next;
          waiting = new PendingRows();
        };
        const fills = new FillQueries(database, pending, how.searchLimit);
        const entries = new EntryQueries(database, pending, how.searchLimit);
        const expectPages = async <Item>(
          read: (page: PageTerms) => Promise<Page<Item>>,
          readId: (item: Item) => number,
          listItems: (some: readonly Applied[]) => Item[],
        ) => {
          const whole = listItems(batches.slice(0, arrived).flat());
          const paged = await readAll(read, readId, terms, arrive);
          if (terms.descending) expect(paged).toEqual(whole.reverse());
          else
            expect(paged).toEqual(
              listItems(batches.slice(0, arrived).flat()).slice(0, paged.length),
            );
          expect(paged.length).toBeGreaterThanOrEqual(whole.length);
        };

        const start = Math.ceil((how.start * batches.length) / 2);
        while (arrived < start) await arrive();
        const byTrade = ({ tradeId }: Fill) => tradeId;
        await expectPages(
          async (page) => {
            const items = await fills.trades({ ...page, market: market ?? 0 });
            return { items, searchedTo: undefined };
          },
          byTrade,
          tradesIn,
        );
        await expectPages(
          (page) => fills.fills({ ...page, account, market, orderId }),
          byTrade,
          ownFillsIn,
        );
        await expectPages(
          (page) => entries.page({ ...page, account, asset, orderId, type }, markets),
          ({ id }) => id,
          entriesIn,
        );
        await database.close();
      }),
      { numRuns: runs(80), ...LIMITS },
    );
  },
  PROPERTY_TIMEOUT_MS,
);

/** Follows a list from page to page, as a client does; something happens after each. */
async function readAll<Item>(
  read: (page: PageTerms) => Promise<Page<Item>>,
  readId: (item: Item) => number,
  { since, until, descending, limit }: PageTerms,
  between: () => Promise<void>,
): Promise<Item[]> {
  const all: Item[] = [];
  let terms: PageTerms = { since, until, descending, limit };
  for (let pages = 0; ; pages++) {
    expect(pages).toBeLessThan(1_000);
    const { items, searchedTo } = await read(terms);
    all.push(...items);
    const edge = items.length >= limit ? readId(items.at(-1)!) : searchedTo;
    if (edge === undefined) return all;
    terms = { since, until, descending, limit, [descending ? 'beforeId' : 'afterId']: edge };
    await between();
  }
}
