import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests the REST specification section by section. The adjacent files test details. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const JSON_TYPE = { 'Content-Type': 'application/json' };
/** The example of section 4. */
const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };
const get = (path: string, name?: string) =>
  exchange.send(name, 'GET', path, undefined, name === undefined ? {} : JSON_TYPE);

describe('1. Purpose of the service', () => {
  test('market data for all cryptocurrencies without credentials', async () => {
    const { status, data } = await get('/api/markets');
    expect(status).toBe(200);
    const coins = data.markets.flatMap(({ base, quote }: Record<string, string>) => [base, quote]);
    expect(new Set(coins)).toEqual(new Set(['BTC', 'ETH', 'SOL', 'USDT']));
  });

  test('current prices for all supported cryptocurrencies without credentials', async () => {
    const { status, data } = await get('/api/prices');
    expect(status).toBe(200);
    for (const { price } of data.prices) expect(price).toBeGreaterThan(0);
    expect(data.prices).toHaveLength((await get('/api/markets')).data.markets.length);
  });

  test('clients read balances, place, list and cancel an order', async () => {
    expect((await get('/api/portfolio/balances', 'alice')).status).toBe(200);
    const placed = await exchange.place('alice', ORDER);
    expect(placed.status).toBe(200);
    const { orderId } = placed.data;
    expect((await get('/api/orders', 'alice')).data.orders[0].orderId).toBe(orderId);
    expect((await exchange.send('alice', 'DELETE', `/api/orders/${orderId}`)).status).toBe(200);
  });

  test('all responses are JSON', async () => {
    for (const path of ['/api/markets', '/api/orders', '/api/nothing', '/api/markets?symbol=x']) {
      const answer = await get(path);
      expect(answer.headers.get('Content-Type')).toBe('application/json');
      expect(answer.json).toBeObject();
    }
  });

  test('every path is appended to the base URL, also to one that ends in a slash', async () => {
    for (const base of ['', '/']) expect((await get(`${base}/api/markets`)).status).toBe(200);
  });

  test('keys are for servers: a web page may not use one', async () => {
    const headers = { Origin: 'https://shop.example' };
    const answer = await exchange.send('alice', 'GET', '/api/orders', undefined, headers);
    expect(answer.status).toBe(403);
  });
});

describe('2. Resources and their fields', () => {
  test('the seven fields of an order, with their types and values', async () => {
    const { data } = await exchange.place('alice', ORDER);
    const { orderId, symbol, side, amount, price, status, timestamp } = data;
    expect(Object.keys(data).slice(0, 7).join()).toBe(
      'orderId,symbol,side,amount,price,status,timestamp',
    );
    expect(orderId).toBeString();
    expect({ symbol, side, amount, price, status }).toEqual({
      symbol: 'BTC/USDT',
      side: 'buy',
      amount: 0.01,
      price: 45000,
      status: 'open',
    });
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
  });

  test('envelope: success and data, or success and error', async () => {
    const good = (await get('/api/markets')).json;
    expect(good).toEqual({ success: true, data: expect.any(Object) });
    const bad = (await get('/api/orders')).json;
    expect(bad).toEqual({ success: false, error: expect.any(Object) });
  });
});

describe('3. States and transitions', () => {
  test('only open orders can be canceled', async () => {
    const { data } = await exchange.place('alice', ORDER);
    expect(data.status).toBe('open');
    const cancel = () => exchange.send('alice', 'DELETE', `/api/orders/${data.orderId}`);
    expect((await cancel()).status).toBe(200);
    const again = await cancel();
    expect([again.status, again.code]).toEqual([400, 'ORDER_NOT_OPEN']);
  });
});

describe('4. Endpoints', () => {
  test.each([
    ['GET', '/api/markets', false],
    ['GET', '/api/prices', false],
    ['GET', '/api/portfolio/balances', true],
    ['POST', '/api/orders', true],
    ['GET', '/api/orders', true],
    ['DELETE', '/api/orders/1', true],
  ])('%s %s: credentials needed: %p', async (method, path, isPrivate) => {
    const answer = await exchange.send(undefined, method, path);
    expect(answer.status).toBe(isPrivate ? 401 : 200);
  });

  test.each(['symbol', 'side', 'type', 'amount', 'price'])(
    'POST /api/orders: %s is required',
    async (field) => {
      const answer = await exchange.place('alice', { ...ORDER, [field]: undefined });
      expect(answer.status).toBe(400);
      expect(answer.code).toBe(`INVALID_${field.toUpperCase()}`);
      expect(answer.details).toEqual({ field, rule: expect.any(String) });
    },
  );

  test('price is required for a limit order only', async () => {
    const order = { ...ORDER, type: 'market', price: undefined };
    await exchange.place('bob', { ...ORDER, side: 'sell', price: 120_000 });
    expect((await exchange.place('alice', order)).data.status).toBe('filled');
  });

  test('rule 1: too small a balance is INSUFFICIENT_BALANCE', async () => {
    const answer = await exchange.place('alice', { ...ORDER, amount: 100 });
    expect(answer.json.success).toBe(false);
    expect(answer.code).toBe('INSUFFICIENT_BALANCE');
  });

  test('rule 2: missing or invalid credentials are 401', async () => {
    const body = JSON.stringify(ORDER);
    const wrong = { Authorization: 'Bearer wrong', 'X-API-Secret': 'wrong' };
    expect((await exchange.send(undefined, 'POST', '/api/orders', body)).status).toBe(401);
    expect((await exchange.send(undefined, 'POST', '/api/orders', body, wrong)).status).toBe(401);
  });
});

describe('5. Authentication', () => {
  test('the three headers, in any case of their names', async () => {
    const { Authorization, 'X-API-Secret': secret } = exchange.headers('alice');
    const headers = {
      authorization: Authorization!,
      'x-api-secret': secret!,
      'content-type': 'application/json',
    };
    const path = '/api/portfolio/balances';
    expect((await exchange.send(undefined, 'GET', path, undefined, headers)).status).toBe(200);
  });

  test('a lacking permission is 403', async () => {
    const answer = await exchange.place('reader', ORDER);
    expect([answer.status, answer.code]).toEqual([403, 'INSUFFICIENT_PERMISSIONS']);
  });
});

describe('7. Errors', () => {
  test('the envelope: a code, a readable message, details', async () => {
    const { text } = await exchange.place('alice', { ...ORDER, amount: 100 });
    const { error } = JSON.parse(text);
    expect(error.code).toBe('INSUFFICIENT_BALANCE');
    expect(error.message).toMatch(/^[A-Z].* .*\.$/);
    expect(error.details).toMatchObject({
      required: 4_500_000,
      available: expect.any(Number),
    });
  });
});

describe('8. Limits and 9. Versioning', () => {
  test.each([
    ['GET', '/api/markets', 100],
    ['GET', '/api/prices', 100],
    ['GET', '/api/portfolio/balances', 60],
    ['POST', '/api/orders', 30],
    ['GET', '/api/orders', 60],
    ['DELETE', '/api/orders/1', 30],
  ])('%s %s: %d a minute, reported in every response', async (method, path, limit) => {
    for (const name of [undefined, 'alice']) {
      const { headers } = await exchange.send(name, method, path);
      expect(headers.get('X-RateLimit-Limit')).toBe(`${limit}`);
      expect(Number(headers.get('X-RateLimit-Remaining'))).toBeLessThanOrEqual(limit);
      expect(Number(headers.get('X-RateLimit-Reset'))).toBeGreaterThan(exchange.now / 1000);
    }
  });

  test('the current version is v1; paths carry no version', async () => {
    expect((await get('/api/markets')).headers.get('X-API-Version')).toBe('1');
    expect((await get('/api/v1/markets')).status).toBe(404);
  });
});
