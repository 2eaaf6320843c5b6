import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests GET /api/trades and GET /api/fills. */

let exchange: TestExchange;
const START = Date.UTC(2026, 0, 5, 12);
const at = (second: number) => new Date(START + second * 1000).toISOString();
/** Maker and taker of each trade, one per second. */
const makers: string[] = [];
const takers: string[] = [];

interface Item {
  readonly id: string;
}

async function get(name: string | undefined, path: string) {
  const answer = await exchange.send(name, 'GET', path);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data;
}

/** Trades between alice and bob; the maker's order is placed and matched in the same second. */
async function trade(symbol: string, side: string, price: number, amount: number): Promise<void> {
  exchange.now += 1000;
  const order = { symbol, type: 'limit', price, amount };
  const other = side === 'buy' ? 'sell' : 'buy';
  makers.push((await exchange.place('alice', { ...order, side: other })).data.orderId);
  takers.push((await exchange.place('bob', { ...order, side })).data.orderId);
}

beforeAll(async () => {
  exchange = await TestExchange.open();
  for (let n = 1; n <= 7; n++) {
    const symbol = n % 3 === 0 ? 'ETH/USDT' : 'BTC/USDT';
    await trade(symbol, n % 2 === 0 ? 'sell' : 'buy', 1000 + n, n / 100);
    // Some rows are still in memory, the others in the database.
    if (n === 4) await exchange.archive.flush();
  }
});
afterAll(() => exchange.close());

describe('GET /api/trades', () => {
  test('is the public data of a market, newest first', async () => {
    const { trades, nextCursor } = await get(undefined, '/api/trades?symbol=ETH/USDT');
    expect(nextCursor).toBeNull();
    expect(trades).toEqual([
      { id: '6', symbol: 'ETH/USDT', side: 'sell', price: 1006, amount: 0.06, timestamp: at(6) },
      { id: '3', symbol: 'ETH/USDT', side: 'buy', price: 1003, amount: 0.03, timestamp: at(3) },
    ]);
  });

  test.each([
    [`since=${at(4)}`, ['7', '5', '4']],
    [`until=${START + 4000}`, ['4', '2', '1']],
    [`since=${at(2)}&until=${at(5)}&sort=asc`, ['2', '4', '5']],
    ['limit=2', ['7', '5']],
    [`since=${at(8)}`, []],
  ])('%s', async (query, ids) => {
    const { trades } = await get(undefined, `/api/trades?symbol=BTC/USDT&${query}`);
    expect(trades.map(({ id }: Item) => id)).toEqual(ids);
  });

  test.each([
    ['', 'INVALID_SYMBOL', 'symbol'],
    ['?symbol=XX/YY', 'INVALID_SYMBOL', 'symbol'],
    ['?symbol=BTC/USDT&limit=0', 'INVALID_REQUEST', 'limit'],
    ['?symbol=BTC/USDT&limit=1001', 'INVALID_REQUEST', 'limit'],
    ['?symbol=BTC/USDT&since=yesterday', 'INVALID_REQUEST', 'since'],
    ['?symbol=BTC/USDT&sort=up', 'INVALID_REQUEST', 'sort'],
    ['?symbol=BTC/USDT&cursor=1-0', 'INVALID_REQUEST', 'cursor'],
    ['?symbol=BTC/USDT&orderId=1', 'INVALID_REQUEST', 'orderId'],
  ])('rejects "%s"', async (query, code, field) => {
    const answer = await exchange.send(undefined, 'GET', `/api/trades${query}`);
    expect([answer.status, answer.code, answer.details.field]).toEqual([400, code, field]);
  });
});

describe('GET /api/fills', () => {
  test('has each side of a trade', async () => {
    const path = `/api/fills?limit=1&until=${at(1)}`;
    const common = { id: '1', symbol: 'BTC/USDT', price: 1001, amount: 0.01, cost: 10.01 };
    expect((await get('alice', path)).fills).toEqual([
      {
        ...common,
        orderId: makers[0],
        side: 'sell',
        fee: { asset: 'USDT', cost: 0.008008 },
        liquidity: 'maker',
        timestamp: at(1),
      },
    ]);
    expect((await get('bob', path)).fills).toEqual([
      {
        ...common,
        orderId: takers[0],
        side: 'buy',
        fee: { asset: 'BTC', cost: 0.00001 },
        liquidity: 'taker',
        timestamp: at(1),
      },
    ]);
  });

  test.each([
    ['', ['7', '6', '5', '4', '3', '2', '1']],
    ['?symbol=ETH/USDT', ['6', '3']],
    ['?symbol=ETH/USDT&sort=asc&limit=1', ['3']],
    [`?since=${at(3)}&until=${at(5)}`, ['5', '4', '3']],
    ['?orderId=0', []],
    ['?orderId=abc', []],
  ])('"%s"', async (query, ids) => {
    const { fills } = await get('reader', `/api/fills${query}`);
    expect(fills.map(({ id }: Item) => id)).toEqual(ids);
  });

  test('orderId is an own order; that of another account has no fills', async () => {
    const listIds = async (name: string, orderId: string) =>
      (await get(name, `/api/fills?orderId=${orderId}`)).fills.map(({ id }: Item) => id);
    for (const place of [2, 5]) {
      expect(await listIds('alice', makers[place]!)).toEqual([`${place + 1}`]);
      expect(await listIds('bob', takers[place]!)).toEqual([`${place + 1}`]);
      expect(await listIds('bob', makers[place]!)).toEqual([]);
    }
  });

  test('a fill of an acknowledged order is in the next response', async () => {
    for (let n = 0; n < 5; n++) {
      await trade('BTC/USDT', 'buy', 2000, 0.01);
      const { fills } = await get('bob', '/api/fills?limit=1');
      expect(fills[0].orderId).toBe(takers.at(-1));
    }
  });

  test.each([
    ['?symbol=XX/YY', 'INVALID_SYMBOL', 'symbol'],
    ['?side=buy', 'INVALID_REQUEST', 'side'],
    ['?limit=1.5', 'INVALID_REQUEST', 'limit'],
  ])('rejects "%s"', async (query, code, field) => {
    const answer = await exchange.send('alice', 'GET', `/api/fills${query}`);
    expect([answer.status, answer.code, answer.details.field]).toEqual([400, code, field]);
  });
});

describe.each([
  ['/api/trades?symbol=BTC/USDT', 'trades'],
  ['/api/fills?symbol=BTC/USDT', 'fills'],
])('pages of %s', (path, field) => {
  test.each(['desc', 'asc'])('in order %s are the whole list while rows arrive', async (sort) => {
    const whole = (await get('bob', `${path}&limit=1000&sort=${sort}`))[field];
    const paged: Item[] = [];
    let cursor = '';
    for (;;) {
      const page = await get('bob', `${path}&limit=2&sort=${sort}${cursor}`);
      paged.push(...page[field]);
      if (page.nextCursor === null || paged.length >= whole.length) break;
      cursor = `&cursor=${page.nextCursor}`;
      await trade('BTC/USDT', 'buy', 3000, 0.01);
      if (paged.length % 4 === 0) await exchange.archive.flush();
    }
    expect(paged.slice(0, whole.length)).toEqual(whole);
  });
});

test('a cursor of another account, of other parameters or of another list is rejected', async () => {
  const { nextCursor } = await get('alice', '/api/fills?limit=1');
  const trades = await get(undefined, '/api/trades?symbol=BTC/USDT&limit=1');
  for (const [name, query] of [
    ['bob', `cursor=${nextCursor}`],
    ['alice', `cursor=${nextCursor}&symbol=BTC/USDT`],
    ['alice', `cursor=${nextCursor}&sort=asc`],
    ['alice', `cursor=${trades.nextCursor}`],
    ['alice', `cursor=9${nextCursor}`],
  ] as const) {
    const answer = await exchange.send(name, 'GET', `/api/fills?${query}`);
    expect([answer.status, answer.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.details).toEqual({ field: 'cursor', rule: 'nextCursor' });
  }
});

describe('a trade of an account with itself', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await TestExchange.open();
    const change = (body: object) =>
      exchange.send('operator', 'PATCH', '/api/admin/markets', JSON.stringify(body));
    const order = { symbol: 'BTC/USDT', type: 'limit', price: 1000, amount: 0.01 };
    for (let n = 1; n <= 3; n++) {
      // Only auctions have no self-trade prevention.
      await change({ symbol: 'BTC/USDT', status: 'auction' });
      await exchange.place('alice', { ...order, side: 'sell' });
      await exchange.place(n === 2 ? 'bob' : 'alice', { ...order, side: 'buy' });
      exchange.now += 1000;
      await change({ symbol: 'BTC/USDT', status: 'online' });
      if (n === 1) await exchange.archive.flush();
    }
  });
  afterAll(() => exchange.close());

  /** Returns all fills by pages of a size. */
  async function list(limit: number, filter: string): Promise<string[]> {
    const fills: { id: string; liquidity: string }[] = [];
    for (let cursor = '', next: string | null = ''; next !== null; cursor = `&cursor=${next}`) {
      const path = `/api/fills?limit=${limit}${filter}${cursor}`;
      const { data } = await exchange.send('alice', 'GET', path);
      fills.push(...data.fills);
      next = data.nextCursor;
    }
    return fills.map(({ id, liquidity }) => `${id} ${liquidity}`);
  }

  test.each(['', '&sort=asc', '&symbol=BTC/USDT'])(
    'has both fills once, whatever filters the list (%s)',
    async (filter) => {
      const whole = await list(1000, filter);
      expect(whole.toSorted()).toEqual([
        ...['1 maker', '1 taker', '2 maker', '3 maker', '3 taker'],
      ]);
      expect(await list(1, filter)).toEqual(whole);
    },
  );

  test('each order has its own fill', async () => {
    const { fills } = (await exchange.send('alice', 'GET', '/api/fills')).data;
    for (const { id, orderId, liquidity } of fills) {
      expect(await list(1, `&orderId=${orderId}`)).toEqual([`${id} ${liquidity}`]);
    }
  });
});
