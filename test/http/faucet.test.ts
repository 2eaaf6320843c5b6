import { afterEach, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/config/durations.ts';
import { TestExchange, type TestOptions } from './exchange.ts';

/** Tests the sandbox's faucet. */

let exchange: TestExchange;
afterEach(() => exchange.close());

async function open(options: TestOptions = {}): Promise<void> {
  exchange = await TestExchange.open(options);
}
const take = (name: string | undefined, body: unknown) =>
  exchange.send(name, 'POST', '/api/account/faucet', JSON.stringify(body));
const readTotal = (answer: Awaited<ReturnType<typeof take>>, asset: string) =>
  answer.data.balances.find((balance: { asset: string }) => balance.asset === asset).total;

test('credits each asset once an hour per account, with retryAfter in between', async () => {
  await open();
  exchange.now += 600_000;
  expect(readTotal(await take('alice', { asset: 'USDT' }), 'USDT')).toBe(1_100_000);
  const again = await take('alice', { asset: 'USDT' });
  expect([again.status, again.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(again.details).toEqual({ field: 'asset', rule: 'onceAnHour', retryAfter: 3_000 });
  expect(readTotal(await take('alice', { asset: 'ETH' }), 'ETH')).toBe(2_020);
  expect(readTotal(await take('bob', { asset: 'USDT' }), 'USDT')).toBe(1_100_000);
  exchange.now += HOUR_MS;
  expect(readTotal(await take('alice', { asset: 'USDT' }), 'USDT')).toBe(1_200_000);
  const { data } = await exchange.send('operator', 'GET', '/api/admin/audit?limit=1');
  expect(data.entries[0]).toMatchObject({ account: null, apiKey: null, action: 'transfer' });
});

test.each([
  [{}, 'INVALID_REQUEST'],
  [{ asset: 'DOGE' }, 'INVALID_REQUEST'],
  [{ asset: 5 }, 'INVALID_REQUEST'],
  [{ asset: 'USDT', amount: 1_000_000 }, 'INVALID_REQUEST'],
])('%j is %s and gives nothing', async (body, code) => {
  await open();
  const before = exchange.state.digest;
  expect((await take('alice', body)).code).toBe(code);
  expect(exchange.state.digest).toBe(before);
});

test('requires the trade permission', async () => {
  await open();
  expect((await take(undefined, { asset: 'USDT' })).status).toBe(401);
  expect((await take('reader', { asset: 'USDT' })).code).toBe('INSUFFICIENT_PERMISSIONS');
});

test('a real exchange has no such path, for any user or method', async () => {
  await open({ isSandbox: false });
  const unknown = await exchange.send('alice', 'POST', '/api/account/nothing', '{}');
  for (const method of ['POST', 'GET', 'OPTIONS']) {
    const body = method === 'POST' ? '{"asset":"USDT"}' : undefined;
    const answer = await exchange.send('alice', method, '/api/account/faucet', body);
    expect([answer.status, answer.json]).toEqual([404, unknown.json]);
  }
  const { paths } = (await exchange.send(undefined, 'GET', '/openapi.json')).json;
  expect(Object.keys(paths)).not.toContain('/api/account/faucet');
});
