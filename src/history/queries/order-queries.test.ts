import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { LIMITS, PROPERTY_TIMEOUT_MS } from '../../../test/history/temporary.ts';
import type { OrderRecord } from '../../engine/event.ts';
import { exact } from '../../engine/numbers/exact.ts';
import { OrderStatus, type Side } from '../../engine/terms.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { upgrade } from '../database/schema.ts';
import { type EndedOrder, ordersTable } from '../tables/orders.ts';
import { matches, mergeOrders, type OrderFilter, type OrderPage } from './order-page.ts';
import { OrderQueries } from './order-queries.ts';

const { filled, canceled, expired, rejected, open } = OrderStatus;

let database: Database;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'buttonwood-orders-'));
  database = openDatabase(`sqlite://${join(directory, 'history.sqlite')}`);
  await upgrade(database);
});

afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

/** Final orders by id. Later ones have equal or later times; missing ids are those of open orders. */
const histories: fc.Arbitrary<OrderRecord[]> = fc
  .array(
    fc.record({
      account: fc.constantFrom(0, 0, 1, 7),
      market: fc.nat(2),
      side: fc.nat(1),
      status: fc.constantFrom(filled, canceled, canceled, expired, rejected),
      clientOrderId: fc.constantFrom(null, null, null, 'a', 'b'),
      gap: fc.nat(3),
      waitMs: fc.nat(2),
      money: fc.bigInt({ min: 0n, max: 10n ** 30n }).map(exact),
      special: fc.constantFrom<Partial<OrderRecord>>(
        {},
        { attached: null },
        { displayAmount: 5 },
        { attached: null, displayAmount: Number.MAX_SAFE_INTEGER },
        { attached: null, triggeredAt: 9 },
        { attached: null, trailing: { amount: 0, basisPoints: 250, activationPrice: 7 } },
      ),
    }),
    { maxLength: 80, size: 'max' },
  )
  .map((draws) => {
    let id = 0;
    let createdAt = 1_000;
    return draws.map(({ gap, waitMs, money, side, special, ...rest }) => {
      id += 1 + gap;
      createdAt += waitMs;
      const drawn = { ...rest, ...special };
      return makeOrder({ ...drawn, side: side as Side, id, createdAt, cost: money, fees: money });
    });
  });

/** Returns the row of an order that ended in the batch whose sequence equals its time. */
function ended(order: OrderRecord): EndedOrder {
  return { account: order.account, order, endedIn: order.updatedAt };
}

const filters: fc.Arbitrary<OrderFilter> = fc.record({
  account: fc.constantFrom(0, 0, 1, 2),
  market: optional(fc.nat(3)),
  side: optional(fc.nat(1) as fc.Arbitrary<Side>),
  statuses: optional(fc.subarray([open, filled, canceled, expired, rejected])),
  clientOrderId: fc.constantFrom(undefined, undefined, undefined, 'a', 'c'),
  since: optional(fc.integer({ min: 990, max: 1_100 })),
  until: optional(fc.integer({ min: 990, max: 1_100 })),
  beforeId: optional(fc.nat(200)),
  afterId: optional(fc.nat(200)),
  descending: fc.boolean(),
  limit: fc.integer({ min: 1, max: 12 }),
});

test(
  'all pages together equal the filtered and sorted list',
  async () => {
    let incomplete = 0;
    await fc.assert(
      fc.asyncProperty(
        histories,
        fc.array(filters, { minLength: 10, maxLength: 10 }),
        fc.integer({ min: 1, max: 30 }),
        async (orders, requests, searchLimit) => {
          const queries = await storeOrders(orders, searchLimit);
          for (const filter of requests) {
            const pages = await allPages(filter, (next) => queries.page(next));
            expect(pages.flatMap((page) => page.orders)).toEqual(filterAndSort(orders, filter));
            for (const { orders, searchedTo } of pages.slice(0, -1)) {
              expect(orders.length === filter.limit || searchedTo !== undefined).toBe(true);
              if (searchedTo !== undefined) incomplete++;
            }
          }
        },
      ),
      { numRuns: 60, ...LIMITS },
    );
    expect(incomplete).toBeGreaterThan(0);
  },
  PROPERTY_TIMEOUT_MS,
);

test(
  'pages merged with orders from another source equal the whole list',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        histories,
        fc.array(fc.boolean(), { minLength: 80, maxLength: 80 }),
        fc.array(filters, { minLength: 10, maxLength: 10 }),
        fc.integer({ min: 1, max: 10 }),
        async (orders, isInOtherSource, requests, searchLimit) => {
          const stored = orders.filter((_, place) => !isInOtherSource[place]);
          const others = orders.filter((_, place) => isInOtherSource[place]);
          const queries = await storeOrders(stored, searchLimit);
          for (const filter of requests) {
            const pages = await allPages(filter, async (next) =>
              mergeOrders(
                await queries.page(next),
                others.filter((order) => matches(order, next)),
                next,
              ),
            );
            expect(pages.flatMap((page) => page.orders)).toEqual(filterAndSort(orders, filter));
          }
        },
      ),
      { numRuns: 40, ...LIMITS },
    );
  },
  PROPERTY_TIMEOUT_MS,
);

test(
  'a client that reads pages while orders become final misses none and sees none twice',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        histories,
        fc.array(fc.nat(5), { minLength: 80, maxLength: 80 }),
        filters,
        fc.integer({ min: 1, max: 10 }),
        async (orders, arrivals, filter, searchLimit) => {
          const first = orders.filter((_, place) => arrivals[place] === 0);
          const queries = await storeOrders(first, searchLimit);
          let turn = 0;
          const pages = await allPages(filter, async (next) => {
            const page = await queries.page(next);
            turn++;
            const later = orders.filter((_, place) => arrivals[place] === turn);
            await database.insert(ordersTable, later.map(ended));
            return page;
          });
          const seen = pages.flatMap((page) => page.orders.map(({ id }) => id));
          expect(new Set(seen).size).toBe(seen.length);
          const all = filterAndSort(orders, filter).map(({ id }) => id);
          expect(all.filter((id) => seen.includes(id))).toEqual(seen);
          const storedFirst = filterAndSort(first, filter).map(({ id }) => id);
          expect(storedFirst.filter((id) => seen.includes(id))).toEqual(storedFirst);
        },
      ),
      { numRuns: 60, ...LIMITS },
    );
  },
  PROPERTY_TIMEOUT_MS,
);

describe('the index that a statement uses', () => {
  const plans = async (filter: Partial<OrderFilter>) => {
    const queries = await storeOrders(
      [1, 2, 3].map((id) => makeOrder({ id, createdAt: id })),
      10,
    );
    const query = spyOn(database, 'query');
    await queries.page({ account: 0, descending: true, limit: 10, ...filter });
    const calls = [...query.mock.calls];
    query.mockRestore();
    const steps = calls.map(([text, ...values]) =>
      database.query(`EXPLAIN QUERY PLAN ${text}`, ...values),
    );
    return (await Promise.all(steps))
      .flat()
      .map(({ detail }) => detail)
      .join('\n');
  };

  test.each<[Partial<OrderFilter>, string]>([
    [{}, 'INDEX orders_by_account (account=? AND id>? AND id<?)'],
    [{ market: 1 }, 'COVERING INDEX orders_by_account (account=? AND id>? AND id<?)'],
    [{ statuses: [filled], side: 1 }, 'COVERING INDEX orders_by_account (account=? AND id>'],
    [{ clientOrderId: 'a' }, 'orders_by_client_order_id (account=? AND client_order_id=? AND id>'],
    [{ since: 1, until: 2 }, 'INDEX orders_by_account (account=? AND id>? AND id<?)'],
  ])('for %p', async (filter, index) => {
    const plan = await plans(filter);
    expect(plan).toContain(index);
    expect(plan).not.toContain('SCAN orders');
    expect(plan).not.toContain('TEMP B-TREE');
  });
});

test('ended orders are read through their index', async () => {
  const queries = await storeOrders([makeOrder({ id: 1, createdAt: 1 })], 10);
  const query = spyOn(database, 'query');
  await queries.ended({ account: 0, after: { endedIn: 0, id: 0 }, upTo: 9, limit: 10 });
  const [text, ...values] = query.mock.calls[0]!;
  query.mockRestore();
  const [step] = await database.query(`EXPLAIN QUERY PLAN ${text}`, ...values);
  expect(step!.detail).toContain('INDEX orders_by_end (account=? AND (ended_in,id)>(?,?)');
});

function optional<Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(values, { nil: undefined, freq: 2 });
}

/** Stores exactly these orders, and returns the queries of the database. */
async function storeOrders(
  orders: readonly OrderRecord[],
  searchLimit: number,
): Promise<OrderQueries> {
  await database.transaction(async () => {
    await database.run('DELETE FROM orders');
    await database.insert(ordersTable, orders.map(ended));
  });
  return new OrderQueries(database, searchLimit);
}

/** Follows a list from page to page, as a client does. */
async function allPages(
  filter: OrderFilter,
  read: (filter: OrderFilter) => Promise<OrderPage>,
): Promise<OrderPage[]> {
  const pages: OrderPage[] = [];
  let next = filter;
  for (;;) {
    const page = await read(next);
    pages.push(page);
    expect(pages.length).toBeLessThan(1_000);
    const edge =
      page.searchedTo ?? (page.orders.length === filter.limit ? page.orders.at(-1)!.id : undefined);
    if (edge === undefined) return pages;
    next = filter.descending ? { ...filter, beforeId: edge } : { ...filter, afterId: edge };
  }
}

function filterAndSort(orders: readonly OrderRecord[], filter: OrderFilter): OrderRecord[] {
  const found = orders.filter((order) => matches(order, filter));
  return filter.descending ? found.reverse() : found;
}

function makeOrder(given: Partial<OrderRecord>): OrderRecord {
  return {
    kind: 'order',
    id: 1,
    account: 0,
    key: -1,
    market: 0,
    side: 0,
    triggerPrice: 0,
    type: 1,
    timeInForce: 2,
    postOnly: true,
    selfTradePrevention: 3,
    price: Number.MAX_SAFE_INTEGER,
    amount: Number.MAX_SAFE_INTEGER,
    remaining: 5,
    cost: 0,
    filledCost: 10n ** 60n,
    fees: 0,
    status: filled,
    reason: 4,
    clientOrderId: null,
    createdAt: 1_000,
    updatedAt: 8_640_000_000_000_000,
    lastFillAt: 0,
    expiresAt: 3,
    attached: { takeProfit: null, stopLoss: { price: 0, triggerPrice: 7 } },
    parentId: 9,
    ...given,
  };
}
