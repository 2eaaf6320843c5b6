import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { type Credentials, generateCredentials } from '../../src/users/credentials/api-keys.ts';
import { type Answer, TestExchange } from './exchange.ts';

/** Which requests are authorized. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };
const authHeaders = ({ apiKey, apiSecret }: Credentials) => ({
  Authorization: `Bearer ${apiKey}`,
  'X-API-Secret': apiSecret,
});
const get = (headers: Record<string, string>, path = '/api/orders') =>
  exchange.send(undefined, 'GET', path, undefined, headers);

describe('401 always has the same body, byte for byte', () => {
  const swap = (text: string, from: number) =>
    text.slice(0, from) + (text[from] === 'a' ? 'b' : 'a') + text.slice(from + 1);

  /** Headers with one fault each. */
  async function wrong(): Promise<Record<string, Record<string, string>>> {
    const { Authorization, 'X-API-Secret': secret } = exchange.headers('alice') as Record<
      'Authorization' | 'X-API-Secret',
      string
    >;
    const apiKey = Authorization.slice('Bearer '.length);
    const expiresAt = exchange.now + 1000;
    const expired = await exchange.addKey('expired', 'alice', ['read', 'trade'], { expiresAt });
    const revoked = await exchange.addKey('revoked', 'alice', ['read', 'trade']);
    exchange.now += 1000;
    const path = `/api/admin/accounts/alice/keys/${revoked.apiKey}`;
    expect((await exchange.send('operator', 'DELETE', path)).status).toBe(200);
    const bob = exchange.headers('bob');
    return {
      'no headers': {},
      'no secret': { Authorization },
      'no key': { 'X-API-Secret': secret },
      'an empty key': { Authorization: 'Bearer ', 'X-API-Secret': secret },
      'no scheme': { Authorization: apiKey, 'X-API-Secret': secret },
      'another scheme': { Authorization: `Basic ${apiKey}`, 'X-API-Secret': secret },
      'basic credentials': {
        Authorization: `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`,
      },
      'two keys': { Authorization: `Bearer ${apiKey}, Bearer ${apiKey}`, 'X-API-Secret': secret },
      'two spaces': { Authorization: `Bearer  ${apiKey}`, 'X-API-Secret': secret },
      'a malformed key': { Authorization: 'Bearer x', 'X-API-Secret': secret },
      'a key in capitals': {
        Authorization: `Bearer ${apiKey.toUpperCase()}`,
        'X-API-Secret': secret,
      },
      'a mistyped key': { Authorization: swap(Authorization, 15), 'X-API-Secret': secret },
      'a mistyped secret': { Authorization, 'X-API-Secret': swap(secret, 40) },
      'a malformed secret': { Authorization, 'X-API-Secret': 'x' },
      'a very long secret': { Authorization, 'X-API-Secret': 'x'.repeat(8000) },
      'key and secret exchanged': { Authorization: `Bearer ${secret}`, 'X-API-Secret': apiKey },
      'bob’s secret': { Authorization, 'X-API-Secret': bob['X-API-Secret']! },
      'a wrong secret of the right form': {
        Authorization,
        'X-API-Secret': generateCredentials(randomBytes).apiSecret,
      },
      'an unknown key of the right form': authHeaders(generateCredentials(randomBytes)),
      'an expired key': authHeaders(expired),
      'a revoked key': authHeaders(revoked),
    };
  }

  test('for every kind of wrong credentials', async () => {
    const bodies = new Set<string>();
    for (const [what, headers] of Object.entries(await wrong())) {
      const answer = await get(headers);
      expect(`${what}: ${answer.status}`).toBe(`${what}: 401`);
      expect(answer.code).toBe('UNAUTHORIZED');
      expect(answer.details).toEqual({});
      bodies.add(answer.text);
    }
    expect(bodies.size).toBe(1);
  });

  test('on every private endpoint, even if the request has other faults', async () => {
    const bodies = new Set<string>();
    for (const [method, path, body] of [
      ['GET', '/api/portfolio/balances'],
      ['GET', '/api/orders?nonsense=1'],
      ['POST', '/api/orders', '{'],
      ['DELETE', '/api/orders/1'],
      ['GET', '/api/admin/state'],
      ['POST', '/api/admin/transfers', '{}'],
    ] as const) {
      bodies.add((await exchange.send(undefined, method, path, body)).text);
    }
    expect(bodies.size).toBe(1);
  });

  test('the scheme is case-insensitive', async () => {
    const { Authorization, ...rest } = exchange.headers('alice');
    const lower = { Authorization: Authorization!.replace('Bearer', 'bearer'), ...rest };
    expect((await get(lower)).status).toBe(200);
  });

  test('a key expires on the millisecond', async () => {
    const expiresAt = exchange.now + 5000;
    const headers = authHeaders(await exchange.addKey('short', 'alice', ['read'], { expiresAt }));
    exchange.now += 4999;
    expect((await get(headers)).status).toBe(200);
    exchange.now += 1;
    expect((await get(headers)).status).toBe(401);
  });
});

describe('permissions', () => {
  const requests = {
    read: [
      ['GET', '/api/portfolio/balances'],
      ['GET', '/api/orders'],
      ['HEAD', '/api/orders'],
    ],
    trade: [
      ['POST', '/api/orders'],
      ['DELETE', '/api/orders/1'],
    ],
    operate: [
      ['GET', '/api/admin/accounts'],
      ['POST', '/api/admin/accounts'],
      ['GET', '/api/admin/accounts/alice'],
      ['PATCH', '/api/admin/accounts/alice'],
      ['GET', '/api/admin/accounts/alice/balances'],
      ['GET', '/api/admin/accounts/alice/keys'],
      ['POST', '/api/admin/accounts/alice/keys'],
      ['DELETE', '/api/admin/accounts/alice/keys/x'],
      ['POST', '/api/admin/transfers'],
      ['GET', '/api/admin/assets'],
      ['POST', '/api/admin/assets'],
      ['GET', '/api/admin/markets'],
      ['POST', '/api/admin/markets'],
      ['PATCH', '/api/admin/markets'],
      ['GET', '/api/admin/state'],
      ['GET', '/api/admin/audit'],
    ],
  } as const;
  const permissions = ['read', 'trade', 'operate'] as const;

  test.each(permissions)('%s authorizes its own endpoints only', async (permission) => {
    await exchange.addKey(`only-${permission}`, 'alice', [permission]);
    for (const needed of permissions) {
      for (const [method, path] of requests[needed]) {
        const answer = await exchange.send(`only-${permission}`, method, path);
        const what = `${method} ${path}: ${answer.status}`;
        if (needed === permission) expect(what).not.toBe(`${method} ${path}: 403`);
        else expect(what).toBe(`${method} ${path}: 403`);
        if (answer.status === 403 && method !== 'HEAD') {
          expect(answer.code).toBe('INSUFFICIENT_PERMISSIONS');
          // Administrators may do what other operators may.
          const named =
            needed === 'operate' ? ['operate', 'markets', 'support', 'treasury'] : [needed];
          expect(named).toContain(answer.details.required);
        }
      }
    }
  });

  test('public endpoints ignore credentials, even wrong ones', async () => {
    for (const path of ['/api/markets', '/api/prices']) {
      expect((await get({ Authorization: 'Bearer x', 'X-API-Secret': 'y' }, path)).status).toBe(
        200,
      );
    }
  });
});

describe('the IP allowlist', () => {
  async function from(peer: string, name: string): Promise<Answer> {
    exchange.peer = peer;
    const answer = await exchange.send(name, 'GET', '/api/orders?limit=1');
    exchange.peer = '127.0.0.1';
    return answer;
  }

  test('allows only the addresses and ranges on it', async () => {
    const addresses = ['192.0.2.7', '198.51.100.0/24', '2001:db8:1::/48'];
    await exchange.addKey('listed', 'alice', ['read'], { addresses });
    for (const peer of ['192.0.2.7', '::ffff:192.0.2.7', '198.51.100.255', '2001:db8:1:2::3']) {
      expect(`${peer}: ${(await from(peer, 'listed')).status}`).toBe(`${peer}: 200`);
    }
    for (const peer of ['192.0.2.8', '127.0.0.1', '198.51.101.0', '2001:db8:2::3', '']) {
      const answer = await from(peer, 'listed');
      expect(`${peer}: ${answer.status}`).toBe(`${peer}: 403`);
      expect(answer.code).toBe('IP_NOT_ALLOWED');
    }
  });

  test('X-Forwarded-For counts only from configured proxies', async () => {
    const behind = await TestExchange.open({ trustedProxies: ['10.0.0.0/8'] });
    for (const each of [exchange, behind]) {
      await each.addKey('far', 'alice', ['read'], { addresses: ['192.0.2.7'] });
    }
    const readStatus = async (each: TestExchange, peer: string, forwarded: string) => {
      each.peer = peer;
      const headers = { 'X-Forwarded-For': forwarded };
      const answer = await each.send('far', 'GET', '/api/orders', undefined, headers);
      each.peer = '127.0.0.1';
      return answer.status;
    };
    expect(await readStatus(exchange, '10.0.0.1', '192.0.2.7')).toBe(403);
    expect(await readStatus(behind, '203.0.113.9', '192.0.2.7')).toBe(403);
    expect(await readStatus(behind, '10.0.0.1', '192.0.2.7')).toBe(200);
    expect(await readStatus(behind, '10.0.0.1', '192.0.2.7, 10.9.9.9')).toBe(200);
    // The client can forge everything to the left of its own address.
    expect(await readStatus(behind, '10.0.0.1', '192.0.2.7, 203.0.113.9')).toBe(403);
    expect(await readStatus(behind, '10.0.0.1', '')).toBe(403);
    await behind.close();
  });
});

describe('a frozen account', () => {
  test('can read, but neither place nor cancel orders, until it is unfrozen', async () => {
    const freeze = (frozen: boolean) =>
      exchange.send('operator', 'PATCH', '/api/admin/accounts/bob', JSON.stringify({ frozen }));
    const { orderId } = (await exchange.place('bob', ORDER)).data;
    await freeze(true);
    expect((await exchange.send('bob', 'GET', '/api/orders')).status).toBe(200);
    expect((await exchange.send('bob', 'GET', '/api/portfolio/balances')).status).toBe(200);
    for (const answer of [
      await exchange.place('bob', ORDER),
      await exchange.send('bob', 'DELETE', `/api/orders/${orderId}`),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.code).toBe('ACCOUNT_FROZEN');
    }
    await freeze(false);
    expect((await exchange.send('bob', 'DELETE', `/api/orders/${orderId}`)).status).toBe(200);
  });
});
