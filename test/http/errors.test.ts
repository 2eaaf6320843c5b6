import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { MAX_OPEN_ORDERS_PER_ACCOUNT } from '../../src/engine/limits.ts';
import { orderTypes } from '../../src/engine/terms.ts';
import { ERRORS } from '../../src/gateway/http/response/errors.ts';
import { NETWORK, TestCustodian } from './custodian.ts';
import type { Answer } from './exchange.ts';
import { TestExchange } from './exchange.ts';

/** Every error code, with its status and details. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
  await exchange.send('operator', 'POST', '/api/admin/accounts', '{"accountId":"frozen"}');
  await exchange.addKey('frozen', 'frozen', ['read', 'trade']);
  await exchange.send('operator', 'PATCH', '/api/admin/accounts/frozen', '{"frozen":true}');
  await exchange.addKey('elsewhere', 'alice', ['read', 'trade'], { addresses: ['192.0.2.0/24'] });
  const halt = JSON.stringify({ symbol: 'SOL/USDT', status: 'halted' });
  await exchange.send('operator', 'PATCH', '/api/admin/markets', halt);
  await exchange.place('bob', { ...ORDER, side: 'sell', amount: 1, price: 120_000 });
  await exchange.place('alice', { ...ORDER, clientOrderId: 'taken' });
});
afterAll(() => exchange.close());

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };
const seen = new Set<string>();

function expectError(answer: Answer, code: keyof typeof ERRORS, details: object): void {
  seen.add(code);
  expect({ status: answer.status, code: answer.code, details: answer.details }).toEqual({
    status: ERRORS[code].status,
    code,
    details,
  });
}

describe('a rejected order changes nothing', () => {
  const huge = 10_000_000;
  test.each([
    ['INVALID_SYMBOL', { symbol: null }, { field: 'symbol', rule: 'required' }],
    ['INVALID_SYMBOL', { symbol: 'btc/usdt' }, { field: 'symbol', rule: expect.any(String) }],
    ['INVALID_SYMBOL', { symbol: 7 }, { field: 'symbol', rule: expect.any(String) }],
    ['INVALID_SIDE', { side: null }, { field: 'side', rule: 'buy or sell' }],
    ['INVALID_SIDE', { side: 'BUY' }, { field: 'side', rule: 'buy or sell' }],
    ['INVALID_SIDE', { side: 0 }, { field: 'side', rule: 'buy or sell' }],
    ['INVALID_TYPE', { type: null }, { field: 'type', rule: orderTypes.join(' or ') }],
    ['INVALID_TYPE', { type: 'iceberg' }, { field: 'type', rule: orderTypes.join(' or ') }],
    ['INVALID_AMOUNT', { amount: null }, { field: 'amount', rule: 'required' }],
    ['INVALID_AMOUNT', { amount: 0 }, { field: 'amount', rule: 'positive', nearest: 0.00000001 }],
    [
      'INVALID_AMOUNT',
      { amount: -0.01 },
      { field: 'amount', rule: 'positive', nearest: 0.00000001 },
    ],
    [
      'INVALID_AMOUNT',
      { amount: -1e-20 },
      { field: 'amount', rule: 'positive', nearest: 0.00000001 },
    ],
    [
      'INVALID_AMOUNT',
      { amount: 1e-9 },
      { field: 'amount', rule: 'stepSize', nearest: 0.00000001 },
    ],
    [
      'INVALID_AMOUNT',
      { amount: 1.000000015 },
      { field: 'amount', rule: 'stepSize', nearest: 1.00000002 },
    ],
    [
      'INVALID_AMOUNT',
      { amount: huge + 1, price: 0.01 },
      { field: 'amount', rule: 'maxAmount', nearest: huge },
    ],
    ['INVALID_PRICE', { price: null }, { field: 'price', rule: 'required' }],
    ['INVALID_PRICE', { price: 0 }, { field: 'price', rule: 'positive', nearest: 0.01 }],
    ['INVALID_PRICE', { price: -45000 }, { field: 'price', rule: 'positive', nearest: 0.01 }],
    [
      'INVALID_PRICE',
      { price: 45000.005 },
      { field: 'price', rule: 'tickSize', nearest: 45000.01 },
    ],
    ['INVALID_PRICE', { price: 0.001 }, { field: 'price', rule: 'tickSize', nearest: 0.01 }],
    [
      'INVALID_PRICE',
      { price: 2e9, amount: 1e-8 },
      { field: 'price', rule: 'maxPrice', nearest: 1e9 },
    ],
    [
      'MIN_NOTIONAL',
      { amount: 0.00000001, price: 1000 },
      { field: 'amount', rule: 'minNotional', nearest: 0.00001, minNotional: 0.01 },
    ],
    [
      'MIN_NOTIONAL',
      { amount: 0.00000001, price: 30_000 },
      { field: 'amount', rule: 'minNotional', nearest: 0.00000034, minNotional: 0.01 },
    ],
    [
      'MIN_NOTIONAL',
      { type: 'market', price: null, amount: 0.00000001 },
      { field: 'amount', rule: 'minNotional', minNotional: 0.01 },
    ],
    [
      'MIN_NOTIONAL',
      { type: 'market', price: null, amount: null, cost: 0.009 },
      { field: 'cost', rule: 'minNotional', nearest: 0.01, minNotional: 0.01 },
    ],
    [
      'INSUFFICIENT_BALANCE',
      { amount: 100 },
      { required: 4.5e6, available: 999_550, asset: 'USDT' },
    ],
    [
      'POST_ONLY_WOULD_TAKE',
      { price: 120_000, postOnly: true },
      { field: 'price', rule: 'postOnly' },
    ],
    ['MARKET_UNAVAILABLE', { symbol: 'SOL/USDT' }, { status: 'halted' }],
    ['NO_LIQUIDITY', { symbol: 'ETH/USDT', type: 'market', price: null }, { rule: 'emptyBook' }],
    [
      'DUPLICATE_CLIENT_ORDER_ID',
      { clientOrderId: 'taken', price: 45001 },
      { field: 'clientOrderId' },
    ],
  ] as const)('%s %j', async (code, change, details) => {
    const { digest } = exchange.state;
    expectError(await exchange.place('alice', { ...ORDER, ...change }), code, details);
    expect(exchange.state.digest).toBe(digest);
  });
});

test('ACCOUNT_LIMIT', async () => {
  const path = '/api/admin/accounts/bob/trading-limits';
  const limits = { openNotional: [{ asset: 'USDT', amount: 0.01 }] };
  await exchange.send('operator', 'POST', path, JSON.stringify(limits));
  const order = { ...ORDER, symbol: 'ETH/USDT', amount: 0.01, price: 2 };
  const answer = await exchange.place('bob', order);
  const { required } = answer.json.error.details;
  expect(required).toBeGreaterThan(0.01);
  const details = { rule: 'openNotional', asset: 'USDT', limit: 0.01, required };
  expectError(answer, 'ACCOUNT_LIMIT', details);
  await exchange.send('operator', 'POST', path, JSON.stringify({ useDefault: true }));
});

test('TOO_MANY_OPEN_ORDERS', async () => {
  const order = { ...ORDER, symbol: 'ETH/USDT', amount: 0.01, price: 1 };
  const { openOrders } = exchange.state.accountsById.get('bob')!;
  for (let left = MAX_OPEN_ORDERS_PER_ACCOUNT - openOrders; left > 0; left -= 100) {
    const some = Array.from({ length: Math.min(100, left) }, () => exchange.place('bob', order));
    for (const answer of await Promise.all(some)) expect(answer.status).toBe(200);
  }
  const answer = await exchange.place('bob', order);
  expectError(answer, 'TOO_MANY_OPEN_ORDERS', { rule: 'maxOpenOrders', maximum: 2000 });
  // Orders that cannot rest are still accepted.
  const taker = { ...order, timeInForce: 'IOC' };
  expect((await exchange.place('bob', taker)).status).toBe(200);
});

describe('other codes', () => {
  const order = JSON.stringify(ORDER);
  const json = { 'X-API-Version': '1' };
  test.each([
    ['INVALID_REQUEST', 'alice', 'POST', '/api/orders', '{', json, { rule: 'malformedJson' }],
    [
      'INVALID_REQUEST',
      'alice',
      'GET',
      '/api/orders?cursor=x',
      undefined,
      json,
      { field: 'cursor', rule: 'nextCursor' },
    ],
    [
      'INVALID_SYMBOL',
      undefined,
      'GET',
      '/api/prices?symbol=X',
      undefined,
      json,
      { field: 'symbol', rule: 'known' },
    ],
    [
      'INVALID_REQUEST',
      undefined,
      'GET',
      '/api/markets?market=X',
      undefined,
      json,
      { field: 'market', rule: 'unknownParameter' },
    ],
    [
      'INVALID_REQUEST',
      'alice',
      'GET',
      '/api/portfolio/balances?asset=BTC',
      undefined,
      json,
      { field: 'asset', rule: 'unknownParameter' },
    ],
    [
      'UNSUPPORTED_VERSION',
      'alice',
      'GET',
      '/api/orders',
      undefined,
      { 'X-API-Version': '3' },
      { field: 'X-API-Version', rule: '1' },
    ],
    ['UNAUTHORIZED', undefined, 'GET', '/api/orders', undefined, json, {}],
    [
      'INSUFFICIENT_PERMISSIONS',
      'reader',
      'POST',
      '/api/orders',
      order,
      json,
      { required: 'trade' },
    ],
    ['IP_NOT_ALLOWED', 'elsewhere', 'GET', '/api/orders', undefined, json, {}],
    ['ACCOUNT_FROZEN', 'frozen', 'POST', '/api/orders', order, json, {}],
    ['BROWSER_NOT_ALLOWED', 'alice', 'GET', '/api/orders', undefined, { Origin: 'null' }, {}],
    ['ORDER_NOT_FOUND', 'alice', 'DELETE', '/api/orders/99999', undefined, json, {}],
    ['NOT_FOUND', 'alice', 'GET', '/api/nothing', undefined, json, {}],
    ['METHOD_NOT_ALLOWED', 'alice', 'PUT', '/api/orders', order, json, {}],
    [
      'PAYLOAD_TOO_LARGE',
      'alice',
      'POST',
      '/api/orders',
      ' '.repeat(17_000),
      json,
      { rule: 'maxBytes', nearest: 16_384 },
    ],
  ] as const)('%s %s %s %s', async (code, name, method, path, body, headers, details) => {
    expectError(await exchange.send(name, method, path, body, headers), code, details);
  });

  test('ORDER_NOT_OPEN', async () => {
    const { data } = await exchange.place('alice', { ...ORDER, timeInForce: 'IOC' });
    const answer = await exchange.send('alice', 'DELETE', `/api/orders/${data.orderId}`);
    expectError(answer, 'ORDER_NOT_OPEN', { status: 'expired' });
  });

  test('DUPLICATE_REFERENCE', async () => {
    const transfer = (amount: number) => {
      const body = { account: 'frozen', asset: 'SOL', amount, reference: 'once', reason: 'test' };
      return exchange.send('operator', 'POST', '/api/admin/transfers', JSON.stringify(body));
    };
    expect((await transfer(1)).data.created).toBe(true);
    expect((await transfer(1)).data.created).toBe(false);
    expectError(await transfer(2), 'DUPLICATE_REFERENCE', { field: 'reference' });
  });

  test('RATE_LIMIT_EXCEEDED', async () => {
    const limited = await TestExchange.open({ rateLimits: 'spec' });
    for (let count = 0; count < 30; count++) await limited.place('alice', ORDER);
    const answer = await limited.place('alice', ORDER);
    expectError(answer, 'RATE_LIMIT_EXCEEDED', { retryAfter: 60 });
    expect(answer.headers.get('Retry-After')).toBe('60');
    await limited.close();
  });

  test('CLOCK_OFF rejects orders that expire while the clock is off', async () => {
    exchange.isClockOff = true;
    const expiresAt = '2126-01-05T12:00:00Z';
    const answer = await exchange.place('alice', { ...ORDER, timeInForce: 'GTD', expiresAt });
    exchange.isClockOff = false;
    expectError(answer, 'CLOCK_OFF', {});
  });

  test('OVERLOADED rejects new orders before anything is done; cancels are accepted', async () => {
    const { data } = await exchange.place('alice', ORDER);
    const lag = spyOn(exchange.archivist, 'lagMs').mockReturnValue(2001);
    const { digest } = exchange.state;
    const answer = await exchange.place('alice', ORDER);
    expectError(answer, 'OVERLOADED', {});
    expect(answer.headers.get('Retry-After')).toBe('1');
    // All endpoints that accept orders, before the body is read.
    const path = `/api/orders/${data.orderId}`;
    const refused = await Promise.all([
      exchange.send('alice', 'POST', '/api/orders', '{'),
      exchange.send('alice', 'POST', '/api/orders/batch', '{"orders":[]}'),
      exchange.send('alice', 'POST', '/api/orders/oco', '{}'),
      exchange.send('alice', 'PATCH', path, '{"amount":0.001}'),
    ]);
    for (const each of refused) expectError(each, 'OVERLOADED', {});
    expect(exchange.state.digest).toBe(digest);
    expect((await exchange.send('alice', 'GET', path)).status).toBe(200);
    const wrong = await exchange.send(undefined, 'POST', '/api/orders', '{');
    expect(wrong.status).toBe(401);
    const cancel = await exchange.send('alice', 'DELETE', `/api/orders/${data.orderId}`);
    expect(cancel.status).toBe(200);
    lag.mockRestore();
  });

  test('INTERNAL_ERROR has no stack and no path; the log has the request id', async () => {
    const log = spyOn(console, 'error').mockImplementation(() => {});
    const ask = spyOn(exchange.archivist, 'query').mockRejectedValue(
      new Error('secret at /a/path'),
    );
    const answer = await exchange.send('alice', 'GET', '/api/orders');
    expectError(answer, 'INTERNAL_ERROR', {});
    expect(answer.text).not.toContain('secret');
    const id = answer.headers.get('X-Request-Id');
    const [[line]] = log.mock.calls as [[string]];
    expect(line).toStartWith(`request failed requestId=${id}\nError: secret at /a/path\n`);
    log.mockRestore();
    ask.mockRestore();
  });
});

describe('codes of deposits and withdrawals', () => {
  const PLACE = { asset: 'BTC', network: 'bitcoin', address: 'bc1qtheirs' };
  /** Keys that may withdraw are used from known addresses only. */
  const LOCAL = { addresses: ['127.0.0.0/16'] };
  let custodian: TestCustodian;
  beforeAll(async () => {
    custodian = await TestCustodian.open(exchange);
    await exchange.addKey('withdrawer', 'alice', ['withdraw'], LOCAL);
    // Withdrawals of a new key wait.
    exchange.now += 60_000;
  });
  const post = (name: string, path: string, body: object) =>
    exchange.send(name, 'POST', `/api${path}`, JSON.stringify(body));
  const addNetwork = (network: string, rules: object) =>
    post('operator', '/admin/networks', { ...NETWORK, network, ...rules });

  /** Returns the id of an address in the address book. */
  async function addressId(changes: object = {}, name = 'withdrawer'): Promise<string> {
    const added = await post(name, '/withdrawal-addresses', { ...PLACE, ...changes });
    return added.data.address.id;
  }

  const withdraw = async (terms: object) =>
    post('withdrawer', '/withdrawals', { addressId: await addressId(), ...terms });

  test('NETWORK_UNAVAILABLE', async () => {
    await addNetwork('closed', { deposits: false });
    const asked = await post('alice', '/deposit-addresses', { asset: 'BTC', network: 'closed' });
    expectError(asked, 'NETWORK_UNAVAILABLE', {});
  });

  test('INVALID_ADDRESS', async () => {
    const wrong = { ...PLACE, address: 'two words' };
    expectError(await post('withdrawer', '/withdrawal-addresses', wrong), 'INVALID_ADDRESS', {});
  });

  test('ADDRESS_COOLING', async () => {
    await addNetwork('cooling', { addressCoolingMs: 1 });
    const id = await addressId({ network: 'cooling' });
    const answer = await withdraw({ addressId: id, amount: 0.1 });
    expectError(answer, 'ADDRESS_COOLING', { field: 'addressId' });
  });

  test('WITHDRAWAL_LIMIT', async () => {
    expectError(await withdraw({ amount: 5.1 }), 'WITHDRAWAL_LIMIT', { rule: 'daily' });
  });

  test('DUPLICATE_WITHDRAWAL and WITHDRAWAL_NOT_PENDING', async () => {
    const { withdrawal } = (await withdraw({ amount: 0.1, clientId: 'once' })).data;
    const other = await withdraw({ amount: 0.2, clientId: 'once' });
    expectError(other, 'DUPLICATE_WITHDRAWAL', { field: 'clientId' });
    const cancel = await exchange.send('withdrawer', 'DELETE', `/api/withdrawals/${withdrawal.id}`);
    expectError(cancel, 'WITHDRAWAL_NOT_PENDING', { status: 'approved' });
  });

  test('APPROVAL_NOT_ALLOWED', async () => {
    const { withdrawal } = (await withdraw({ amount: 2 })).data;
    const approve = () => post('operator', `/admin/withdrawals/${withdrawal.id}/approve`, {});
    expect((await approve()).status).toBe(200);
    expectError(await approve(), 'APPROVAL_NOT_ALLOWED', { rule: 'repeated' });
  });

  test('DEPOSIT_CONFLICT, DEPOSIT_NOT_IN_REVIEW and WITHDRAWALS_BLOCKED', async () => {
    await post('operator', '/admin/accounts', { accountId: 'spender' });
    await exchange.addKey('spender', 'spender', ['trade', 'withdraw'], LOCAL);
    const own = { ...PLACE, address: 'bc1qown' };
    await custodian.report('/addresses', { ...own, account: 'spender' });
    const payment = { ...own, transaction: 'tx', index: 0, amount: 0.5, confirmations: 3 };
    const { deposit } = (await custodian.report('/deposits', { ...payment, report: 1 })).data;
    const other = await custodian.report('/deposits', { ...payment, amount: 0.4, report: 2 });
    expectError(other, 'DEPOSIT_CONFLICT', {});
    const decided = await post('operator', `/admin/deposits/${deposit.id}/resolve`, {
      resolution: 'credit',
    });
    expectError(decided, 'DEPOSIT_NOT_IN_REVIEW', {});
    await exchange.place('spender', { ...ORDER, side: 'sell', amount: 0.4, price: 200_000 });
    await custodian.report('/deposits', { ...payment, report: 2, reorganized: true });
    const terms = { addressId: await addressId({}, 'spender'), amount: 0.05 };
    const blocked = await post('spender', '/withdrawals', terms);
    expectError(blocked, 'WITHDRAWALS_BLOCKED', {});
  });
});

test('every code of the table occurs here, except those of a cluster node', () => {
  const missing = Object.keys(ERRORS).filter((code) => !seen.has(code));
  expect(missing).toEqual(['OUTCOME_UNKNOWN', 'STALE']);
});
