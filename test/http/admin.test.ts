import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { auditState } from '../../src/engine/audit/audit.ts';
import { MAX_KEYS_PER_ACCOUNT } from '../../src/engine/limits.ts';
import { Browser } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** Tests the operator's endpoints. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

function send(method: string, path: string, body?: string | Record<string, unknown>) {
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  return exchange.send('operator', method, `/api/admin${path}`, text);
}

const MARKET = {
  symbol: 'SOL/BTC',
  tickSize: 0.00001,
  stepSize: 0.001,
  maxAmount: 1_000_000,
  maxPrice: 1000,
  minNotional: 0.0001,
  makerFee: 0.0005,
  takerFee: 0.001,
  referencePrice: 0.0022,
};
const TRANSFER = { account: 'alice', asset: 'BTC', amount: 1, reference: 'r', reason: 'why' };

describe('invalid requests are rejected with the field, and change nothing', () => {
  test.each([
    ['POST', '/accounts', {}, 400, 'accountId'],
    ['POST', '/accounts', { accountId: '' }, 400, 'accountId'],
    ['POST', '/accounts', { accountId: 'a b' }, 400, 'accountId'],
    ['POST', '/accounts', { accountId: 'x', limitClass: 0 }, 400, 'limitClass'],
    ['POST', '/accounts', { accountId: 'x', limitClass: 1.5 }, 400, 'limitClass'],
    ['POST', '/accounts', { accountId: 'x', limitClass: '2' }, 400, 'limitClass'],
    ['PATCH', '/accounts/alice', { limitClass: 1001 }, 400, 'limitClass'],
    ['PATCH', '/accounts/alice', { limitClass: 2, frozen: false }, 400, 'frozen'],
    ['PATCH', '/accounts/nobody', { limitClass: 2 }, 404, 'account'],
    ['POST', '/accounts', { accountId: 'x', admin: true }, 400, 'admin'],
    ['POST', '/accounts', '{"accountId":"x","__proto__":{}}', 400, '__proto__'],
    ['POST', '/accounts?dry=1', { accountId: 'x' }, 400, 'dry'],
    ['GET', '/accounts?limit=1', undefined, 400, 'limit'],
    ['GET', '/accounts/nobody', undefined, 404, 'account'],
    ['GET', '/accounts/__proto__', undefined, 404, 'account'],
    ['PATCH', '/accounts/alice', { frozen: 'no' }, 400, 'frozen'],
    ['PATCH', '/accounts/nobody', { frozen: true }, 404, 'account'],
    ['PATCH', '/accounts/alice', { frozen: true, reason: '' }, 400, 'reason'],
    ['PATCH', '/accounts/alice', { frozen: true, reason: 'x'.repeat(201) }, 400, 'reason'],
    ['POST', '/accounts/alice/keys', {}, 400, 'permissions'],
    ['POST', '/accounts/alice/keys', { permissions: [] }, 400, 'permissions'],
    ['POST', '/accounts/alice/keys', { permissions: ['fly'] }, 400, 'permissions.0'],
    [
      'POST',
      '/accounts/alice/keys',
      { permissions: ['read'], addresses: ['10.0.0.1/8'] },
      400,
      'addresses',
    ],
    ['POST', '/accounts/alice/keys', { permissions: ['read'], expiresAt: 1 }, 400, 'expiresAt'],
    ['POST', '/accounts/alice/keys', { permissions: ['read'], expiresAt: 'x' }, 400, 'expiresAt'],
    [
      'POST',
      '/accounts/alice/keys',
      { permissions: ['read'], label: 'x'.repeat(65) },
      400,
      'label',
    ],
    ['DELETE', '/accounts/alice/keys/x', undefined, 404, 'apiKey'],
    ['DELETE', '/accounts/alice/keys/x?force=1', undefined, 400, 'force'],
    ['POST', '/transfers', { ...TRANSFER, account: 'nobody' }, 404, 'account'],
    ['POST', '/transfers', { ...TRANSFER, asset: 'XRP' }, 404, 'asset'],
    ['POST', '/transfers', { ...TRANSFER, amount: 0 }, 400, 'amount'],
    ['POST', '/transfers', { ...TRANSFER, amount: '1' }, 400, 'amount'],
    ['POST', '/transfers', { ...TRANSFER, amount: 1e-14 }, 400, 'amount'],
    ['POST', '/transfers', { ...TRANSFER, amount: 1e22 }, 400, 'amount'],
    ['POST', '/transfers', { ...TRANSFER, reference: 'a b' }, 400, 'reference'],
    ['POST', '/transfers', { ...TRANSFER, reason: '' }, 400, 'reason'],
    ['POST', '/assets', { asset: 'btc', name: 'x', decimals: 8 }, 400, 'asset'],
    ['POST', '/assets', { asset: 'XRP', name: 'x', decimals: 23 }, 400, 'decimals'],
    ['POST', '/assets', { asset: 'BTC', name: 'Bitcoin', decimals: 9 }, 400, undefined],
    ['POST', '/markets', { ...MARKET, symbol: 'SOL' }, 400, 'symbol'],
    ['POST', '/markets', { ...MARKET, symbol: 'SOL/BTC/X' }, 400, 'symbol'],
    ['POST', '/markets', { ...MARKET, symbol: 'XRP/BTC' }, 400, 'symbol'],
    ['POST', '/markets', { ...MARKET, symbol: 'BTC/BTC' }, 400, undefined],
    ['POST', '/markets', { ...MARKET, symbol: 'BTC/USDT', tickSize: 0.0001 }, 400, undefined],
    ['POST', '/markets', { ...MARKET, tickSize: 1e-11 }, 400, undefined],
    ['POST', '/markets', { ...MARKET, tickSize: 0, referencePrice: 1 }, 400, undefined],
    ['POST', '/markets', { ...MARKET, maxPrice: 0.000001 }, 400, 'maxPrice'],
    ['POST', '/markets', { ...MARKET, makerFee: 0.2 }, 400, undefined],
    ['POST', '/markets', { ...MARKET, makerFee: -0.0011 }, 400, undefined],
    ['POST', '/markets', { ...MARKET, maxAmount: 1e30 }, 400, 'maxAmount'],
    ['POST', '/markets', { ...MARKET, minNotional: -1 }, 400, undefined],
    ['PATCH', '/markets', { symbol: 'BTC/USDT', status: 'open' }, 400, 'status'],
    ['PATCH', '/markets', { symbol: 'XRP/USDT', status: 'halted' }, 400, 'symbol'],
    ['GET', '/audit?limit=0', undefined, 400, 'limit'],
    ['GET', '/audit?cursor=x', undefined, 400, 'cursor'],
    ['GET', '/audit?account=nobody', undefined, 404, 'account'],
    ['GET', '/audit?since=yesterday', undefined, 400, 'since'],
  ] as const)('%s %s %j', async (method, path, body, status, field) => {
    const { digest } = exchange.state;
    const answer = await send(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.details.field).toBe(field);
    expect(exchange.state.digest).toBe(digest);
  });

  test('a number that is too long is distinguished from one off the grid', async () => {
    const body = (amount: string) =>
      JSON.stringify(TRANSFER).replace('"amount":1', `"amount":${amount}`);
    const tooLong = await send('POST', '/transfers', body('1e31'));
    expect(tooLong.text).toContain('at most 40 characters and an exponent within ±30');
    expect(tooLong.details).toEqual({ field: 'amount', rule: 'tooLong' });
    const offGrid = await send('POST', '/transfers', body('1e-30'));
    expect(offGrid.details).toEqual({ field: 'amount', rule: 'decimals' });
  });

  test('a body that is not a JSON object', async () => {
    for (const body of ['', '[]', '{"a":1', '{"a":1,"a":2}']) {
      expect((await send('POST', '/accounts', body)).code).toBe('INVALID_REQUEST');
    }
  });
});

describe('accounts and keys', () => {
  test('an account is opened once', async () => {
    const first = await send('POST', '/accounts', { accountId: 'carol' });
    expect(first.data).toMatchObject({
      account: { accountId: 'carol', frozen: false, limitClass: 1, openOrders: 0 },
      created: true,
    });
    const again = await send('POST', '/accounts', { accountId: 'carol' });
    expect(again.data).toEqual({ account: first.data.account, created: false });
  });

  test('a changed limit class is in the audit log', async () => {
    const changed = await send('PATCH', '/accounts/carol', { limitClass: 7 });
    expect(changed.data.account.limitClass).toBe(7);
    const { entries } = (await send('GET', '/audit?limit=1')).data;
    expect(entries[0]).toMatchObject({
      action: 'setAccountLimitClass',
      details: { limitClass: 7 },
      outcome: 'done',
    });
    await send('PATCH', '/accounts/carol', { limitClass: 1 });
  });

  test('a secret is shown once, works at once, and ends at once', async () => {
    const made = await send('POST', '/accounts/carol/keys', {
      permissions: ['trade', 'read', 'read'],
      label: 'bot "ä"',
      addresses: ['127.0.0.1'],
    });
    const { key, apiSecret } = made.data;
    expect(key).toMatchObject({
      accountId: 'carol',
      label: 'bot "ä"',
      permissions: ['read', 'trade'],
      addresses: ['127.0.0.1'],
      expiresAt: null,
      revokedAt: null,
    });
    const headers = { Authorization: `Bearer ${key.apiKey}`, 'X-API-Secret': apiSecret };
    const read = () => exchange.send(undefined, 'GET', '/api/orders', undefined, headers);
    expect((await read()).status).toBe(200);
    const listed = await send('GET', '/accounts/carol/keys');
    expect(listed.data.keys).toEqual([key]);
    expect(listed.text).not.toContain(apiSecret);
    const revoked = await send('DELETE', `/accounts/carol/keys/${key.apiKey}`);
    expect(revoked.data.key.revokedAt).toBe(new Date(exchange.now).toISOString());
    expect((await read()).status).toBe(401);
    const again = await send('DELETE', `/accounts/carol/keys/${key.apiKey}`);
    expect(again.text).toBe(revoked.text);
  });

  test('a key of another account is not found', async () => {
    const { keys } = (await send('GET', '/accounts/bob/keys')).data;
    expect((await send('DELETE', `/accounts/alice/keys/${keys[0].apiKey}`)).status).toBe(404);
  });

  test('one key beyond the maximum is 400 with instructions, not an overload', async () => {
    await send('POST', '/accounts', { accountId: 'collector' });
    const make = () => send('POST', '/accounts/collector/keys', { permissions: ['read'] });
    for (let count = 0; count < MAX_KEYS_PER_ACCOUNT; count++) {
      expect((await make()).status).toBe(200);
    }
    const answer = await make();
    expect([answer.status, answer.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.details).toEqual({ rule: 'keys' });
  });
});

test('a transfer is exact, and happens once per reference', async () => {
  const body =
    '{"account":"carol","asset":"BTC","amount":123456789.0123456789012,"reference":"t1","reason":"x"}';
  const first = await send('POST', '/transfers', body);
  expect(first.text).toContain('"amount":123456789.0123456789012,');
  expect(first.text).toContain('"created":true,"available":123456789.0123456789012}');
  const again = await send('POST', '/transfers', body);
  expect(again.text).toContain('"created":false,"available":123456789.0123456789012}');
  const debit = { ...TRANSFER, account: 'carol', amount: -123456790, reference: 't2' };
  const refused = await send('POST', '/transfers', debit);
  expect(refused.code).toBe('INSUFFICIENT_BALANCE');
  expect(refused.text).toContain('"required":123456790,"available":123456789.0123456789012,');
});

test('a listed market can be traded at once', async () => {
  const listed = await send('POST', '/markets', MARKET);
  const { referencePrice: last, ...terms } = MARKET;
  expect(listed.data.market).toMatchObject({ ...terms, last, status: 'online', minAmount: 0.001 });
  const order = { symbol: 'SOL/BTC', side: 'buy', type: 'limit', amount: 1, price: 0.002 };
  expect((await exchange.place('alice', order)).status).toBe(200);
  expect((await exchange.place('alice', { ...order, amount: 1.0005 })).details).toEqual({
    field: 'amount',
    rule: 'stepSize',
    nearest: 1.001,
  });
});

test('state shows that the books balance', async () => {
  const { data } = await send('GET', '/state');
  expect(data).toMatchObject({
    timestamp: new Date(exchange.now).toISOString(),
    logPosition: exchange.replica.position,
    stateHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    archivistLagMs: 0,
    openOrders: exchange.state.orders.size,
    archive: null,
  });
  expect(data.assets.map(({ balances }: { balances: boolean }) => balances)).toEqual(
    data.assets.map(() => true),
  );
  auditState(exchange.state);
});

test('audit lists actor, action and time, newest first, page by page', async () => {
  await send('PATCH', '/markets', { symbol: 'SOL/BTC', status: 'halted' });
  const { entries } = (await send('GET', '/audit?limit=1000')).data;
  expect(entries[0]).toMatchObject({
    account: 'operator',
    timestamp: new Date(exchange.now).toISOString(),
  });
  const found: unknown[] = [];
  for (let cursor = ''; ; ) {
    const page = (await send('GET', `/audit?limit=7${cursor}`)).data;
    found.push(...page.entries);
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  expect(found).toEqual(entries);
});

test('audit lists the reason of a freeze and the account', async () => {
  const reason = 'asked for by <b>compliance</b>';
  await send('PATCH', '/accounts/bob', { frozen: true, reason });
  await send('PATCH', '/accounts/bob', { frozen: false });
  const { entries } = (await send('GET', '/audit?action=setAccountStatus&limit=2')).data;
  expect(entries).toMatchObject([
    { subject: 'bob', details: { frozen: false } },
    { subject: 'bob', details: { frozen: true, reason } },
  ]);
  expect(entries[0].details).not.toHaveProperty('reason');
});

test('audit lists names and exact amounts', async () => {
  const readDetails = async () => (await send('GET', '/audit?limit=1')).data.entries[0].details;
  await send('POST', '/transfers', {
    ...TRANSFER,
    asset: 'USDT',
    amount: 0.1234567891,
    reference: 'in',
  });
  expect(await readDetails()).toMatchObject({
    accountId: 'alice',
    asset: 'USDT',
    amount: 0.1234567891,
  });
  expect((await send('GET', '/audit?limit=1')).text).toContain('"amount":0.1234567891,');
  await send('PATCH', '/markets', { symbol: 'BTC/USDT', minNotional: 0.02, makerFee: 0.0007 });
  expect(await readDetails()).toEqual({
    symbol: 'BTC/USDT',
    rules: { minNotional: 0.02, makerFee: 0.0007 },
  });
  await send('POST', '/accounts/bob/keys', { permissions: ['read', 'trade'], label: 'x' });
  expect(await readDetails()).toMatchObject({ permissions: ['read', 'trade'], expiresAt: null });
  const tiers = [{ minVolume: 1000.5, makerFee: 0.0001, takerFee: 0.0002 }];
  await send('POST', '/fee-tiers', { asset: 'USDT', tiers });
  expect(await readDetails()).toEqual({ asset: 'USDT', tiers });
  const listed = (await send('GET', '/audit?action=listMarket&limit=100')).data.entries.at(-1);
  expect(listed).toMatchObject({
    subject: 'BTC/USDT',
    details: { tickSize: 0.01, stepSize: 0.00000001, makerFee: 0.0008, referencePrice: 118_000 },
  });
});

test('audit by action, actor and time, page by page', async () => {
  await send('PATCH', '/markets', { symbol: 'SOL/BTC', status: 'limit_only' });
  exchange.now += 1000;
  const since = new Date(exchange.now).toISOString();
  await send('PATCH', '/markets', { symbol: 'SOL/BTC', status: 'halted' });
  const at = async (query: string) => (await send('GET', `/audit?${query}`)).data;
  const newest = await at(`since=${since}`);
  expect(newest.entries).toMatchObject([
    { action: 'setMarketStatus', subject: 'SOL/BTC', details: { status: 'halted' } },
  ]);
  const all = (await at('limit=1000')).entries;
  const genesis = all.filter(({ account }: { account: string | null }) => account === null);
  const byOperator = (await at('account=operator&limit=1000')).entries;
  expect(byOperator).toHaveLength(all.length - genesis.length);
  const query = 'action=createAccount&limit=1';
  const first = await at(query);
  const second = await at(`${query}&cursor=${first.nextCursor}`);
  const created = all.filter(({ action }: { action: string }) => action === 'createAccount');
  expect([...first.entries, ...second.entries]).toEqual(created.slice(0, 2));
  const refused = await send('GET', `/audit?action=transfer&cursor=${first.nextCursor}`);
  expect(refused.details.field).toBe('cursor');
  expect(await at('action=nothing')).toEqual({ entries: [], nextCursor: null });
});

test('accounts are found by a part of their id', async () => {
  const find = async (search: string) => (await send('GET', `/accounts?search=${search}`)).data;
  expect((await find('ALI')).accounts.map((a: { accountId: string }) => a.accountId)).toContain(
    'alice',
  );
  expect(await find('%25')).toEqual({ accounts: [], owners: [], balances: [] });
  expect((await find('ALI')).balances).toEqual([]);
  const [alice] = (await find('ALI&includeBalances=true')).balances;
  const own = (await exchange.send('alice', 'GET', '/api/portfolio/balances')).data.balances;
  expect(alice).toEqual({
    accountId: 'alice',
    balances: own.map(({ asset, total }: { asset: string; total: number }) => ({ asset, total })),
  });
  expect(await find('_')).toEqual({ accounts: [], owners: [], balances: [] });
});

test('accounts are found by a user', async () => {
  const dora = { email: 'dora.x@example.com', permissions: ['read'], reason: 'new' };
  await send('POST', '/accounts/alice/users', dora);
  const find = async (search: string) => {
    const { accounts } = (await send('GET', `/accounts?search=${search}`)).data;
    return accounts.map((each: { accountId: string }) => each.accountId);
  };
  expect(await find('DORA.X%40EXAMPLE')).toEqual(['alice']);
  expect(await find('dora_x')).toEqual([]);
});

test('requests of traders are not in the audit log', async () => {
  const before = (await send('GET', '/audit')).data.entries.length;
  const stop = {
    symbol: 'BTC/USDT',
    side: 'sell',
    type: 'stop',
    amount: 0.01,
    triggerPrice: 90_000,
  };
  const limit = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 100_000 };
  const stopLoss = { triggerPrice: 90_000 };
  const { data } = await exchange.place('alice', stop);
  const change = JSON.stringify({ triggerPrice: 91_000 });
  const pair = { symbol: 'BTC/USDT', side: 'sell', amount: 0.01, takeProfit: { price: 130_000 } };
  const answers = [
    await exchange.place('alice', { ...limit, attached: { stopLoss } }),
    await exchange.send('alice', 'PATCH', `/api/orders/${data.orderId}`, change),
    await exchange.send('alice', 'POST', '/api/orders/oco', JSON.stringify({ ...pair, stopLoss })),
    await exchange.send('alice', 'DELETE', '/api/orders?all=true'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await send('GET', '/audit')).data.entries).toHaveLength(before);
});

test('accounts say whether surveillance leaves them out, and owners have two-factor authentication and last request', async () => {
  await Browser.signedUp(exchange, 'erin@example.com');
  const seenAt = new Date(exchange.now).toISOString();
  const { owners } = (await send('GET', '/accounts?search=erin%40example.com')).data;
  expect(owners).toMatchObject([
    { email: 'erin@example.com', secondFactor: false, lastSeenAt: seenAt },
  ]);
  await send('POST', '/accounts/alice/users', {
    ...{ email: 'finn@example.com', permissions: ['read'], reason: 'new' },
  });
  const invited = (await send('GET', '/accounts?search=finn%40example.com')).data.owners;
  // Users who were invited in the same millisecond have no order.
  expect(invited).toContainEqual(
    expect.objectContaining({ email: 'finn@example.com', lastSeenAt: null }),
  );
  const { account } = (await send('POST', '/accounts', { accountId: 'maker' })).data;
  expect(account).toMatchObject({ surveillanceExempt: true, tier: 0 });
  expect((await send('GET', '/accounts/alice')).data.account.surveillanceExempt).toBe(false);
});
