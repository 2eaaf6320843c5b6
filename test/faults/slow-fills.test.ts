import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Json } from '../binance/venue.ts';
import { FaultBench } from './bench.ts';

/** Late reports of fills: until they arrive, an account sees its orders open, in every answer and on every private stream. */

let bench: FaultBench;
beforeEach(async () => {
  bench = await FaultBench.open();
  await bench.venue.order('bob', 'sell', 50_000, 0.5);
  await bench.add([{ kind: 'slow_fill', ms: 5000 }], { account: 'alice' });
});
afterEach(() => bench.close());

const BUY = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.2, price: 50_000 };
const UNFILLED = { status: 'open', filled: 0, remaining: 0.2, cost: 0, average: null, fees: [] };

async function read(path: string): Promise<Json> {
  return (await bench.exchange.send('alice', 'GET', path)).data;
}

/** Returns the available and held balances of BTC and USDT. */
async function balances(): Promise<number[]> {
  const all: Json[] = (await read('/api/portfolio/balances')).balances;
  const find = (name: string) => all.find(({ asset }) => asset === name)!;
  const [btc, usdt] = [find('BTC'), find('USDT')];
  return [btc.available, btc.held, usdt.available, usdt.held];
}

test('the own API shows an open order until the report arrives', async () => {
  const before = await balances();
  const body = JSON.stringify({ ...BUY, returnFills: true });
  const placed = (await bench.exchange.send('alice', 'POST', '/api/orders', body)).data;
  expect(placed).toMatchObject({ ...UNFILLED, reason: null, lastFillAt: null, fills: [] });
  const { orderId } = placed;
  const look = async () => ({
    order: await read(`/api/orders/${orderId}`),
    open: (await read('/api/orders?status=open')).orders,
    filled: (await read('/api/orders?status=filled')).orders,
    all: (await read('/api/orders')).orders,
    fills: (await read('/api/fills')).fills,
    entries: (await read('/api/ledger?asset=BTC')).entries,
    balances: await balances(),
  });
  const early = await look();
  expect(early.order).toMatchObject(UNFILLED);
  expect(early.open).toMatchObject([{ orderId, ...UNFILLED }]);
  expect(early.filled).toEqual([]);
  expect(early.all).toMatchObject([{ orderId, ...UNFILLED }]);
  expect(early.fills).toEqual([]);
  const [, , usdt] = before;
  expect(early.balances).toEqual([before[0]!, 0, usdt! - 10_000, 10_000]);
  bench.exchange.now += 4999;
  expect(await look()).toEqual(early);
  // No other account waits.
  expect((await bench.exchange.send('bob', 'GET', '/api/fills')).data.fills).toHaveLength(1);
  bench.exchange.now += 1;
  const late = await look();
  expect(late.order).toMatchObject({ status: 'filled', filled: 0.2, average: 50_000 });
  expect(late.open).toEqual([]);
  expect(late.filled).toHaveLength(1);
  expect(late.fills).toHaveLength(1);
  expect(late.entries.length).toBeGreaterThan(early.entries.length);
  expect(late.balances[2]).toBe(usdt! - 10_000);
  expect(late.balances[3]).toBe(0);
});

test('a partial fill of a resting order is late as well', async () => {
  await bench.clear();
  const { orderId } = (await bench.exchange.place('alice', { ...BUY, price: 49_000 })).data;
  await bench.venue.order('bob', 'sell', 49_000, 0.05);
  await bench.add([{ kind: 'slow_fill', ms: 5000 }], { apiKey: bench.apiKey('alice') });
  await bench.venue.order('bob', 'sell', 49_000, 0.1);
  expect(await read(`/api/orders/${orderId}`)).toMatchObject({ filled: 0.05, remaining: 0.15 });
  bench.exchange.now += 5000;
  expect(await read(`/api/orders/${orderId}`)).toMatchObject({ filled: 0.15, remaining: 0.05 });
});

test('the Binance dialect shows NEW until the report arrives', async () => {
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.2 };
  const placed = await bench.venue.send('alice', 'POST', '/api/v3/order', order);
  expect(placed).toMatchObject({ status: 'NEW', executedQty: '0.00000000', fills: [] });
  const { orderId } = placed;
  const symbol = 'BTCUSDT';
  const get = (path: string, values: object = {}) =>
    bench.venue.send('alice', 'GET', path, { symbol, ...values });
  const unfilled = { orderId, status: 'NEW', executedQty: '0.00000000' };
  expect(await get('/api/v3/order', { orderId })).toMatchObject(unfilled);
  expect(await get('/api/v3/openOrders')).toMatchObject([unfilled]);
  expect(await get('/api/v3/allOrders')).toMatchObject([unfilled]);
  expect(await get('/api/v3/myTrades')).toEqual([]);
  const { balances: shown } = await bench.venue.send('alice', 'GET', '/api/v3/account', {});
  expect(shown.find(({ asset }: Json) => asset === 'USDT').locked).toBe('10000.00000000');
  bench.exchange.now += 5000;
  expect(await get('/api/v3/order', { orderId })).toMatchObject({ status: 'FILLED' });
  expect(await get('/api/v3/openOrders')).toEqual([]);
  expect(await get('/api/v3/myTrades')).toHaveLength(1);
});

test('private streams report the fill later and in order, public ones at once', async () => {
  const bot = await bench.socket('alice');
  for (const channel of ['orders', 'fills', 'balances']) bot.send({ op: 'subscribe', channel });
  bot.send({ op: 'subscribe', channel: 'trades', symbol: 'BTC/USDT' });
  await bot.find(({ op, channel }) => op === 'snapshot' && channel === 'trades');
  const user = await bench.venue.userStream('alice');
  await Bun.sleep(20);
  await bench.exchange.place('alice', BUY);
  expect(await bot.take()).toMatchObject({ op: 'update', channel: 'trades' });
  expect(await user.take()).toMatchObject({ e: 'executionReport', x: 'NEW' });
  await Bun.sleep(50);
  expect([bot.messages, user.messages]).toEqual([[], []]);
  bench.exchange.now += 5000;
  const updates = [await bot.take(), await bot.take(), await bot.take()];
  expect(updates.map(({ channel }) => channel)).toEqual(['orders', 'fills', 'balances']);
  expect(updates[0].data.orders).toMatchObject([{ status: 'filled' }]);
  expect(await user.take()).toMatchObject({ e: 'executionReport', x: 'TRADE', X: 'FILLED' });
  expect((await user.take()).e).toBe('outboundAccountPosition');
});
