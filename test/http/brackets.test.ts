import { afterEach, beforeEach, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests bracket orders, with attached take profits and stops. BTC/USDT starts at 118,000. */

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await TestExchange.open();
});
afterEach(() => exchange.close());

const STOP = { stopLoss: { triggerPrice: 110_000 } };
const BOTH = { takeProfit: { price: 125_000 }, ...STOP };
const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.02, price: 117_000 };
const place = (attached: unknown, change: Record<string, unknown> = {}) =>
  exchange.place('alice', { ...ORDER, attached, ...change });
const fill = (amount = 0.02) =>
  exchange.place('bob', { ...ORDER, side: 'sell', timeInForce: 'IOC', amount });

async function listOrders(name: string) {
  return (await exchange.send(name, 'GET', '/api/orders?sort=asc')).data.orders;
}

test('the order shows its legs, which are found by its id once it is filled', async () => {
  const { data } = await place(BOTH);
  const fixed = { trailingAmount: null, trailingPercent: null, activationPrice: null };
  const orderIds = [1, 2].map((place) => `${Number(data.orderId) + place}`);
  expect(data.attached).toEqual({
    takeProfit: { orderId: orderIds[0], price: 125_000, triggerPrice: null, ...fixed },
    stopLoss: { orderId: orderIds[1], price: null, triggerPrice: 110_000, ...fixed },
    order: null,
    side: null,
    amount: null,
  });
  const early = await exchange.send('alice', 'GET', `/api/orders/${orderIds[0]}`);
  expect(early.code).toBe('ORDER_NOT_FOUND');
  expect(await listOrders('alice')).toHaveLength(1);
  await fill();
  const [parent, takeProfit, stopLoss] = await listOrders('alice');
  expect(parent).toMatchObject({ status: 'filled', attached: data.attached, parentOrderId: null });
  const shared = { status: 'open', side: 'sell', parentOrderId: data.orderId, attached: null };
  expect(parent.fees).toEqual([{ asset: 'BTC', cost: 0.000016 }]);
  expect([takeProfit.orderId, stopLoss.orderId]).toEqual(orderIds);
  const left = 0.019984;
  expect([takeProfit.ocoOrderId, stopLoss.ocoOrderId]).toEqual(orderIds.toReversed());
  expect(takeProfit).toMatchObject({ ...shared, type: 'limit', price: 125_000, amount: left });
  expect(stopLoss).toMatchObject({ ...shared, type: 'stop', triggerPrice: 110_000, amount: left });
  await exchange.place('bob', { ...ORDER, price: 125_000, amount: left });
  const states = (await listOrders('alice')).map((order: Record<string, unknown>) => order.status);
  expect(states).toEqual(['filled', 'filled', 'canceled']);
});

test('a sell takes a stop above its price; a repeated request returns the same order', async () => {
  const attached = { stopLoss: { triggerPrice: 121_000, price: 122_000 } };
  const change = { side: 'sell', price: 119_000, clientOrderId: 'short' };
  const { data } = await place(attached, change);
  expect((await place(attached, change)).data).toEqual(data);
  expect((await place(STOP, change)).code).toBe('DUPLICATE_CLIENT_ORDER_ID');
  await exchange.place('bob', { ...ORDER, price: 119_000 });
  expect((await listOrders('alice')).at(-1)).toMatchObject({
    side: 'buy',
    type: 'stop_limit',
    amount: 0.02,
    price: 122_000,
    triggerPrice: 121_000,
    status: 'open',
    parentOrderId: data.orderId,
  });
});

test('legs of an order that ends without a fill are canceled under their order ids', async () => {
  const { data } = await place(BOTH);
  await exchange.send('alice', 'DELETE', '/api/orders?all=true');
  const { takeProfit, stopLoss } = data.attached;
  const shared = {
    status: 'canceled',
    reason: 'requested',
    parentOrderId: data.orderId,
    filled: 0,
  };
  expect((await listOrders('alice')).slice(1)).toMatchObject([
    { orderId: takeProfit.orderId, ...shared, amount: 0.02, price: 125_000 },
    { orderId: stopLoss.orderId, ...shared, amount: 0.02, triggerPrice: 110_000 },
  ]);
});

test('a leg that cannot be placed is a rejected order with the reason', async () => {
  const change = JSON.stringify({ symbol: 'BTC/USDT', minAmount: 0.01 });
  const { data } = await place(STOP);
  await fill(0.005);
  await exchange.send('operator', 'PATCH', '/api/admin/markets', change);
  await exchange.send('alice', 'DELETE', `/api/orders/${data.orderId}`);
  expect((await listOrders('alice')).at(-1)).toMatchObject({
    status: 'rejected',
    reason: 'too_small',
    parentOrderId: data.orderId,
    filled: 0,
  });
});

test('brackets in a batch', async () => {
  const body = JSON.stringify({ orders: [{ ...ORDER, attached: STOP }, ORDER] });
  const { results } = (await exchange.send('alice', 'POST', '/api/orders/batch', body)).data;
  expect(results[0].data.attached.takeProfit).toBeNull();
  expect(results[1].data.attached).toBeNull();
});

test('an order that triggers another one is placed as it is asked for, and shown', async () => {
  const other = { type: 'limit', price: 118_000, timeInForce: 'GTC' };
  const { data } = await place({ side: 'sell', amount: 0.01, order: other });
  const orderId = `${Number(data.orderId) + 1}`;
  const attached = { takeProfit: null, stopLoss: null, side: 'sell', amount: 0.01 };
  expect(data.attached).toEqual({ ...attached, order: { orderId, ...other } });
  await fill();
  expect((await listOrders('alice')).at(-1)).toMatchObject({
    ...{ orderId, type: 'limit', side: 'sell', price: 118_000, amount: 0.01, status: 'open' },
  });
});

test('a market order is triggered by an order that is filled at once', async () => {
  await exchange.place('bob', { ...ORDER, side: 'sell', price: 117_000 });
  await exchange.place('bob', { ...ORDER, price: 116_000 });
  const { data } = await place({ side: 'sell', amount: 0.01, order: { type: 'market' } });
  expect(data.attached.order).toMatchObject({ type: 'market', price: null, timeInForce: 'IOC' });
  const [parent, leg] = await listOrders('alice');
  expect([parent.status, leg.status, leg.price]).toEqual(['filled', 'filled', 116_000]);
});

const LEG = { type: 'limit', price: 118_000 };
const SELL = { side: 'sell', amount: 0.01 };
const path = 'attached.stopLoss.triggerPrice';
test.each([
  ['INVALID_REQUEST', STOP, { type: 'stop', price: null, triggerPrice: 119_000 }, 'attached'],
  ['INVALID_REQUEST', {}, {}, 'attached'],
  ['INVALID_REQUEST', [STOP], {}, 'attached'],
  ['INVALID_REQUEST', { takeProfit: null }, {}, 'attached'],
  ['INVALID_REQUEST', { takeprofit: { price: 1 } }, {}, 'attached.takeprofit'],
  ['INVALID_REQUEST', { stopLoss: 110_000 }, {}, 'attached.stopLoss'],
  ['INVALID_REQUEST', { stopLoss: { amount: 1 } }, {}, 'attached.stopLoss.amount'],
  ['INVALID_PRICE', { takeProfit: {} }, {}, 'attached.takeProfit.price'],
  ['INVALID_PRICE', { stopLoss: { price: 1 } }, {}, path],
  ['INVALID_PRICE', { stopLoss: { triggerPrice: '1' } }, {}, path],
  ['INVALID_PRICE', { stopLoss: { triggerPrice: 1.001 } }, {}, path],
  ['INVALID_PRICE', { takeProfit: { price: 1e25 } }, {}, 'attached.takeProfit.price'],
  ['INVALID_PRICE', { takeProfit: { price: 9e13 } }, {}, 'attached.takeProfit.price'],
  ['INVALID_PRICE', { stopLoss: { triggerPrice: 117_000 } }, {}, path],
  ['INVALID_PRICE', { takeProfit: { triggerPrice: 1 } }, {}, 'attached.takeProfit.triggerPrice'],
  ['INVALID_PRICE', { takeProfit: { price: 1 } }, {}, 'attached.takeProfit.price'],
  ['INVALID_REQUEST', { side: 'sell', ...STOP }, {}, 'attached.amount'],
  ['INVALID_REQUEST', { amount: 1, ...STOP }, {}, 'attached.side'],
  ['INVALID_REQUEST', { side: 'SELL', amount: 1, ...STOP }, {}, 'attached.side'],
  ['INVALID_REQUEST', { order: LEG }, {}, 'attached.side'],
  ['INVALID_REQUEST', { ...SELL, order: LEG, ...STOP }, {}, 'attached.order'],
  ['INVALID_REQUEST', { ...SELL, order: { ...LEG, type: 'stop' } }, {}, 'attached.order.type'],
  ['INVALID_REQUEST', { ...SELL, order: { ...LEG, x: 1 } }, {}, 'attached.order.x'],
  ['INVALID_REQUEST', { ...SELL, order: { ...LEG, type: 'market' } }, {}, 'attached.order.price'],
  ['INVALID_PRICE', { ...SELL, order: { type: 'limit' } }, {}, 'attached.order.price'],
  ['INVALID_PRICE', { ...SELL, order: { ...LEG, price: 9e13 } }, {}, 'attached.order.price'],
  ['INVALID_AMOUNT', { ...SELL, amount: 1e-9, order: LEG }, {}, 'attached.amount'],
  ['INVALID_AMOUNT', { ...SELL, amount: 1e25, order: LEG }, {}, 'attached.amount'],
  [
    'MIN_NOTIONAL',
    { side: 'sell', amount: 0.00001, order: { ...LEG, price: 0.01 } },
    {},
    'attached.amount',
  ],
  [
    'INVALID_PRICE',
    { ...SELL, takeProfit: { price: 1 }, ...STOP },
    {},
    'attached.takeProfit.price',
  ],
  ['MIN_NOTIONAL', { stopLoss: { triggerPrice: 0.01 } }, { amount: 0.0000002 }, 'amount'],
  ['INSUFFICIENT_BALANCE', { takeProfit: { price: 1e25 } }, { amount: 1000 }, undefined],
] as const)('refused: %s %j %j', async (code, attached, change, field) => {
  const { digest } = exchange.state;
  const answer = await place(attached, change);
  expect([answer.code, answer.details.field]).toEqual([code, field]);
  expect(exchange.state.digest).toBe(digest);
});

test('a new price beyond an attached order is rejected as an invalid price', async () => {
  const { data } = await place({ stopLoss: { triggerPrice: 100_000 } });
  const answer = await exchange.send(
    'alice',
    'PATCH',
    `/api/orders/${data.orderId}`,
    '{"price":99000}',
  );
  expect([answer.code, answer.details]).toEqual([
    'INVALID_PRICE',
    { field: 'price', rule: 'beyondPrice' },
  ]);
});
