import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests GET /api/trades with aggregate=true. */

let exchange: TestExchange;
const PATH = '/api/trades?symbol=BTC/USDT';

interface Trade {
  readonly id: string;
  readonly price: number;
  readonly amount: number;
  readonly firstTradeId: string;
  readonly lastTradeId: string;
}

async function get(name: string | undefined, path: string) {
  const answer = await exchange.send(name, 'GET', path);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data;
}

beforeAll(async () => {
  exchange = await TestExchange.open();
  for (let round = 0; round < 5; round++) {
    exchange.now += round % 2 === 0 ? 1000 : 0;
    const limit = (price: number, amount: number) => {
      return { symbol: 'BTC/USDT', type: 'limit', price, amount };
    };
    for (const price of [1000, 1000, 1000, 1001, 1001]) {
      await exchange.place('alice', { ...limit(price, 0.01), side: 'sell' });
    }
    // Two orders that trade at the same price one after the other, then one that takes two levels.
    await exchange.place('bob', { ...limit(1000, 0.01), side: 'buy' });
    if (round === 2) await exchange.archive.flush();
    await exchange.place('bob', { ...limit(1001, 0.04), side: 'buy' });
  }
});
afterAll(() => exchange.close());

/** Aggregates bob's fills, which name his orders. */
async function naive(sort: string): Promise<unknown[]> {
  const { fills } = await get('bob', '/api/fills?symbol=BTC/USDT&sort=asc&limit=1000');
  const records: Trade[] = [];
  let lastKey = '';
  for (const { id, orderId, price, amount } of fills) {
    const last = records.at(-1);
    const key = `${orderId} ${price}`;
    if (last !== undefined && key === lastKey) {
      const total = Math.round((last.amount + amount) * 100) / 100;
      records[records.length - 1] = { ...last, amount: total, lastTradeId: id };
    } else records.push({ id, price, amount, firstTradeId: id, lastTradeId: id });
    lastKey = key;
  }
  return sort === 'asc' ? records : records.reverse();
}

test.each(['desc', 'asc'])(
  'in order %s the trades of one order at one price are one record',
  async (sort) => {
    const { trades, nextCursor } = await get(undefined, `${PATH}&aggregate=true&sort=${sort}`);
    expect(nextCursor).toBeNull();
    expect(trades).toMatchObject(await naive(sort));
    expect(trades).toHaveLength(15);
    expect(trades[0]).toMatchObject({ symbol: 'BTC/USDT', side: 'buy' });
  },
);

test.each(['desc', 'asc'])('in order %s pages never divide a record', async (sort) => {
  const whole = (await get(undefined, `${PATH}&aggregate=true&sort=${sort}`)).trades;
  for (const limit of [1, 2, 4]) {
    const paged: Trade[] = [];
    for (let cursor = ''; ; ) {
      const path = `${PATH}&aggregate=true&sort=${sort}&limit=${limit}${cursor}`;
      const { trades, nextCursor } = await get(undefined, path);
      expect(trades.length).toBeLessThanOrEqual(limit);
      paged.push(...trades);
      if (nextCursor === null) break;
      cursor = `&cursor=${nextCursor}`;
    }
    expect(paged).toEqual(whole);
  }
});

test('aggregate=false changes nothing, and other values are rejected', async () => {
  const plain = await get(undefined, PATH);
  expect(await get(undefined, `${PATH}&aggregate=false`)).toEqual(plain);
  expect(plain.trades).toHaveLength(25);
  const answer = await exchange.send(undefined, 'GET', `${PATH}&aggregate=1`);
  expect([answer.status, answer.code, answer.details.field]).toEqual([
    400,
    'INVALID_REQUEST',
    'aggregate',
  ]);
});

test('a cursor of plain trades does not continue aggregated ones', async () => {
  const { nextCursor } = await get(undefined, `${PATH}&limit=1`);
  const path = `${PATH}&aggregate=true&limit=1&cursor=${nextCursor}`;
  expect((await exchange.send(undefined, 'GET', path)).code).toBe('INVALID_REQUEST');
});

test.each(['desc', 'asc'])('fromId never divides a record, in order %s', async (sort) => {
  const all = (await naive(sort)) as Trade[];
  const ids = all.flatMap(({ firstTradeId, lastTradeId }) =>
    [firstTradeId, lastTradeId].map(Number),
  );
  for (let fromId = 1; fromId <= Math.max(...ids) + 1; fromId++) {
    const expected = all.filter(({ id }) => Number(id) >= fromId).map(({ id }) => id);
    for (const limit of [1000, 2]) {
      const found: string[] = [];
      const query = `${PATH}&aggregate=true&sort=${sort}&fromId=${fromId}&limit=${limit}`;
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await get(undefined, `${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        found.push(...page.trades.map(({ id }: Trade) => id));
        cursor = page.nextCursor;
      }
      expect(found).toEqual(expected);
    }
    const single = await get(undefined, `${PATH}&sort=asc&limit=1&fromId=${fromId}`);
    const [trade] = single.trades;
    expect(trade?.id).toBe(fromId > Math.max(...ids) ? undefined : `${fromId}`);
  }
});

test.each(['0', 'x', '-1', '1e3'])('the fromId %s is rejected', async (fromId) => {
  const { code, details } = await exchange.send(undefined, 'GET', `${PATH}&fromId=${fromId}`);
  expect([code, details.field]).toEqual(['INVALID_REQUEST', 'fromId']);
});
