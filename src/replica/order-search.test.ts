import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { ALICE, BOB, CAROL, Fixture } from '../../test/fixture.ts';
import { rememberLittle } from '../../test/reference/little-memory.ts';
import type { ArchiveQuery } from '../archivist/archive.ts';
import { MAX_REMEMBERED } from '../engine/limits.ts';
import { TimeInForce } from '../engine/terms.ts';
import type { PlacedFilter } from '../history/history.ts';
import type { DroppedIds } from './dropped-ids.ts';
import { AccountBacklogError } from './errors.ts';
import { OrderSearch, type Searched } from './order-search.ts';

let restore = () => {};
beforeAll(() => {
  restore = rememberLittle();
});
afterAll(() => restore());

let fixture: Fixture;
/** Queries that were made, and how to answer that no order is known. */
let queries: { readonly filter: PlacedFilter; readonly answer: () => void }[];

beforeEach(() => {
  fixture = new Fixture();
  queries = [];
});

/** Has an account place orders under the ids `PREFIX-0` and so on. */
function place(account: number, count: number, prefix: string): void {
  for (let n = 0; n < count; n++) {
    const searchedBelow = fixture.exchange.state.nextOrderId;
    const terms = { timeInForce: TimeInForce.ioc, clientOrderId: `${prefix}-${n}`, searchedBelow };
    expect(fixture.buy(account, 1, 100, terms).kind).toBe('order');
  }
}

function open(droppedIds?: Pick<DroppedIds, 'isSurelyNew'>): OrderSearch {
  const replica = { exchange: fixture.exchange, position: 1 };
  const query = (query: ArchiveQuery) => {
    if (query.kind !== 'placed') throw new Error(query.kind);
    const { filter } = query;
    return new Promise<unknown>((resolve) => {
      queries.push({ filter, answer: () => resolve(filter.ids.map(() => undefined)) });
    });
  };
  return droppedIds === undefined
    ? new OrderSearch(replica, { query })
    : new OrderSearch(replica, { query }, droppedIds as DroppedIds);
}

const account = (index: number) => fixture.exchange.state.accounts[index]!;

describe('while every id must be looked up', () => {
  const always = { isSurelyNew: () => false };

  test('an account with a full queue neither refuses nor delays the order of another', async () => {
    const search = open(always);
    for (const index of [ALICE, BOB, CAROL]) place(index, MAX_REMEMBERED.clientOrderIds + 1, 'old');
    const first = search.search(account(CAROL), 'first');
    await Bun.sleep(0);
    const errors: unknown[] = [];
    const refuse = (error: unknown): undefined => void errors.push(error);
    for (let n = 0; n < 3_000; n++) {
      (search.search(account(ALICE), `new-${n}`) as Promise<Searched>).catch(refuse);
    }
    const other = search.search(account(BOB), 'new');
    queries[0]!.answer();
    await first;
    await Bun.sleep(0);
    expect(errors).toHaveLength(3_000 - 128);
    expect(errors.every((error) => error instanceof AccountBacklogError)).toBe(true);
    expect(queries).toHaveLength(2);
    expect(queries[1]!.filter.ids[1]).toEqual({ account: BOB, clientOrderId: 'new' });
    queries[1]!.answer();
    const { nextOrderId } = fixture.exchange.state;
    expect(await other).toEqual({ placed: undefined, searchedBelow: nextOrderId });
  });

  test('an id that the engine knows by then is not looked up', async () => {
    const search = open(always);
    place(ALICE, MAX_REMEMBERED.clientOrderIds + 1, 'old');
    const answer = search.search(account(ALICE), 'soon');
    place(ALICE, 1, 'soon');
    const soon = search.search(account(ALICE), 'soon-0');
    expect(soon).toEqual({ placed: undefined, searchedBelow: undefined });
    await Bun.sleep(0);
    expect(queries.map(({ filter }) => filter.ids.length)).toEqual([1]);
    queries[0]!.answer();
    await answer;
  });
});

test('a new id of an account that has dropped ids needs no query, a dropped one does', async () => {
  const search = open();
  place(ALICE, 1_000, 'old');
  let answered = 0;
  for (let n = 0; n < 1_000; n++) {
    if (!(search.search(account(ALICE), `new-${n}`) instanceof Promise)) answered++;
  }
  expect(answered).toBeGreaterThan(990);
  const before = fixture.exchange.state.nextOrderId;
  expect(search.search(account(BOB), 'old-0')).toEqual({
    placed: undefined,
    searchedBelow: before,
  });
  for (let n = 0; n < 100; n++) {
    expect(search.search(account(ALICE), `old-${n * 9}`)).toBeInstanceOf(Promise);
  }
});
