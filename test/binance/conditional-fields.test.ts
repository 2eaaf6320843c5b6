import { afterEach, beforeEach, expect, test } from 'bun:test';
import { BinanceVenue, type Json, type Values } from './venue.ts';

/** The fields of orders that depend on what has become of them (rest-api.md, "Conditional fields in Order Responses"). */

let dialect: BinanceVenue;
beforeEach(async () => {
  dialect = await BinanceVenue.open();
});
afterEach(() => dialect.close());

const ORDER = '/api/v3/order';
const symbol = 'BTCUSDT';
const RESULT = { symbol, quantity: '0.02', newOrderRespType: 'RESULT' };
const LIMIT: Values = { ...RESULT, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '50000' };
const STOP: Values = { ...LIMIT, type: 'STOP_LOSS_LIMIT', stopPrice: '50500', price: '50400' };
const place = (values: Values): Promise<Json> => dialect.send('alice', 'POST', ORDER, values);
const query = (orderId: number): Promise<Json> =>
  dialect.send('alice', 'GET', ORDER, { symbol, orderId });
const cancel = (orderId: number): Promise<Json> =>
  dialect.send('alice', 'DELETE', ORDER, { symbol, orderId });
const never = { isWorking: false, workingTime: -1 };

test('a stop has worked since its trigger, whatever becomes of it then', async () => {
  await dialect.trade(50_000, 0.01);
  const stream = await dialect.userStream('alice');
  const placed = await place(STOP);
  const { orderId } = placed;
  expect(placed.workingTime).toBe(-1);
  expect(await query(orderId)).toMatchObject(never);
  dialect.exchange.now += 7000;
  await dialect.trade(50_600, 0.01);
  const workingTime = dialect.exchange.now;
  const reported = ({ i, w }: Json) => i === orderId && w === true;
  expect(await stream.take(reported)).toMatchObject({ x: 'NEW', W: workingTime });
  dialect.exchange.now += 5000;
  await dialect.order('bob', 'sell', 50_400, '0.005');
  expect(await stream.take(reported)).toMatchObject({ x: 'TRADE', W: workingTime });
  const working = { isWorking: true, workingTime };
  expect(await query(orderId)).toMatchObject({ ...working, status: 'PARTIALLY_FILLED' });
  const newQty = '0.01';
  const path = `${ORDER}/amend/keepPriority`;
  const { amendedOrder } = await dialect.send('alice', 'PUT', path, { symbol, orderId, newQty });
  expect(amendedOrder.workingTime).toBe(workingTime);
  await cancel(orderId);
  expect(await query(orderId)).toMatchObject({ ...working, status: 'CANCELED' });
});

test('a stop that was canceled before its trigger, or rejected at it, never worked', async () => {
  await dialect.trade(50_000, 0.01);
  const { orderId } = await place(STOP);
  await cancel(orderId);
  expect(await query(orderId)).toMatchObject({ ...never, status: 'CANCELED' });
  const market = { ...RESULT, side: 'BUY', type: 'STOP_LOSS', stopPrice: '50500' };
  const triggered = await place(market);
  await dialect.trade(50_600, 0.01);
  const rejected = { ...never, status: 'EXPIRED', expiryReason: 'REJECTED' };
  expect(await query(triggered.orderId)).toMatchObject(rejected);
});

test('a trailing stop has the stop price that its client chose, and the time since which it follows', async () => {
  await dialect.trade(50_000, 0.01);
  const { now } = dialect.exchange;
  const trailing = { ...RESULT, side: 'SELL', type: 'STOP_LOSS', trailingDelta: '100' };
  const following = await place(trailing);
  expect(following).toMatchObject({ trailingDelta: 100, trailingTime: now });
  expect(following).not.toHaveProperty('stopPrice');
  expect((await query(following.orderId)).stopPrice).toBe('0.00000000');
  const waiting = await place({ ...trailing, stopPrice: '51000' });
  expect(waiting).toMatchObject({ stopPrice: '51000.00000000', trailingTime: -1 });
  dialect.exchange.now += 3000;
  await dialect.trade(51_000, 0.01);
  const active = await query(waiting.orderId);
  expect(active.stopPrice).toBe('51000.00000000');
  // The time of the activation is not recorded.
  expect(active).not.toHaveProperty('trailingTime');
});

test.each([
  ['UNFILLED_IOC_QUANTITY_EXPIRED', { ...LIMIT, timeInForce: 'IOC' }],
  ['UNFILLED_FOK_ORDER_EXPIRED', { ...LIMIT, timeInForce: 'FOK' }],
])('an order that expires has its reason %s', async (expiryReason, values) => {
  const placed = await place(values);
  const expired = { status: 'EXPIRED', expiryReason };
  expect(placed).toMatchObject(expired);
  expect(await query(placed.orderId)).toMatchObject(expired);
  const api = await dialect.connect('/ws-api/v3?returnRateLimits=false');
  const signed = dialect.signed('alice', { symbol, orderId: placed.orderId });
  expect((await api.call('order.status', signed)).result).toMatchObject(expired);
});

test('an order that has not expired has no reason', async () => {
  const { orderId } = await place(LIMIT);
  expect(await query(orderId)).not.toHaveProperty('expiryReason');
  expect(await cancel(orderId)).not.toHaveProperty('expiryReason');
});
