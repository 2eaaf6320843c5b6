import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests GET /api/fees, the public schedule, and the operators' endpoints for fees. */

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
  expect(data.isTierFixed).toBe(false);
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
  expect((await operate('GET', '/accounts/alice')).data.account).toMatchObject({
    ...{ feeTier: 'volume', tier: 1, volume: 1000 },
  });
  expect(await trade('BTC/USDT', 100_000, 0.01)).toMatchObject({ fees: [{ cost: 0.000009 }] });

  exchange.now += 30 * 86_400_000;
  expect(await fees('alice')).toMatchObject({ tier: 0, volume: 0 });
});

test('anyone may read the schedule, which has no delisted market', async () => {
  const schedule = async () => (await exchange.send(undefined, 'GET', '/api/fees/schedule')).data;
  const { fees: rates, ...rest } = await schedule();
  expect(rates[0]).toEqual({ symbol: 'BTC/USDT', makerFee: 0.0008, takerFee: 0.001 });
  expect(rest).toEqual({
    tiers: TIERS.map((tier, place) => ({ tier: place + 1, ...tier })),
    volumeAsset: 'USDT',
    volumeDays: 30,
    discount: null,
  });

  const symbol = 'ETH/BTC';
  await operate('PATCH', '/markets', { symbol, makerFee: 0.0007 });
  const changed = await schedule();
  expect(changed.fees).toHaveLength(4);
  expect(changed.fees).toContainEqual({ symbol, makerFee: 0.0007, takerFee: 0.001 });
  await operate('PATCH', '/markets', { symbol, status: 'delisted' });
  const remaining = changed.fees.filter((each: { symbol: string }) => each.symbol !== symbol);
  expect((await schedule()).fees).toEqual(remaining);
});

test('an account may be given a tier of its own', async () => {
  const given = await operate('PATCH', '/accounts/alice', { feeTier: 2 });
  expect(given.data.account).toMatchObject({ accountId: 'alice', feeTier: 2 });
  expect(await fees('alice')).toMatchObject({ tier: 2, isTierFixed: true });
  const back = await operate('PATCH', '/accounts/alice', { feeTier: 'volume' });
  expect(back.data.account.feeTier).toBe('volume');
  expect(await fees('alice')).toMatchObject({ tier: 0, isTierFixed: false });
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

describe('fee programs', () => {
  const setDiscount = (rate: number, minBalance = 1000) =>
    operate('POST', '/fee-discount', { asset: 'SOL', minBalance, rate });

  test('a discount lowers the fees that accounts see, test and pay', async () => {
    const own = (await exchange.send('alice', 'GET', '/api/portfolio/balances')).data.balances;
    const { total } = own.find(({ asset }: { asset: string }) => asset === 'SOL');
    const programs = {
      discount: { asset: 'SOL', minBalance: total, rate: 0.25 },
      referralShare: 0,
    };
    expect((await setDiscount(0.25, total)).data).toEqual(programs);
    expect((await operate('GET', '/fee-programs')).data).toEqual(programs);
    const { fees: rates, ...rest } = await fees('alice');
    expect(rest).toMatchObject({ discount: programs.discount, hasDiscount: true });
    const bySymbol = Object.fromEntries(
      rates.map((each: { symbol: string }) => [each.symbol, each]),
    );
    expect(bySymbol['BTC/USDT']).toMatchObject({ makerFee: 0.0006, takerFee: 0.00075 });
    expect(bySymbol['SOL/USDT']).toMatchObject({ makerFee: 0.0008, takerFee: 0.001 });

    const order = { symbol: 'BTC/USDT', type: 'limit', price: 100_000, amount: 0.01 };
    await exchange.place('bob', { ...order, side: 'sell' });
    const body = JSON.stringify({ ...order, side: 'buy' });
    const tested = (await exchange.send('alice', 'POST', '/api/orders/test', body)).data;
    expect(tested.fills[0].fee).toEqual({ asset: 'BTC', cost: 0.0000075 });
    const placed = (await exchange.place('alice', { ...order, side: 'buy' })).data;
    expect(placed.fees).toEqual([{ asset: 'BTC', cost: 0.0000075 }]);
    const [fill] = (await exchange.send('alice', 'GET', '/api/fills?limit=1')).data.fills;
    expect(fill.fee).toEqual(tested.fills[0].fee);

    expect((await setDiscount(0.25, total + 1)).data.discount.minBalance).toBe(total + 1);
    expect(await fees('alice')).toMatchObject({ hasDiscount: false });
    expect((await setDiscount(0)).data.discount).toBeNull();
    expect(await fees('alice')).toMatchObject({ discount: null, hasDiscount: false });
  });

  test('a referrer sees what it earns, and no one else does', async () => {
    await operate('POST', '/accounts', { accountId: 'friend' });
    await exchange.addKey('friend', 'friend', ['read', 'trade']);
    const funds = {
      account: 'friend',
      asset: 'USDT',
      amount: 5000,
      reference: 'f',
      reason: 'test',
    };
    await operate('POST', '/transfers', funds);
    expect((await operate('POST', '/referral-share', { share: 0.2 })).data.referralShare).toBe(0.2);
    const set = await operate('PATCH', '/accounts/friend', { referrer: 'alice' });
    expect(set.data.account).toMatchObject({ accountId: 'friend', referrer: 'alice' });
    expect((await operate('GET', '/accounts/alice')).data.account.referrer).toBeNull();

    const order = { symbol: 'BTC/USDT', type: 'limit', price: 100_000, amount: 0.01 };
    for (let count = 0; count < 3; count++) {
      await exchange.place('bob', { ...order, side: 'sell' });
      await exchange.place('friend', { ...order, side: 'buy' });
    }
    const referrals = async (name: string, query = '') =>
      (await exchange.send(name, 'GET', `/api/referrals${query}`)).data;
    const earned = await referrals('alice');
    expect(earned).toMatchObject({ share: 0.2, isReferred: false, accounts: 1, nextCursor: null });
    expect(earned.entries).toHaveLength(3);
    // A fifth of 0.1 % of 0.01 BTC.
    const oldest = earned.entries.at(-1);
    expect(oldest).toMatchObject({ asset: 'BTC', type: 'referral', amount: 0.000002 });
    const first = await referrals('alice', '?limit=2');
    const second = await referrals('alice', `?limit=2&cursor=${first.nextCursor}`);
    expect([...first.entries, ...second.entries]).toEqual(earned.entries);
    expect(await referrals('friend')).toMatchObject({ isReferred: true, accounts: 0, entries: [] });
    expect(await referrals('bob')).toMatchObject({ isReferred: false, accounts: 0, entries: [] });
  });

  test('the audit has names and decimals', async () => {
    const { entries } = (await operate('GET', '/audit?limit=50')).data;
    const details = (action: string) =>
      entries.find((entry: { action: string }) => entry.action === action).details;
    expect(details('setFeeDiscount')).toEqual({ asset: 'SOL', minBalance: 1000, rate: 0 });
    expect(details('setReferralShare')).toEqual({ share: 0.2 });
    expect(details('setReferrer')).toEqual({ accountId: 'friend', referrer: 'alice' });
  });

  test.each([
    ['POST', '/fee-discount', { asset: 'XRP', minBalance: 1, rate: 0.1 }, 'NOT_FOUND', 'asset'],
    [
      'POST',
      '/fee-discount',
      { asset: 'SOL', minBalance: 0, rate: 0.1 },
      'INVALID_REQUEST',
      'minBalance',
    ],
    [
      'POST',
      '/fee-discount',
      { asset: 'SOL', minBalance: 1e-20, rate: 0.1 },
      'INVALID_REQUEST',
      'minBalance',
    ],
    [
      'POST',
      '/fee-discount',
      { asset: 'SOL', minBalance: 1, rate: 1.1 },
      'INVALID_REQUEST',
      'rate',
    ],
    [
      'POST',
      '/fee-discount',
      { asset: 'SOL', minBalance: 1, rate: -0.1 },
      'INVALID_REQUEST',
      'rate',
    ],
    [
      'POST',
      '/fee-discount',
      { asset: 'SOL', minBalance: 1, rate: 1e-7 },
      'INVALID_REQUEST',
      'rate',
    ],
    ['POST', '/referral-share', { share: 2 }, 'INVALID_REQUEST', 'share'],
    ['POST', '/referral-share', {}, 'INVALID_REQUEST', 'share'],
    ['PATCH', '/accounts/friend', { referrer: 'unknown' }, 'NOT_FOUND', 'referrer'],
    ['PATCH', '/accounts/friend', { referrer: 'bob' }, 'INVALID_REQUEST', 'referrer'],
    ['PATCH', '/accounts/alice', { referrer: 'friend' }, 'INVALID_REQUEST', 'referrer'],
    ['PATCH', '/accounts/alice', { referrer: 'alice' }, 'INVALID_REQUEST', 'referrer'],
    ['PATCH', '/accounts/bob', { referrer: 'alice', limitClass: 2 }, 'INVALID_REQUEST', 'frozen'],
  ])('%s %s %j is rejected', async (method, path, body, code, field) => {
    const { digest } = exchange.state;
    const answer = await operate(method, path, body);
    expect(answer).toMatchObject({ code, details: { field } });
    expect(exchange.state.digest).toBe(digest);
  });

  test('a rebate that a discount would leave uncovered is rejected', async () => {
    await operate('POST', '/fee-tiers', { asset: 'USDT', tiers: [] });
    const rebate = { symbol: 'BTC/USDT', makerFee: -0.0009 };
    expect((await operate('PATCH', '/markets', rebate)).status).toBe(200);
    expect(await setDiscount(0.25)).toMatchObject({ code: 'INVALID_REQUEST' });
    expect((await setDiscount(0.1)).status).toBe(200);
  });
});
