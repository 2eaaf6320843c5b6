import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { TestExchange } from '../http/exchange.ts';

/** The counts of the Binance dialect, and the time until which it executes a request. */

let exchange: TestExchange;
let key: { apiKey: string; apiSecret: string };

beforeEach(async () => {
  exchange = await TestExchange.open({ rateLimits: 'spec' });
  key = await createKey();
});
afterEach(() => exchange.close());

async function createKey(account = 'alice') {
  const terms = JSON.stringify({ type: 'hmac', permissions: ['read', 'trade'] });
  const path = `/api/admin/accounts/${account}/keys`;
  const { data } = await exchange.send('operator', 'POST', path, terms);
  return { apiKey: data.key.apiKey as string, apiSecret: data.apiSecret as string };
}

let orders = 0;
async function send(
  method: string,
  path: string,
  values: Record<string, string>,
  peer = '127.0.0.1',
) {
  const text = new URLSearchParams({ ...values, timestamp: String(exchange.now) }).toString();
  const signature = createHmac('sha256', key.apiSecret).update(text).digest('hex');
  const url = `http://127.0.0.1:3000/binance${path}?${text}&signature=${signature}`;
  const peers = { requestIP: () => ({ address: peer }) };
  const headers = { 'X-MBX-APIKEY': key.apiKey };
  const request = new Request(url, { method, headers });
  const response = await exchange.gateway.fetch(request, peers as never);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const place = (peer?: string) => {
  const terms = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' };
  const newClientOrderId = `order-${orders++}`;
  const values = { ...terms, quantity: '0.001', price: '45000', newClientOrderId };
  return send('POST', '/api/v3/order', values, peer);
};
const counts = ({ headers }: { headers: Headers }) =>
  ['10S', '1D'].map((interval) => headers.get(`X-MBX-ORDER-COUNT-${interval}`));

test('each order counts once, and the 101st in 10 seconds is rejected until they are over', async () => {
  expect(counts(await place())).toEqual(['1', '1']);
  expect(counts(await place())).toEqual(['2', '2']);
  for (let count = 2; count < 100; count++) expect((await place()).status).toBe(200);
  const rejected = await place();
  expect([rejected.status, (rejected.body as { code: number }).code]).toEqual([429, -1015]);
  expect(Number(rejected.headers.get('Retry-After'))).toBeLessThanOrEqual(10);
  expect(exchange.state.accountOpenOrders(exchange.state.accountsById.get('alice')!)).toHaveLength(
    100,
  );
  key = await createKey('bob');
  expect(counts(await place())).toEqual(['1', '1']);
  key = await createKey('alice');
  exchange.now += 10_000;
  const later = await place();
  expect([later.status, ...counts(later)]).toEqual([200, '1', '101']);
});

test('weight counts by address, and an address that ignores 429 is banned', async () => {
  const used = async (peer: string) =>
    Number((await send('GET', '/api/v3/account', {}, peer)).headers.get('X-MBX-USED-WEIGHT-1M'));
  expect([await used('192.0.2.1'), await used('192.0.2.1'), await used('192.0.2.2')]).toEqual([
    20, 40, 20,
  ]);
  for (let weight = 40; weight < 6000; weight += 20) await used('192.0.2.1');
  const statuses = new Set<number>();
  for (let count = 0; count < 60; count++) {
    statuses.add((await send('GET', '/api/v3/account', {}, '192.0.2.1')).status);
  }
  expect([...statuses]).toEqual([429, 418]);
  expect((await send('GET', '/api/v3/account', {}, '192.0.2.2')).status).toBe(200);
  exchange.now += 120_000;
  expect((await send('GET', '/api/v3/account', {}, '192.0.2.1')).status).toBe(200);
});

test('an order that the log reaches after its window is not executed', async () => {
  const release = await exchange.holdLog();
  const late = place();
  await Bun.sleep(20);
  exchange.now += 5001;
  release();
  const { status, body } = await late;
  expect([status, (body as { code: number }).code]).toEqual([400, -1021]);
  expect(exchange.state.accountOpenOrders(exchange.state.accountsById.get('alice')!)).toEqual([]);
});

test('a commission is in the asset that was received, in the answer and in the list', async () => {
  const ask = { symbol: 'BTC/USDT', side: 'sell', type: 'limit', amount: 0.01, price: 118_000 };
  await exchange.place('bob', ask);
  const before = await readBtc();
  const values = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' };
  const { body } = await send('POST', '/api/v3/order', values);
  const [fill] = (body as { fills: Record<string, unknown>[] }).fills;
  const listed = await send('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' });
  const [trade] = listed.body as Record<string, unknown>[];
  for (const each of [fill!, trade!]) expect(each.commissionAsset).toBe('BTC');
  expect(Number(trade!.commission)).toBeGreaterThan(0);
  expect(trade!.commission).toBe(fill!.commission!);
  const bought = 0.01 - Number(trade!.commission);
  expect((await readBtc()) - before).toBeCloseTo(bought, 10);
});

async function readBtc(): Promise<number> {
  const { data } = await exchange.send('alice', 'GET', '/api/portfolio/balances');
  return data.balances.find(({ asset }: { asset: string }) => asset === 'BTC').available;
}

test('a path that the dialect does not have is rejected as by Binance, and counts', async () => {
  for (const [method, path] of [
    ['GET', '/api/v3/margin'],
    ['PUT', '/api/v3/order'],
    ['DELETE', '/'],
  ] as const) {
    const { status, headers, body } = await send(method, path, {}, '192.0.2.9');
    const rejected = { code: -1020, msg: 'This operation is not supported.' };
    expect([status, body as object]).toEqual([404, rejected]);
    expect(Number(headers.get('X-MBX-USED-WEIGHT-1M'))).toBeGreaterThan(0);
  }
});
