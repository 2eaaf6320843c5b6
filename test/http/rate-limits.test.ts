import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Rate limits, requests per minute. The clock stands still unless moved. */

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await TestExchange.open({ rateLimits: 'spec' });
});
afterEach(() => exchange.close());

interface Window {
  readonly status: number;
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
  readonly retryAfter: number | undefined;
}

async function send(
  name: string | undefined,
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<Window> {
  const answer = await exchange.send(name, method, path, body, headers);
  const number = (header: string) => Number(answer.headers.get(header));
  return {
    status: answer.status,
    limit: number('X-RateLimit-Limit'),
    remaining: number('X-RateLimit-Remaining'),
    resetMs: number('X-RateLimit-Reset') * 1000,
    retryAfter: answer.headers.has('Retry-After') ? number('Retry-After') : undefined,
  };
}

/** Sends the same request repeatedly and returns the statuses. */
async function repeat(times: number, request: () => Promise<Window>): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times; count++) statuses.push((await request()).status);
  return statuses;
}

const all = (status: number, times: number) => new Array<number>(times).fill(status);

describe('each endpoint has its own limit and window', () => {
  test.each([
    [undefined, 'GET', '/api/markets', 100, 200],
    [undefined, 'GET', '/api/prices', 100, 200],
    ['alice', 'GET', '/api/portfolio/balances', 60, 200],
    ['alice', 'POST', '/api/orders', 30, 400],
    ['alice', 'GET', '/api/orders', 60, 200],
    ['alice', 'DELETE', '/api/orders/1', 30, 404],
    ['operator', 'GET', '/api/admin/accounts', 600, 200],
    ['operator', 'POST', '/api/admin/transfers', 600, 400],
  ] as const)('%s %s %s: %d', async (name, method, path, limit, status) => {
    const body = method === 'POST' ? '{}' : undefined;
    const request = () => send(name, method, path, body);
    for (let count = 1; count <= limit; count++) {
      expect(await request()).toEqual({
        status,
        limit,
        remaining: limit - count,
        resetMs: exchange.now + 60_000,
        retryAfter: undefined,
      });
    }
    const refused = { limit, remaining: 0, resetMs: exchange.now + 60_000, retryAfter: 60 };
    expect(await request()).toEqual({ status: 429, ...refused });
    // The other windows are unchanged.
    expect((await send('alice', 'GET', '/api/nothing')).remaining).toBe(99);
    if (path !== '/api/orders' || method !== 'POST') {
      expect((await send('alice', 'POST', '/api/orders', '{}')).remaining).toBe(29);
    }
    if (path !== '/api/prices') {
      expect((await send(undefined, 'GET', '/api/prices')).remaining).toBe(99);
    }
  });

  test('DELETE counts all ids together', async () => {
    for (let id = 1; id <= 30; id++) {
      expect((await send('alice', 'DELETE', `/api/orders/${id}`)).remaining).toBe(30 - id);
    }
    expect((await send('alice', 'DELETE', '/api/orders/31')).status).toBe(429);
  });
});

describe('the window', () => {
  const read = () => send('alice', 'GET', '/api/portfolio/balances');

  test('lasts 60 s from its first request, regardless of later ones', async () => {
    const start = exchange.now;
    const first = await read();
    expect(first.resetMs).toBe(start + 60_000);
    exchange.now = start + 30_000;
    expect(await repeat(59, read)).toEqual(all(200, 59));
    expect(await read()).toMatchObject({ status: 429, resetMs: start + 60_000, retryAfter: 30 });
    exchange.now = start + 59_001;
    expect(await read()).toMatchObject({ status: 429, retryAfter: 1 });
    exchange.now = start + 59_999;
    expect(await read()).toMatchObject({ status: 429, retryAfter: 1 });
    exchange.now = start + 60_000;
    expect(await read()).toMatchObject({ status: 200, remaining: 59, resetMs: start + 120_000 });
  });

  test('begins with a request, not at a full minute', async () => {
    exchange.now += 25_300;
    await read();
    exchange.now += 55_000;
    expect((await read()).remaining).toBe(58);
  });

  test('rejected requests count, but do not make it longer', async () => {
    const start = exchange.now;
    await repeat(200, read);
    exchange.now = start + 60_000;
    expect((await read()).remaining).toBe(59);
  });

  test('X-RateLimit-Reset is in whole Unix seconds, never before the window ends', async () => {
    exchange.now += 1;
    expect((await read()).resetMs).toBe(exchange.now + 60_999);
  });
});

describe('private endpoints count by account', () => {
  test('two keys of one account share a window, from any address', async () => {
    await exchange.addKey('second', 'alice', ['read', 'trade']);
    await repeat(40, () => send('alice', 'GET', '/api/orders'));
    exchange.peer = '203.0.113.5';
    expect((await send('second', 'GET', '/api/orders')).remaining).toBe(19);
    expect((await send('reader', 'GET', '/api/orders')).remaining).toBe(18);
  });

  test('two accounts at one address have separate windows', async () => {
    await repeat(60, () => send('alice', 'GET', '/api/orders'));
    expect((await send('alice', 'GET', '/api/orders')).status).toBe(429);
    expect((await send('bob', 'GET', '/api/orders')).remaining).toBe(59);
  });

  test('requests rejected after their credentials count: 403, 400, 404, 413', async () => {
    const post = (name: string, body: string, headers = {}) =>
      send(name, 'POST', '/api/orders', body, headers);
    expect(await post('reader', '{}')).toMatchObject({ status: 403, remaining: 29 });
    expect(await post('alice', '{}', { Origin: 'null' })).toMatchObject({ remaining: 28 });
    expect(await post('alice', '{')).toMatchObject({ status: 400, remaining: 27 });
    expect(await post('alice', ' '.repeat(17_000))).toMatchObject({ status: 413, remaining: 26 });
    const version = { 'X-API-Version': '9' };
    expect(await post('alice', '{}', version)).toMatchObject({ status: 400, remaining: 25 });
  });

  test('HEAD counts with GET', async () => {
    expect((await send('alice', 'HEAD', '/api/orders')).remaining).toBe(59);
    expect((await send('alice', 'GET', '/api/orders')).remaining).toBe(58);
  });

  test('a limit class multiplies the limits of an account', async () => {
    const body = JSON.stringify({ accountId: 'maker', limitClass: 5 });
    await exchange.send('operator', 'POST', '/api/admin/accounts', body);
    await exchange.addKey('maker', 'maker', ['trade']);
    const post = () => send('maker', 'POST', '/api/orders', '{}');
    expect(await post()).toMatchObject({ limit: 150, remaining: 149 });
    expect((await repeat(150, post)).filter((status) => status === 429)).toHaveLength(1);
  });

  test('a changed limit class takes effect at once, in a running window too', async () => {
    const setClass = (limitClass: number) =>
      exchange.send(
        'operator',
        'PATCH',
        '/api/admin/accounts/alice',
        JSON.stringify({ limitClass }),
      );
    const post = () => send('alice', 'POST', '/api/orders', '{}');
    expect(await post()).toMatchObject({ limit: 30, remaining: 29 });
    expect((await setClass(2)).data.account.limitClass).toBe(2);
    expect(await post()).toMatchObject({ limit: 60, remaining: 58 });
    await setClass(1);
    expect(await post()).toMatchObject({ limit: 30, remaining: 27 });
  });
});

describe('public endpoints count by address', () => {
  const markets = (peer: string, headers = {}) => {
    exchange.peer = peer;
    return send(undefined, 'GET', '/api/markets', undefined, headers);
  };

  test('an IPv4 address, in any notation', async () => {
    await markets('192.0.2.1');
    expect((await markets('::ffff:192.0.2.1')).remaining).toBe(98);
    expect((await markets('192.0.2.2')).remaining).toBe(99);
  });

  test('an IPv6 /64', async () => {
    await markets('2001:db8:0:1::1');
    expect((await markets('2001:db8:0:1:ffff:ffff:ffff:ffff')).remaining).toBe(98);
    expect((await markets('2001:db8:0:2::1')).remaining).toBe(99);
  });

  test('credentials make no difference', async () => {
    await markets('192.0.2.1');
    const other = await send('alice', 'GET', '/api/markets');
    expect(other.remaining).toBe(98);
  });

  test('X-Forwarded-For counts only from configured proxies', async () => {
    const forwarded = (client: string) => ({ 'X-Forwarded-For': client });
    await markets('10.0.0.1', forwarded('192.0.2.1'));
    expect((await markets('10.0.0.1', forwarded('192.0.2.2'))).remaining).toBe(98);
    await exchange.close();
    exchange = await TestExchange.open({ rateLimits: 'spec', trustedProxies: ['10.0.0.1'] });
    await markets('10.0.0.1', forwarded('192.0.2.1'));
    expect((await markets('10.0.0.1', forwarded('192.0.2.2'))).remaining).toBe(99);
    expect((await markets('192.0.2.2')).remaining).toBe(98);
    // The client can forge the left part.
    const lie = forwarded('198.51.100.1, 192.0.2.2');
    expect((await markets('10.0.0.1', lie)).remaining).toBe(97);
  });

  test('404, 405, OPTIONS and GET /openapi.json share one window of 100', async () => {
    const requests: [string, string][] = [
      ['GET', '/api/nothing'],
      ['PUT', '/api/orders'],
      ['OPTIONS', '/api/markets'],
      ['GET', '/openapi.json'],
      ['HEAD', '/api/nothing'],
    ];
    for (let count = 0; count < 100; count++) {
      const [method, path] = requests[count % requests.length]!;
      expect((await send('alice', method, path)).remaining).toBe(99 - count);
    }
    for (const [method, path] of requests) {
      expect(await send(undefined, method, path)).toMatchObject({ status: 429, limit: 100 });
    }
  });
});

describe('failed logins', () => {
  const wrong = { Authorization: 'Bearer x' };
  const fail = (method = 'GET') =>
    send(undefined, method, '/api/orders', method === 'POST' ? '{}' : undefined, wrong);

  test('are limited like their endpoint', async () => {
    expect(await fail('GET')).toMatchObject({ status: 401, limit: 60, remaining: 59 });
    expect(await fail('POST')).toMatchObject({ status: 401, limit: 30, remaining: 29 });
  });

  test('are counted separately from accounts and public windows', async () => {
    expect(await repeat(61, fail)).toEqual([...all(401, 60), 429]);
    expect(await send('alice', 'GET', '/api/orders')).toMatchObject({ status: 200, remaining: 59 });
    expect((await send(undefined, 'GET', '/api/markets')).remaining).toBe(99);
    expect((await send(undefined, 'GET', '/api/nothing')).remaining).toBe(99);
  });

  test('are counted by address', async () => {
    await repeat(61, fail);
    exchange.peer = '203.0.113.5';
    expect(await fail()).toMatchObject({ status: 401, remaining: 59 });
  });
});

test('10x allows ten times as much; off counts nothing and reports the full limit', async () => {
  for (const [mode, limit, remaining] of [
    ['10x', 300, 299],
    ['off', 30, 30],
  ] as const) {
    await exchange.close();
    exchange = await TestExchange.open({ rateLimits: mode });
    const window = await send('alice', 'POST', '/api/orders', '{}');
    expect(window).toMatchObject({ limit, remaining, resetMs: exchange.now + 60_000 });
  }
});
