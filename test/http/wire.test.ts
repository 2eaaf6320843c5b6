import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ENDPOINTS } from '../../src/gateway/endpoints/endpoints.ts';
import { TestExchange } from './exchange.ts';

/**
 * Tests headers, numbers, times and paths. TestExchange checks the envelope and the headers of every
 * response.
 */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  exchange.send('alice', 'GET', path, undefined, headers);

/** Returns an order with its numbers as literals. */
function order(amount: string, price: string): string {
  return `{"symbol":"BTC/USDT","side":"buy","type":"limit","amount":${amount},"price":${price}}`;
}

describe('numbers', () => {
  test.each([
    ['1', '45000', '1', '45000'],
    ['1e-2', '1e4', '0.01', '10000'],
    ['1E-2', '1.0E+4', '0.01', '10000'],
    ['0.010', '45000.10', '0.01', '45000.1'],
    ['100e-4', '4500010e-2', '0.01', '45000.1'],
    ['0.00000001e0', '100000000', '0.00000001', '100000000'],
    ['0.12345678', '0.09', '0.12345678', '0.09'],
    ['1.00000000000000000000000000000000', '1', '1', '1'],
  ])('amount %s at %s goes out as %s at %s', async (amount, price, plainAmount, plainPrice) => {
    const { status, text } = await exchange.place('alice', order(amount, price));
    expect(status).toBe(200);
    expect(text).toContain(`"amount":${plainAmount},"price":${plainPrice},`);
  });

  test('123456789012.12345678 stays that decimal and is never rounded to a double', async () => {
    await exchange.send(
      'operator',
      'POST',
      '/api/admin/transfers',
      '{"account":"bob","asset":"USDT","amount":123456789012.1234567891,"reference":"exact","reason":"test"}',
    );
    const { text } = await exchange.send('bob', 'GET', '/api/portfolio/balances');
    expect(text).toContain('"available":123457789012.1234567891,');
  });

  const tooLong = '1.000000000000000000000000000000000000001';
  test.each([
    ['amount', `${tooLong}0`, '1'],
    ['amount', '1e31', '1'],
    ['amount', '1e-31', '1'],
    ['amount', '1e999999999999999999999', '1'],
    ['price', '1', `${tooLong}0`],
    ['price', '1', '1E+31'],
    ['price', '1', `1${'0'.repeat(40)}`],
  ])('a literal beyond 40 characters or ±30: %s %s %s', async (field, amount, price) => {
    const answer = await exchange.place('alice', order(amount, price));
    expect(answer.status).toBe(400);
    expect(answer.code).toBe(field === 'amount' ? 'INVALID_AMOUNT' : 'INVALID_PRICE');
    expect(answer.details).toEqual({ field, rule: 'tooLong' });
  });

  test('a number off the grid is rejected, never rounded', async () => {
    const before = exchange.state.digest;
    const amount = await exchange.place('alice', order('0.000000015', '45000'));
    expect(amount.code).toBe('INVALID_AMOUNT');
    expect(amount.text).toContain('"field":"amount","rule":"stepSize","nearest":0.00000002}');
    const price = await exchange.place('alice', order('0.01', '45000.001'));
    expect(price.code).toBe('INVALID_PRICE');
    expect(price.text).toContain('"field":"price","rule":"tickSize","nearest":45000}');
    expect(exchange.state.digest).toBe(before);
  });
});

describe('times', () => {
  test('are written as ISO 8601 UTC with milliseconds', async () => {
    exchange.now += 7;
    const { data } = await exchange.place('alice', order('0.01', '45000'));
    expect(data.timestamp).toBe(new Date(exchange.now).toISOString());
    expect(data.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const prices = await get('/api/prices');
    expect(prices.data.prices[0].timestamp).toBe(data.timestamp);
  });

  test.each([
    '0',
    '1767614400000',
    '253402300799999',
    '2026-01-05T12:00:00Z',
    '2026-01-05T12:00Z',
    '2026-01-05T12:00:00.5Z',
    '2026-01-05T12:00:00.123456789Z',
    '2026-01-05T14:00:00+02:00',
    '2028-02-29T00:00:00.000Z',
  ])('the parameter accepts %s', async (time) => {
    expect((await get(`/api/orders?since=${encodeURIComponent(time)}`)).status).toBe(200);
  });

  test.each([
    'yesterday',
    '-1',
    '1.5',
    '1e12',
    '253402300800000',
    '99999999999999999999',
    '2026-01-05',
    '2026-01-05T12:00:00',
    '2026-02-30T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-05T25:00:00Z',
    '2026-01-05T12:00:00+99:00',
    '2026-01-05 12:00:00Z',
    '1969-12-31T23:59:59Z',
  ])('the parameter rejects %s', async (time) => {
    const answer = await get(`/api/orders?until=${encodeURIComponent(time)}`);
    expect(answer.status).toBe(400);
    expect(answer.code).toBe('INVALID_REQUEST');
    expect(answer.details).toEqual({ field: 'until', rule: 'time' });
  });
});

describe('paths', () => {
  test.each([
    '//api/markets',
    '/api//markets',
    '///api////markets',
    '//api//markets?symbol=BTC//USDT',
  ])('repeated slashes count as one: %s', async (path) => {
    const answer = await get(path);
    // Slashes in the query are kept.
    expect(answer.code).toBe(path.includes('?') ? 'INVALID_SYMBOL' : undefined!);
  });

  test.each([
    '/api',
    '/api/',
    '/api/market',
    '/api/markets/BTC',
    '/api/Markets',
    '/api/v1/markets',
    '/api/orders/1/2',
    '/api/portfolio',
    '/api/admin/nothing',
  ])('%s is 404', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.code).toBe('NOT_FOUND');
  });

  test.each([
    ['PUT', '/api/orders', 'POST, GET, HEAD, DELETE, OPTIONS'],
    ['DELETE', '/api/markets', 'GET, HEAD, OPTIONS'],
    ['POST', '/api/prices', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/portfolio/balances', 'GET, HEAD, OPTIONS'],
    ['POST', '/api/orders/1', 'GET, HEAD, DELETE, PATCH, OPTIONS'],
    ['POST', '/', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/orders/batch', 'POST, OPTIONS'],
    ['DELETE', '/api/orders/test', 'POST, OPTIONS'],
  ])('%s %s is 405 with Allow: %s', async (method, path, allow) => {
    const answer = await exchange.send(undefined, method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toBe(allow);
    if (method !== 'HEAD') expect(answer.code).toBe('METHOD_NOT_ALLOWED');
  });

  test.each([
    ['/api/orders', 'POST, GET, HEAD, DELETE, OPTIONS'],
    ['/api/orders/1', 'GET, HEAD, DELETE, PATCH, OPTIONS'],
    ['/api/orders/batch', 'POST, OPTIONS'],
    ['/api/markets', 'GET, HEAD, OPTIONS'],
    ['/', 'GET, HEAD, OPTIONS'],
  ])('OPTIONS %s has Allow: %s', async (path, allow) => {
    const answer = await exchange.send(undefined, 'OPTIONS', path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Allow')).toBe(allow);
    expect(answer.data).toEqual({ methods: allow.split(', ') });
  });

  test.each(['/api/nothing', '/openapi-json', '/docs/scalarXjs'])(
    'OPTIONS %s is 404, as the path is unknown',
    async (path) => {
      expect((await exchange.send(undefined, 'OPTIONS', path)).status).toBe(404);
    },
  );

  test('OPTIONS names exactly the methods that are not 405, on every path', async () => {
    for (const path of new Set(ENDPOINTS.map((endpoint) => endpoint.path))) {
      const target = path.replace(/:\w+/g, '1');
      const { data } = await exchange.send(undefined, 'OPTIONS', target);
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status } = await exchange.send(undefined, method, target);
        expect(`${method} ${target}: ${status !== 405}`).toBe(
          `${method} ${target}: ${data.methods.includes(method)}`,
        );
      }
    }
  });
});

describe('HEAD is GET without the body', () => {
  test.each(['/api/markets', '/api/orders', '/api/orders?limit=0', '/api/nothing', '/'])(
    '%s',
    async (path) => {
      const whole = await get(path);
      const head = await exchange.send('alice', 'HEAD', path);
      expect(head.status).toBe(whole.status);
      expect(head.text).toBe('');
      expect(head.headers.get('Content-Length')).toBe(`${Buffer.byteLength(whole.text)}`);
      for (const [name, value] of whole.headers) {
        if (name !== 'x-request-id') expect(head.headers.get(name)).toBe(value);
      }
    },
  );
});

describe('X-API-Version', () => {
  test.each(['1', 'v1'])('%s is accepted', async (version) => {
    expect((await get('/api/markets', { 'X-API-Version': version })).status).toBe(200);
  });

  test.each(['2', 'v2', '1.0', 'V1', '01', '1, 1', ''])('%p is rejected', async (version) => {
    for (const path of ['/api/markets', '/api/orders']) {
      const answer = await get(path, { 'X-API-Version': version });
      expect(answer.status).toBe(400);
      expect(answer.code).toBe('UNSUPPORTED_VERSION');
      expect(answer.details).toEqual({ field: 'X-API-Version', rule: '1' });
    }
  });
});

test('X-Request-Id is always new and never the client’s', async () => {
  const ids = new Set<string | null>();
  for (let count = 0; count < 50; count++) {
    const path = count % 2 === 0 ? '/api/markets' : '/api/nothing';
    ids.add((await get(path, { 'X-Request-Id': 'mine-mine' })).headers.get('X-Request-Id'));
  }
  expect(ids.size).toBe(50);
  expect(ids.has('mine-mine')).toBe(false);
});

test('GET / is a page with the headers of every response', async () => {
  const page = await exchange.send(undefined, 'GET', '/');
  expect(page.status).toBe(200);
  expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('X-RateLimit-Limit')).toBe('1200');
  expect(page.headers.get('X-API-Version')).toBe('1');
  expect(page.text).toContain('/docs');
  expect(page.text).toContain('sandbox');
});
