import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Answer, TestExchange } from './exchange.ts';

/** Tests of testing orders: POST /api/orders/test and POST /api/orders/oco/test. */

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await TestExchange.open();
});
afterEach(() => exchange.close());

const BUY = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.03, price: 118_000 };
const post = (path: string, body: object, name = 'alice') =>
  exchange.send(name, 'POST', path, JSON.stringify(body));
const testOrder = (change: object = {}) => post('/api/orders/test', { ...BUY, ...change });
const sell = (price: number, amount: number) =>
  exchange.place('bob', { symbol: 'BTC/USDT', side: 'sell', type: 'limit', amount, price });

const readError = ({ status, code, details }: Answer) => ({ status, code, details });

/** Returns everything of alice's that an order could change. */
async function readAccount(): Promise<unknown> {
  const [balances, orders, ledger, book] = await Promise.all(
    ['/api/portfolio/balances', '/api/orders', '/api/ledger', '/api/orderbook?symbol=BTC/USDT'].map(
      async (path) => (await exchange.send('alice', 'GET', path)).data,
    ),
  );
  return { balances, orders, ledger, bids: book.bids, asks: book.asks };
}

test('a test returns what the order then does, and changes nothing', async () => {
  await sell(117_500, 0.01);
  await sell(117_900, 0.01);
  const before = await readAccount();
  const { data } = await testOrder();
  expect(await readAccount()).toEqual(before);
  expect(data).toMatchObject({
    order: { orderId: null, status: 'open', filled: 0.02, remaining: 0.01, average: 117_700 },
    fills: [
      { price: 117_500, amount: 0.01, cost: 1175, fee: { asset: 'BTC', cost: 0.00001 } },
      { price: 117_900, amount: 0.01, cost: 1179, fee: { asset: 'BTC', cost: 0.00001 } },
    ],
    hold: { asset: 'USDT', amount: 1180 },
  });
  const placed = (await post('/api/orders', BUY)).data;
  const { orderId, timestamp, updatedAt, lastFillAt, ...terms } = placed;
  expect(data.order).toMatchObject(terms);
  const { fills } = (await exchange.send('alice', 'GET', '/api/fills?sort=asc')).data;
  expect(fills).toMatchObject(data.fills);
  const { balances } = (await exchange.send('alice', 'GET', '/api/portfolio/balances')).data;
  expect(balances.find(({ asset }: { asset: string }) => asset === 'USDT').held).toBe(1180);
});

test('tests of trailing stops and icebergs return what the orders then do', async () => {
  await post('/api/orders', { ...BUY, side: 'sell', price: 118_000, displayAmount: 0.02 }, 'bob');
  const trailing = { ...BUY, side: 'sell', type: 'trailing_stop', price: undefined };
  const bodies = [
    { ...trailing, trailingPercent: 2.5 },
    { ...trailing, trailingAmount: 500, activationPrice: 400_000 },
    { ...BUY, amount: 0.05, displayAmount: 0.01 },
  ];
  for (const body of bodies) {
    const { data } = await post('/api/orders/test', body);
    const placed = (await post('/api/orders', body)).data;
    const { orderId, timestamp, updatedAt, lastFillAt, ...terms } = placed;
    expect(data.order).toMatchObject(terms);
  }
  const { data } = await testOrder({ displayAmount: 0.01 });
  expect(data.order).toMatchObject({ displayAmount: 0.01, status: 'open', remaining: 0.03 });
  expect(data.hold).toEqual({ asset: 'USDT', amount: 3540 });
});

test.each([
  ['a price off the grid', { price: 118_000.001 }],
  ['an unknown field', { postonly: true }],
  ['an unknown market', { symbol: 'DOGE/USDT' }],
  ['more than the balance', { amount: 100_000 }],
  ['numbers of any size', { amount: 1e30 }],
  ['an order of no value', { amount: 0.00000001, price: 0.01 }],
  ['an expiry in the past', { timeInForce: 'GTD', expiresAt: '2020-01-01T00:00:00Z' }],
  ['a post-only order that would trade', { postOnly: true }],
  ['a market order without liquidity', { side: 'sell', type: 'market', price: undefined }],
  ['a crossed trigger', { type: 'stop', price: undefined, triggerPrice: 100_000 }],
  ['an iceberg of too many parts', { displayAmount: 0.0001 }],
  [
    'a trailing stop too far away',
    { side: 'sell', type: 'trailing_stop', price: undefined, trailingAmount: 200_000 },
  ],
  ['a stop loss on the wrong side', { attached: { stopLoss: { triggerPrice: 119_000 } } }],
])('the test of %s is rejected exactly as the order is', async (_, change) => {
  await sell(117_500, 0.01);
  const tested = await testOrder(change);
  const placed = await post('/api/orders', { ...BUY, ...change });
  expect(tested.code).toBeString();
  expect(readError(tested)).toEqual(readError(placed));
});

test('the test of a repeated order returns the first one', async () => {
  const placed = (await post('/api/orders', { ...BUY, clientOrderId: 'bot-1' })).data;
  const { data } = await testOrder({ clientOrderId: 'bot-1' });
  expect(data).toEqual({ order: placed, fills: [], hold: null });
  const reused = await testOrder({ clientOrderId: 'bot-1', amount: 0.04 });
  expect(reused.code).toBe('DUPLICATE_CLIENT_ORDER_ID');
  await testOrder({ clientOrderId: 'bot-2' });
  expect((await testOrder({ clientOrderId: 'bot-2', amount: 0.04 })).data.order.amount).toBe(0.04);
});

test('a frozen account gets the error of placing, and only its repeated orders', async () => {
  const placed = (await post('/api/orders', { ...BUY, clientOrderId: 'bot-1' })).data;
  await exchange.send('operator', 'PATCH', '/api/admin/accounts/alice', '{"frozen":true}');
  expect((await testOrder()).code).toBe('ACCOUNT_FROZEN');
  expect((await testOrder({ clientOrderId: 'bot-1' })).data.order).toMatchObject({
    orderId: placed.orderId,
  });
});

test('a test of an OCO order returns both legs and their hold', async () => {
  const oco = {
    symbol: 'BTC/USDT',
    side: 'buy',
    amount: 0.02,
    takeProfit: { price: 110_000 },
    stopLoss: { triggerPrice: 120_000, price: 121_000 },
  };
  const before = await readAccount();
  const { data } = await post('/api/orders/oco/test', oco);
  expect(data).toMatchObject({
    orders: [
      { orderId: null, type: 'limit', status: 'open', price: 110_000 },
      { orderId: null, type: 'stop_limit', status: 'open', triggerPrice: 120_000 },
    ],
    hold: { asset: 'USDT', amount: 2420 },
  });
  expect(await readAccount()).toEqual(before);
  const wrong = { ...oco, stopLoss: { triggerPrice: 100_000 } };
  const tested = await post('/api/orders/oco/test', wrong);
  expect(tested.code).toBe('INVALID_PRICE');
  expect(readError(tested)).toEqual(readError(await post('/api/orders/oco', wrong)));
});

test('an order with more fills than a test computes is rejected', async () => {
  for (let placed = 0; placed < 1001; placed += 7) {
    await Promise.all(Array.from({ length: 7 }, () => sell(117_000, 0.00001)));
  }
  const { code, details } = await testOrder({ amount: 0.01001 });
  expect(code).toBe('INVALID_AMOUNT');
  expect(details).toEqual({ field: 'amount', rule: 'maxTestedFills' });
  expect((await testOrder({ amount: 0.01 })).data.fills).toHaveLength(1000);
});
