import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { isOperatorAccess, permissionFor } from '../../src/gateway/auth/permissions.ts';
import { ENDPOINTS } from '../../src/gateway/endpoints/endpoints.ts';
import { Browser } from '../http/browser.ts';
import { TestExchange } from '../http/exchange.ts';

/** Tests every endpoint with every kind of caller, and access to data of others. */

const PERMISSIONS = ['read', 'trade', 'operate'] as const;
const ORIGIN = 'http://127.0.0.1:3000';
let exchange: TestExchange;
let trader: Browser;
beforeAll(async () => {
  exchange = await TestExchange.open();
  for (const permission of PERMISSIONS) {
    await exchange.addKey(`may ${permission}`, 'operator', [permission]);
  }
  trader = await Browser.signedUp(exchange, 'trader@example.com');
});
afterAll(() => exchange.close());

const forged = { Cookie: `__Host-buttonwood=${'A'.repeat(43)}`, Origin: ORIGIN };

/** Returns status and code. The body is invalid JSON, so that an authorized caller gets 400. */
async function ask(method: string, path: string, headers: Record<string, string>): Promise<string> {
  const body = method === 'POST' || method === 'PATCH' ? { body: '{' } : {};
  const request = new Request(ORIGIN + path.replace(/:\w+/g, 'x'), { method, headers, ...body });
  const peers = { requestIP: () => ({ address: '127.0.0.1' }) };
  const response = await exchange.gateway.fetch(request, peers);
  const { error } = (await response.json()) as { error?: { code: string } };
  return `${response.status} ${error?.code}`;
}

describe.each(ENDPOINTS.filter(({ access }) => access !== 'public'))(
  '$method $path, with the permission $access',
  ({ method, path, access }) => {
    test('is closed to unauthenticated clients', async () => {
      expect(await ask(method, path, {})).toBe('401 UNAUTHORIZED');
      expect(await ask(method, path, forged)).toBe('401 UNAUTHORIZED');
    });

    test('is open to keys with that permission and no others', async () => {
      for (const permission of PERMISSIONS) {
        const answer = await ask(method, path, exchange.headers(`may ${permission}`));
        // No key speaks for the custodian.
        if (access === 'custodian') {
          expect(answer).toBe('401 UNAUTHORIZED');
          continue;
        }
        // `key` is open to every key.
        const isOpen =
          access === 'key' ||
          permission === permissionFor(access) ||
          (permission === 'operate' && isOperatorAccess(access));
        if (isOpen) expect(answer).not.toMatch(/^40[13]/);
        else expect(answer).toBe('403 INSUFFICIENT_PERMISSIONS');
      }
    });
  },
);

test('operator endpoints are closed to a trader’s browser', async () => {
  const operators = ENDPOINTS.filter(({ access }) => isOperatorAccess(access));
  expect(operators.length).toBeGreaterThan(20);
  for (const { method, path } of operators) {
    const cookie = { Cookie: `__Host-buttonwood=${trader.session}`, Origin: ORIGIN };
    expect(await ask(method, path, cookie)).toBe('403 INSUFFICIENT_PERMISSIONS');
  }
});

describe('data of another account is answered as not found', () => {
  const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };

  test('an order', async () => {
    const { orderId } = (await exchange.place('alice', { ...ORDER, clientOrderId: 'mine' })).data;
    for (const [method, body] of [
      ['GET', undefined],
      ['DELETE', undefined],
      ['PATCH', '{"amount":0.02}'],
    ] as const) {
      const texts = [];
      for (const id of [orderId, '999999999']) {
        texts.push((await exchange.send('bob', method, `/api/orders/${id}`, body)).text);
      }
      expect(texts[0]).toContain('ORDER_NOT_FOUND');
      expect(texts[0]).toBe(texts[1]!);
    }
    await exchange.send('bob', 'DELETE', `/api/orders?ids=${orderId}`);
    await exchange.send('bob', 'DELETE', '/api/orders?clientOrderId=mine');
    await exchange.send('bob', 'DELETE', '/api/orders?all=true');
    const order = (await exchange.send('alice', 'GET', `/api/orders/${orderId}`)).data;
    expect([order.status, order.amount]).toEqual(['open', 0.01]);
    for (const path of ['/api/orders?clientOrderId=mine', `/api/fills?orderId=${orderId}`]) {
      const { data } = await exchange.send('bob', 'GET', path);
      expect(Object.values(data).flat().filter(Boolean)).toEqual([]);
    }
  });

  test('a session, a key, a passkey', async () => {
    const other = await Browser.signedUp(exchange, 'other@example.com');
    const [session] = (await other.get('/sessions')).data.sessions;
    const { accountId } = (await other.get()).data.profile;
    const { apiKey } = await exchange.addKey('theirs', accountId, ['read']);
    for (const path of ['/sessions/', '/keys/', '/passkeys/']) {
      for (const id of [session.id, apiKey, 'nothing']) {
        expect((await trader.delete(path + id)).code).toBe('NOT_FOUND');
      }
    }
    expect((await other.get()).status).toBe(200);
    expect((await exchange.send('theirs', 'GET', '/api/fees')).status).toBe(200);
  });
});
