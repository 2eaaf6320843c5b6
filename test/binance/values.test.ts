import { afterEach, beforeEach, expect, test } from 'bun:test';
import { BinanceVenue, type Json, type Values } from './venue.ts';

/** Values of answers and errors that follow from the state of the exchange and its rules. */

let dialect: BinanceVenue;
beforeEach(async () => {
  dialect = await BinanceVenue.open();
});
afterEach(() => dialect.close());

const ORDER = '/api/v3/order';
const symbol = 'BTCUSDT';
const LIMIT: Values = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '50000' };
const account = (name: string): Promise<Json> => dialect.send(name, 'GET', '/api/v3/account', {});

test('an account was updated when one of its balances changed last', async () => {
  await dialect.send('alice', 'POST', ORDER, { ...LIMIT, quantity: '0.1' });
  const placedAt = dialect.exchange.now;
  dialect.exchange.now += 9000;
  await dialect.order('bob', 'sell', 60_000, '0.1');
  expect((await account('alice')).updateTime).toBe(placedAt);
  expect((await account('bob')).updateTime).toBe(placedAt + 9000);
  dialect.exchange.now += 1000;
  await dialect.order('bob', 'sell', 50_000, '0.01');
  expect((await account('alice')).updateTime).toBe(placedAt + 10_000);
});

test('the uid of an account stays the same and does not count accounts', async () => {
  const [alice, bob] = [(await account('alice')).uid, (await account('bob')).uid];
  expect((await account('alice')).uid).toBe(alice);
  expect(Number.isSafeInteger(alice)).toBe(true);
  for (const uid of [alice, bob]) expect(uid).toBeGreaterThan(10 ** 6);
  expect(Math.abs(alice - bob)).toBeGreaterThan(10 ** 6);
});

test('each amendment has an execution id of its own, that of its report', async () => {
  const stream = await dialect.userStream('alice');
  const { orderId } = await dialect.send('alice', 'POST', ORDER, { ...LIMIT, quantity: '0.1' });
  const amend = async (newQty: string): Promise<Json> =>
    dialect.send('alice', 'PUT', `${ORDER}/amend/keepPriority`, { symbol, orderId, newQty });
  const ids = [(await amend('0.09')).executionId, (await amend('0.08')).executionId];
  expect(new Set(ids).size).toBe(2);
  const reported = [];
  for (const _ of ids) reported.push((await stream.take(({ x }) => x === 'REPLACED')).I);
  expect(reported).toEqual(ids);
});

const STRATEGY = '`strategyType` was less than 1000000.';
const PRECISION = "Parameter 'quantity' has too much precision.";
test.each([
  [{ quantity: '0.010000001' }, -1111, PRECISION],
  [{ quantity: '0.01', strategyType: 999_999 }, -1134, STRATEGY],
  [{ quantity: '0.01', icebergQty: '0.02' }, -2010, 'IcebergQty exceeds QTY.'],
  [{ quantity: '1.01', icebergQty: '0.01' }, -1013, 'Filter failure: ICEBERG_PARTS'],
] as [Values, number, string][])(
  'an order with %j is rejected with %i',
  async (values, ...error) => {
    const { status, body } = await dialect.request('alice', 'POST', ORDER, { ...LIMIT, ...values });
    expect([status, body.code, body.msg]).toEqual([400, ...error]);
  },
);

test('orders at the bounds are accepted', async () => {
  for (const values of [
    { quantity: '0.0100000000', strategyId: 1, strategyType: 1_000_000 },
    { quantity: '0.02', icebergQty: '0.02' },
    { quantity: '1', icebergQty: '0.01' },
  ]) {
    await dialect.send('alice', 'POST', ORDER, { ...LIMIT, ...values });
  }
  const { json } = await dialect.get('/api/v3/exchangeInfo?symbol=BTCUSDT');
  const limit = ({ filterType }: Json) => filterType === 'ICEBERG_PARTS';
  expect(json.symbols[0].filters.filter(limit)).toEqual([
    { filterType: 'ICEBERG_PARTS', limit: 100 },
  ]);
});

test('a market that only cancels has the status CANCEL_ONLY', async () => {
  const body = JSON.stringify({ symbol: 'BTC/USDT', status: 'cancel_only' });
  const { status } = await dialect.exchange.send('operator', 'PATCH', '/api/admin/markets', body);
  expect(status).toBe(200);
  const { json } = await dialect.get('/api/v3/exchangeInfo?symbol=BTCUSDT');
  expect(json.symbols[0].status).toBe('CANCEL_ONLY');
  const price = '/api/v3/ticker/price?symbolStatus=';
  expect((await dialect.get(`${price}CANCEL_ONLY`)).json.map((each: Json) => each.symbol)).toEqual([
    symbol,
  ]);
  const halted = (await dialect.get(`${price}HALT`)).json;
  expect(halted.filter((each: Json) => each.symbol === symbol)).toEqual([]);
});
