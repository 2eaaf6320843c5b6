import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Browser } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** The figures of the first page of operators. */

let exchange: TestExchange;
const read = async (by = 'operator') => exchange.send(by, 'GET', '/api/admin/dashboard');

beforeAll(async () => {
  exchange = await TestExchange.open();
  await Browser.signedUp(exchange, 'carol@example.com');
  const order = { symbol: 'BTC/USDT', type: 'limit', amount: 0.1 };
  const place = (by: string, side: string, price: number) =>
    exchange.send(by, 'POST', '/api/orders', JSON.stringify({ ...order, side, price }));
  await place('alice', 'buy', 100);
  await place('bob', 'sell', 100);
  await place('alice', 'buy', 99.9);
  await place('alice', 'buy', 90);
  await place('bob', 'sell', 100.1);
  await place('bob', 'sell', 100.2);
});
afterAll(() => exchange.close());

test('shows markets, volumes, users and queues', async () => {
  const { data } = await read();
  const market = data.markets.find(({ symbol }: { symbol: string }) => symbol === 'BTC/USDT');
  expect(market).toMatchObject({
    ...{ status: 'online', base: 'BTC', quote: 'USDT', bid: 99.9, ask: 100.1 },
    ...{ last: 100, percentage: 0 },
    ...{ spreadBasisPoints: 20, bidDepth: 0.1, askDepth: 0.2, volume: 10, trades: 1 },
  });
  const [volume] = data.volumes;
  expect(volume).toMatchObject({ asset: 'USDT', volume: 10 });
  expect(volume.hours).toHaveLength(24);
  expect(volume.hours.at(-1)).toBe(10);
  expect(data.node).toMatchObject({ node: 'ready', openOrders: 4, isTrading: true });
  expect(data.users).toMatchObject({ created: 1, active: 1 });
  expect(data.users.createdByDay).toHaveLength(30);
  expect(data.users.createdByDay.at(-1)).toBe(1);
  expect(data.queues).toEqual({
    ...{ depositsToReview: 0, withdrawalsToApprove: 0, instructions: 0, approvals: 0, alerts: 0 },
  });
});

test('every operator sees it, and users do not', async () => {
  await exchange.addKey('auditor', 'bob', ['audit']);
  expect((await read('auditor')).status).toBe(200);
  expect((await read('alice')).status).toBe(403);
});
