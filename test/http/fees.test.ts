import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests GET /api/fees, and the operators' endpoints for fees. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const operate = (method: string, path: string, body?: object) =>
  exchange.send(
    'operator',
    method,
    `/api/admin${path}`,
    body === undefined ? body : JSON.stringify(body),
  );
const fees = async (name: string, query = '') =>
  (await exchange.send(name, 'GET', `/api/fees${query}`)).data;
const TIERS = [
  { minVolume: 1000, makerFee: 0.0005, takerFee: 0.0009 },
  { minVolume: 1e6, makerFee: 0, takerFee: 0.0004 },
];
const trade = async (symbol: string, price: number, amount: number) => {
  const order = { symbol, type: 'limit', price, amount };
  await exchange.place('bob', { ...order, side: 'sell' });
  return (await exchange.place('alice', { ...order, side: 'buy' })).data;
};

test('without tiers everyone pays the market’s own rates', async () => {
  const data = await fees('alice');
  expect(data).toMatchObject({ tier: 0, tiers: [], volume: null, volumeAsset: null });
  expect(data.fees).toHaveLength(4);
  expect(await fees('reader', '?symbol=ETH/BTC')).toMatchObject({
    fees: [{ symbol: 'ETH/BTC', makerFee: 0.0008, takerFee: 0.001 }],
  });
  const unknown = await exchange.send('alice', 'GET', '/api/fees?symbol=X');
  expect(unknown.code).toBe('INVALID_SYMBOL');
});

test('a table of tiers lowers the fees of later trades', async () => {
  const set = await operate('POST', '/fee-tiers', { asset: 'USDT', tiers: TIERS });
  const table = { tiers: TIERS.map((tier, place) => ({ tier: place + 1, ...tier })) };
  expect(set.data).toEqual({ ...table, volumeAsset: 'USDT' });
  expect((await operate('GET', '/fee-tiers')).data).toEqual(set.data);

  expect(await trade('BTC/USDT', 100_000, 0.01)).toMatchObject({ fees: [{ cost: 0.00001 }] });
  await trade('ETH/BTC', 0.05, 1);
  const data = await fees('alice');
  expect(data).toMatchObject({ tier: 1, volume: 1000, volumeDays: 30, ...table });
  expect(data.fees[0]).toEqual({ symbol: 'BTC/USDT', makerFee: 0.0005, takerFee: 0.0009 });
  expect(await fees('bob')).toMatchObject({ tier: 1, volume: 1000 });
  expect(await trade('BTC/USDT', 100_000, 0.01)).toMatchObject({ fees: [{ cost: 0.000009 }] });

  exchange.now += 30 * 86_400_000;
  expect(await fees('alice')).toMatchObject({ tier: 0, volume: 0 });
});

test('an account may be given a tier of its own', async () => {
  const given = await operate('PATCH', '/accounts/alice', { feeTier: 2 });
  expect(given.data.account).toMatchObject({ accountId: 'alice', feeTier: 2 });
  expect(await fees('alice')).toMatchObject({ tier: 2 });
  const back = await operate('PATCH', '/accounts/alice', { feeTier: 'volume' });
  expect(back.data.account.feeTier).toBe('volume');
  expect(await fees('alice')).toMatchObject({ tier: 0 });
});

test.each([
  ['PATCH', '/accounts/alice', { feeTier: 3 }, undefined],
  ['PATCH', '/accounts/alice', { feeTier: -1 }, 'feeTier'],
  ['PATCH', '/accounts/alice', { feeTier: 1, frozen: true }, 'frozen'],
  ['PATCH', '/accounts/alice', {}, 'frozen'],
  ['POST', '/fee-tiers', { asset: 'USDT' }, 'tiers'],
  ['POST', '/fee-tiers', { asset: 'USDT', tiers: [{ ...TIERS[0], x: 1 }] }, 'tiers.0.x'],
  ['POST', '/fee-tiers', { asset: 'USDT', tiers: [TIERS[1], TIERS[0]] }, undefined],
  ['POST', '/fee-tiers', { asset: 'USDT', tiers: [{ ...TIERS[0], takerFee: 0.2 }] }, undefined],
  [
    'POST',
    '/fee-tiers',
    { asset: 'USDT', tiers: [{ ...TIERS[0], minVolume: 1e-11 }] },
    'minVolume',
  ],
  ['POST', '/fee-tiers', { asset: 'USDT', tiers: [{ ...TIERS[0], makerFee: 1e-7 }] }, 'makerFee'],
])('%s %s %j is rejected', async (method, path, body, field) => {
  const { digest } = exchange.state;
  const answer = await operate(method, path, body);
  expect(answer.code).toBe('INVALID_REQUEST');
  expect(answer.details.field).toBe(field);
  expect(exchange.state.digest).toBe(digest);
});

test('an unknown asset', async () => {
  expect((await operate('POST', '/fee-tiers', { asset: 'XRP', tiers: [] })).code).toBe('NOT_FOUND');
});
