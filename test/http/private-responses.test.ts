import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ENDPOINTS } from '../../src/gateway/endpoints/endpoints.ts';
import { Browser } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** Responses of private endpoints, and all errors, must not be cached by browsers and proxies. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const isPrivate = ({ access, isUserEndpoint }: (typeof ENDPOINTS)[number]) =>
  access !== 'public' || isUserEndpoint === true;
const cacheControl = async (name: string | undefined, method: string, path: string) => {
  const body = method === 'POST' || method === 'PATCH' ? '{}' : undefined;
  const target = path.replace(/:[^/]+/g, '1');
  return (await exchange.send(name, method, target, body)).headers.get('Cache-Control');
};

test.each(ENDPOINTS.filter(isPrivate).map(({ method, path }) => [method, path] as const))(
  '%s %s: no-store, whatever the answer is',
  async (method, path) => {
    for (const name of [undefined, 'alice', 'reader', 'operator']) {
      expect(await cacheControl(name, method, path)).toBe('no-store');
    }
  },
);

test('an order, an unknown order and a rejected session', async () => {
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };
  const placed = await exchange.place('alice', order);
  expect([placed.status, placed.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
  const missing = await exchange.send('alice', 'GET', '/api/orders/unknown');
  expect([missing.status, missing.headers.get('Cache-Control')]).toEqual([404, 'no-store']);
  const browser = await Browser.signedUp(exchange, 'cached@example.com');
  await browser.post('/sign-out');
  const refused = await browser.send('GET', '/api/orders');
  expect([refused.status, refused.headers.get('Cache-Control')]).toEqual([401, 'no-store']);
});

test('public responses may be cached, errors may not', async () => {
  for (const path of ['/api/markets', '/api/time']) {
    const answer = await exchange.send(undefined, 'GET', path);
    expect(answer.headers.get('Cache-Control')).toBeNull();
  }
  for (const path of ['/api/nothing', '/api/markets?symbol=none', '/nothing']) {
    const answer = await exchange.send(undefined, 'GET', path);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
  }
});
