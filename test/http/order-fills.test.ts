import { afterEach, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import { MAX_ORDER_FILLS } from '../../src/gateway/endpoints/orders/order-fills.ts';
import { CHECK_TIMEOUT_MS, checkAsync } from '../check.ts';
import { TestExchange } from './exchange.ts';

/** Tests the fills in the response of a placed order. */

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await TestExchange.open();
});
afterEach(() => exchange.close());

const LIMIT = { symbol: 'BTC/USDT', type: 'limit', amount: 0.01, price: 100_000 };
const sell = (change: object = {}) => exchange.place('bob', { ...LIMIT, side: 'sell', ...change });
const buy = (change: object = {}) =>
  exchange.place('alice', { ...LIMIT, side: 'buy', returnFills: true, ...change });

async function readFills(name: string, orderId: string) {
  const { data } = await exchange.send(name, 'GET', `/api/fills?orderId=${orderId}&sort=asc`);
  return data.fills;
}

test('an order that trades has its fills, earliest first', async () => {
  await sell();
  await sell({ amount: 0.02, price: 100_001 });
  const { data } = await buy({ amount: 0.025, price: 100_001 });
  expect(data).toMatchObject({ status: 'filled', filled: 0.025 });
  expect(data.fills).toEqual([
    {
      id: '1',
      orderId: data.orderId,
      symbol: 'BTC/USDT',
      side: 'buy',
      price: 100_000,
      amount: 0.01,
      cost: 1000,
      fee: { asset: 'BTC', cost: 0.00001 },
      liquidity: 'taker',
      timestamp: new Date(exchange.now).toISOString(),
    },
    expect.objectContaining({ id: '2', price: 100_001, amount: 0.015, cost: 1500.015 }),
  ]);
  expect(data.fills).toEqual(await readFills('alice', data.orderId));
});

test.each([
  [{ side: 'buy' }],
  [{ type: 'stop', price: null, triggerPrice: 150_000 }],
  [{ timeInForce: 'FOK', amount: 1 }],
])('an order without fills has an empty list: %j', async (change) => {
  await sell({ price: 120_000 });
  expect((await buy(change)).data.fills).toEqual([]);
});

test.each([[{ returnFills: false }], [{ returnFills: null }], [{ returnFills: undefined }]])(
  'there are none unless they are requested: %j',
  async (change) => {
    await sell();
    const { data } = await buy(change);
    expect(data.filled).toBe(0.01);
    expect(data).not.toHaveProperty('fills');
  },
);

test('a wrong value is rejected', async () => {
  const { code, details } = await buy({ returnFills: 'FULL' });
  expect([code, details]).toEqual(['INVALID_REQUEST', { field: 'returnFills', rule: 'boolean' }]);
});

test('a repeated request returns all fills that the order has by then', async () => {
  await sell({ amount: 0.004 });
  const first = await buy({ clientOrderId: 'a' });
  expect(first.data.fills).toHaveLength(1);
  await sell({ amount: 0.005 });
  const again = await buy({ clientOrderId: 'a' });
  expect(again.data).toMatchObject({ orderId: first.data.orderId, filled: 0.009 });
  expect(again.data.fills.map(({ liquidity }: { liquidity: string }) => liquidity)).toEqual([
    'taker',
    'maker',
  ]);
  expect(again.data.fills).toEqual(await readFills('alice', first.data.orderId));
  expect((await buy({ clientOrderId: 'a', returnFills: false })).data.fills).toBeUndefined();
});

test('orders of a batch have their own fills, if they ask for them', async () => {
  await sell({ amount: 0.025 });
  const order = { ...LIMIT, side: 'buy' };
  const orders = [{ ...order, returnFills: true }, order, { ...order, returnFills: true }, 1];
  const body = JSON.stringify({ orders });
  const { results } = (await exchange.send('alice', 'POST', '/api/orders/batch', body)).data;
  const fills = results.map(({ data }: { data?: { fills?: { id: string; amount: number }[] } }) =>
    data?.fills?.map(({ id, amount }) => [id, amount]),
  );
  expect(fills).toEqual([[['1', 0.01]], undefined, [['3', 0.005]], undefined]);
});

const OCO = {
  ...{ symbol: 'BTC/USDT', side: 'sell', amount: 0.02, clientOrderId: 'oco' },
  ...{ takeProfit: { price: 125_000 }, stopLoss: { triggerPrice: 110_000 }, returnFills: true },
};
const placeOco = async (change: object = {}) =>
  (await exchange.send('alice', 'POST', '/api/orders/oco', JSON.stringify({ ...OCO, ...change })))
    .data.orders;

test('orders of an OCO order have none when they are placed, and those until now when it is repeated', async () => {
  const placed = await placeOco();
  expect(placed.map(({ fills }: { fills: unknown }) => fills)).toEqual([[], []]);
  await exchange.place('bob', { ...LIMIT, side: 'buy', price: 125_000, amount: 0.005 });
  await exchange.place('bob', { ...LIMIT, side: 'buy', price: 125_000, amount: 0.01 });
  const [profit, stop] = await placeOco();
  expect([profit.orderId, profit.filled, stop.status]).toEqual([
    placed[0].orderId,
    0.015,
    'canceled',
  ]);
  expect(profit.fills).toHaveLength(2);
  expect(profit.fills).toEqual(await readFills('alice', profit.orderId));
  expect(stop.fills).toEqual([]);
  const [plain] = await placeOco({ returnFills: false });
  expect(plain).not.toHaveProperty('fills');
});

test('an order with very many fills has the first ones, whether it is repeated or not', async () => {
  const count = MAX_ORDER_FILLS + 5;
  for (let placed = 0; placed < count; placed++) await sell({ amount: 0.001 });
  const change = { amount: count / 1000, clientOrderId: 'many' };
  for (const { data } of [await buy(change), await buy(change)]) {
    expect(data.filled).toBe(count / 1000);
    const ids = data.fills.map(({ id }: { id: string }) => Number(id));
    expect(ids).toEqual(Array.from({ length: MAX_ORDER_FILLS }, (_, index) => index + 1));
  }
});

test(
  'the fills of any order are those of GET /api/fills',
  async () => {
    const order = fc.record({
      name: fc.constantFrom('alice', 'bob'),
      side: fc.constantFrom('buy', 'sell'),
      price: fc.integer({ min: 99_990, max: 100_010 }),
      amount: fc.integer({ min: 1, max: 20 }).map((steps) => steps / 1000),
      timeInForce: fc.constantFrom('GTC', 'IOC', 'FOK'),
    });
    const property = fc.asyncProperty(fc.array(order, { maxLength: 12 }), async (orders) => {
      const other = await TestExchange.open();
      for (const { name, ...terms } of orders) {
        const { data } = await other.place(name, { ...LIMIT, ...terms, returnFills: true });
        const path = `/api/fills?orderId=${data.orderId}&sort=asc`;
        expect(data.fills).toEqual((await other.send(name, 'GET', path)).data.fills);
        const total = data.fills.reduce(
          (sum: number, { amount }: { amount: number }) => sum + Math.round(amount * 1000),
          0,
        );
        expect(total).toBe(Math.round(data.filled * 1000));
      }
      await other.close();
    });
    await checkAsync(property, 40);
  },
  CHECK_TIMEOUT_MS,
);
