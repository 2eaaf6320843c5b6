import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

type By = 'alice' | 'bob';

async function place(by: By, side: string): Promise<void> {
  const order = { symbol: 'BTC/USDT', side, type: 'limit', amount: 0.01, price: 45_000 };
  const { status } = await exchange.send(by, 'POST', '/api/orders', JSON.stringify(order));
  expect(status).toBe(200);
  exchange.now += 1000;
}

/** Two users trade the same amount to and fro, and a command ends the window. */
async function washTrade(): Promise<void> {
  for (let round = 0; round < 6; round++) {
    const [seller, buyer]: By[] = round % 2 === 0 ? ['alice', 'bob'] : ['bob', 'alice'];
    await place(seller!, 'sell');
    await place(buyer!, 'buy');
  }
  exchange.now += 600_000;
  await place('alice', 'buy');
  const canceled = await exchange.send('alice', 'DELETE', '/api/orders?all=true');
  expect(canceled.status).toBe(200);
}

const list = async (query = '', by: 'operator' | By = 'operator') =>
  exchange.send(by, 'GET', `/api/admin/alerts${query}`);

test('operators see alerts, newest first, by detector, market and user', async () => {
  expect((await list()).data).toEqual({ alerts: [], failedDetectors: [], nextCursor: null });
  for (let times = 0; times < 3; times++) await washTrade();
  const { alerts, nextCursor } = (await list()).data;
  expect(nextCursor).toBeNull();
  expect(alerts).toHaveLength(3);
  const [newest] = alerts;
  expect(newest).toMatchObject({
    detector: 'wash_trading',
    symbol: 'BTC/USDT',
    figures: { trades: 6, netPercent: 0 },
  });
  expect([...newest.accounts].sort()).toEqual(['alice', 'bob']);
  const { from, to, logPosition } = newest;
  expect(newest.id).toStartWith(`wash_trading-${from.logPosition}-${from.index}-`);
  expect(to.logPosition).toBeGreaterThan(from.logPosition);
  expect(logPosition).toBeGreaterThan(to.logPosition);
  expect(alerts[1].logPosition).toBeLessThan(from.logPosition);

  const found = async (query: string) => (await list(query)).data.alerts;
  for (const same of ['detector=wash_trading', 'symbol=BTC/USDT', 'account=bob', 'limit=3']) {
    expect(await found(`?${same}`)).toEqual(alerts);
  }
  for (const none of ['detector=pump', 'symbol=ETH/USDT', 'account=operator']) {
    expect(await found(`?${none}`)).toEqual([]);
  }
  const pages: object[] = [];
  let query = '?limit=1';
  for (let page = 0; page < 3; page++) {
    const { data } = await list(query);
    expect(data.alerts).toHaveLength(1);
    pages.push(...data.alerts);
    query = `?limit=1&cursor=${data.nextCursor}`;
  }
  expect(pages).toEqual(alerts);
  // The rows are the same once they are stored.
  await exchange.archive.flush();
  expect((await list()).data.alerts).toEqual(alerts);
  expect(await found('?account=alice&detector=wash_trading&symbol=BTC/USDT')).toEqual(alerts);
  expect((await list('?limit=1')).data.alerts).toEqual([newest]);
});

test.each([
  ['?detector=front_running', 400, 'detector'],
  ['?symbol=BTC/XYZ', 400, 'symbol'],
  ['?account=nobody-here', 404, 'account'],
  ['?cursor=x', 400, 'cursor'],
  ['?status=open', 400, 'status'],
])('%s is rejected', async (query, status, field) => {
  const response = await list(query);
  expect([response.status, response.json.error.details.field]).toEqual([status, field]);
});

test('users see no alerts', async () => {
  expect((await list('', 'alice')).status).toBe(403);
});
