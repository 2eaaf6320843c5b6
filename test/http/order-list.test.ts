import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests GET /api/orders. */

let exchange: TestExchange;
/** Order ids in the order of placement, one per second. */
const ids: string[] = [];
const START = Date.UTC(2026, 0, 5, 12);
const at = (place: number) => new Date(START + (place + 1) * 1000).toISOString();

interface Listed {
  readonly orderId: string;
  readonly status: string;
}
interface Page {
  readonly orders: Listed[];
  readonly nextCursor: string | null;
}

/** Places twelve orders of alice with every status, both sides and two markets. */
beforeAll(async () => {
  exchange = await TestExchange.open();
  exchange.now = START;
  const place = async (name: string, order: Record<string, unknown>) => {
    const answer = await exchange.place(name, {
      symbol: 'BTC/USDT',
      side: 'buy',
      type: 'limit',
      amount: 0.01,
      price: 45000,
      ...order,
    });
    expect(answer.status).toBe(200);
    return answer.data.orderId as string;
  };
  const own = async (order: Record<string, unknown>) => {
    exchange.now += 1000;
    ids.push(await place('alice', order));
  };
  const cancel = (id: string | undefined) => exchange.send('alice', 'DELETE', `/api/orders/${id}`);
  await own({ clientOrderId: 'one' });
  await own({ clientOrderId: 'two' });
  await cancel(ids[1]);
  await own({ timeInForce: 'IOC' });
  await own({ side: 'sell', price: 200_000 });
  await own({ symbol: 'ETH/USDT', price: 4000 });
  await own({ symbol: 'ETH/USDT', price: 4001 });
  await cancel(ids[5]);
  await own({ side: 'sell', price: 100_000 });
  await place('bob', { price: 100_000 });
  await own({ side: 'sell', price: 110_000 });
  await place('bob', { price: 110_000, amount: 0.005 });
  await own({ clientOrderId: 'nine', price: 44000 });
  await own({ side: 'sell', price: 300_000 });
  await cancel(ids[9]);
  await own({ price: 43000 });
  await own({ price: 42000 });
});
afterAll(() => exchange.close());

/** The final state of each order. */
const STATUSES = [
  'open',
  'canceled',
  'expired',
  'open',
  'open',
  'canceled',
  'filled',
  'open',
  'open',
  'canceled',
  'open',
  'open',
];

async function list(query: string, name = 'alice'): Promise<Page> {
  const answer = await exchange.send(name, 'GET', `/api/orders${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  expect(Object.keys(answer.data)).toEqual(['orders', 'nextCursor']);
  return answer.data;
}

/** Returns the indexes in `ids` of the orders that a query returns. */
async function places(query: string): Promise<number[]> {
  const { orders, nextCursor } = await list(query);
  expect(nextCursor).toBe(null);
  return orders.map(({ orderId }) => ids.indexOf(orderId));
}

test('newest first, each with its current status', async () => {
  const { orders } = await list('');
  expect(orders.map(({ orderId }) => orderId)).toEqual([...ids].reverse());
  expect(orders.map(({ status }) => status)).toEqual([...STATUSES].reverse());
});

test('another account’s orders are not among them', async () => {
  const { orders } = await list('', 'bob');
  expect(orders).toHaveLength(2);
  expect(orders.some(({ orderId }) => ids.includes(orderId))).toBe(false);
});

describe('filters', () => {
  const where = (holds: (status: string, place: number) => boolean) =>
    STATUSES.flatMap((status, place) => (holds(status, place) ? [place] : [])).reverse();
  test.each([
    ['?status=open', where((status) => status === 'open')],
    ['?status=canceled', [9, 5, 1]],
    ['?status=cancelled', [9, 5, 1]],
    ['?status=filled', [6]],
    ['?status=expired', [2]],
    ['?status=rejected', []],
    ['?status=closed', where((status) => status !== 'open')],
    ['?side=sell', [9, 7, 6, 3]],
    ['?side=buy', where((_, place) => ![9, 7, 6, 3].includes(place))],
    ['?symbol=ETH/USDT', [5, 4]],
    ['?symbol=ETH%2FUSDT', [5, 4]],
    ['?symbol=ETH/BTC', []],
    ['?clientOrderId=one', [0]],
    ['?clientOrderId=two', [1]],
    ['?clientOrderId=none', []],
    [`?since=${at(9)}`, [11, 10, 9]],
    [`?since=${START + 9000}`, [11, 10, 9, 8]],
    [`?until=${at(1)}`, [1, 0]],
    [`?since=${at(2)}&until=${at(4)}`, [4, 3, 2]],
    [`?since=${at(4)}&until=${at(2)}`, []],
    ['?symbol=BTC/USDT&side=sell&status=closed', [9, 6]],
    ['?symbol=BTC/USDT&side=buy&status=open&sort=asc', [0, 8, 10, 11]],
    ['?sort=asc&limit=1000', STATUSES.map((_, place) => place)],
  ])('%s', async (query, expected) => {
    expect(await places(query)).toEqual(expected);
  });
});

describe('pages', () => {
  async function walk(query: string, size: number): Promise<number[]> {
    const found: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: Page = await list(`?limit=${size}${query}${after}`);
      expect(page.orders.length).toBeLessThanOrEqual(size);
      expect(page.orders.length === size || page.nextCursor === null).toBe(true);
      found.push(...page.orders.map(({ orderId }) => ids.indexOf(orderId)));
      expect(found.length).toBeLessThanOrEqual(STATUSES.length);
      cursor = page.nextCursor;
    }
    return found;
  }

  test.each([1, 2, 3, 4, 5, 6, 11, 12, 13])(
    'of %d, both directions, nothing twice',
    async (size) => {
      const all = STATUSES.map((_, place) => place);
      expect(await walk('&sort=asc', size)).toEqual(all);
      expect(await walk('&sort=desc', size)).toEqual([...all].reverse());
      expect(await walk('', size)).toEqual([...all].reverse());
    },
  );

  test.each([1, 2, 3, 7])('of %d with filters', async (size) => {
    expect(await walk('&status=closed', size)).toEqual([9, 6, 5, 2, 1]);
    expect(await walk('&status=open&sort=asc', size)).toEqual([0, 3, 4, 7, 8, 10, 11]);
    expect(await walk(`&since=${at(3)}&until=${at(8)}&symbol=BTC/USDT`, size)).toEqual([
      8, 7, 6, 3,
    ]);
  });

  test('the last page has no nextCursor', async () => {
    expect((await list('?limit=12')).nextCursor).toBe(null);
    expect((await list('?limit=11')).nextCursor).not.toBe(null);
  });
});

describe('rejected parameters', () => {
  test.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=', 'limit'],
    ['limit', 'limit'],
    ['limit=5&limit=5', 'limit'],
    ['side=BUY', 'side'],
    ['side=both', 'side'],
    ['status=OPEN', 'status'],
    ['status=new', 'status'],
    ['sort=newest', 'sort'],
    ['since=yesterday', 'since'],
    ['until=', 'until'],
    ['clientOrderId=a%20b', 'clientOrderId'],
    [`clientOrderId=${'a'.repeat(65)}`, 'clientOrderId'],
    ['page=2', 'page'],
    ['Limit=5', 'Limit'],
    ['offset=0', 'offset'],
    ['__proto__=1', '__proto__'],
  ])('%s', async (query, field) => {
    const answer = await exchange.send('alice', 'GET', `/api/orders?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.code).toBe('INVALID_REQUEST');
    expect(answer.details.field).toBe(field);
  });

  test.each([
    ['limit=0', 1],
    ['limit=5000', 1000],
  ])('%s has a nearest: %d', async (query, nearest) => {
    const { details } = await exchange.send('alice', 'GET', `/api/orders?${query}`);
    expect(details).toEqual({ field: 'limit', rule: '1 to 1000', nearest });
  });

  test.each(['btc/usdt', 'BTCUSDT', 'BTC-USDT', 'XRP/USDT', '%00', ' BTC/USDT'])(
    'symbol=%s',
    async (symbol) => {
      const answer = await exchange.send('alice', 'GET', `/api/orders?symbol=${symbol}`);
      expect(answer.code).toBe('INVALID_SYMBOL');
      expect(answer.details).toEqual({ field: 'symbol', rule: 'known' });
    },
  );

  test('a cursor of another query', async () => {
    const cursor = (await list('?limit=2&side=buy')).nextCursor!;
    expect((await list(`?limit=3&side=buy&sort=desc&cursor=${cursor}`)).orders).toHaveLength(3);
    for (const query of ['', 'side=sell&', 'side=buy&symbol=BTC/USDT&', 'side=buy&sort=asc&']) {
      const path = `/api/orders?${query}cursor=${cursor}`;
      const answer = await exchange.send('alice', 'GET', path);
      expect([answer.status, answer.code]).toEqual([400, 'INVALID_REQUEST']);
    }
  });

  test('a cursor that was edited, cut, or belongs to another direction or account', async () => {
    const cursor = (await list('?limit=2')).nextCursor!;
    const bob = (await list('?limit=1', 'bob')).nextCursor!;
    const other = (await list('?limit=2&sort=asc')).nextCursor!;
    const [id, check] = cursor.split('-') as [string, string];
    const wrong = [
      `${cursor}-`,
      `${cursor}x`,
      cursor.slice(0, -1),
      `0${cursor}`,
      `1${cursor}`,
      cursor.toUpperCase(),
      id,
      `-${check}`,
      `${check}-${id}`,
      bob,
      other,
      'x',
      '-',
      '1',
      'null',
      'a'.repeat(500),
    ].filter((text) => text !== cursor);
    for (const text of wrong) {
      const path = `/api/orders?limit=2&cursor=${encodeURIComponent(text)}`;
      const answer = await exchange.send('alice', 'GET', path);
      expect(`${text}: ${answer.code}`).toBe(`${text}: INVALID_REQUEST`);
      expect(answer.details).toEqual({ field: 'cursor', rule: 'nextCursor' });
    }
  });
});

test('it reads your own writes: an acknowledged order is in the next answer', async () => {
  for (let count = 0; count < 20; count++) {
    const order = { symbol: 'SOL/USDT', side: 'buy', type: 'limit', amount: 1, price: 100 };
    const { data } = await exchange.place('bob', order);
    expect((await list('?limit=1', 'bob')).orders[0]).toEqual(data);
    const canceled = await exchange.send('bob', 'DELETE', `/api/orders/${data.orderId}`);
    expect((await list('?limit=1', 'bob')).orders[0]).toEqual(canceled.data);
  }
});
