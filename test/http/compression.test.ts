import { afterAll, beforeAll, expect, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import { TestExchange } from './exchange.ts';

/** Tests the compression of long responses. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
  await exchange.place('alice', {
    symbol: 'BTC/USDT',
    side: 'sell',
    type: 'limit',
    amount: 1,
    price: 1000,
  });
  await exchange.place('bob', {
    symbol: 'BTC/USDT',
    side: 'buy',
    type: 'limit',
    amount: 1,
    price: 1000,
  });
  exchange.now += 500 * 60_000;
});
afterAll(() => exchange.close());

const LONG = '/api/candles?symbol=BTC/USDT&interval=1m&limit=500';

const fetchAs = (path: string, encoding: string, init: RequestInit = {}) =>
  exchange.gateway.fetch(
    new Request(`http://127.0.0.1:3000${path}`, {
      ...init,
      headers: { 'Accept-Encoding': encoding, ...init.headers },
    }),
    { requestIP: () => ({ address: '10.1.1.1' }) },
  );

test('a long public response is compressed for clients that accept gzip, with the same content', async () => {
  const plain = await fetchAs(LONG, 'identity');
  const text = await plain.text();
  expect(text.length).toBeGreaterThan(8192);
  expect(plain.headers.get('content-encoding')).toBeNull();
  const zipped = await fetchAs(LONG, 'deflate, gzip;q=0.5, br');
  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  expect(zipped.headers.get('vary')).toBe('Accept-Encoding');
  expect(zipped.headers.get('content-type')).toBe('application/json');
  expect(zipped.headers.get('x-ratelimit-limit')).toBe('100');
  const bytes = new Uint8Array(await zipped.arrayBuffer());
  expect(gunzipSync(bytes).toString()).toBe(text);
  expect(bytes.length).toBeLessThan(text.length / 3);
});

test('short, refused and private responses are not compressed', async () => {
  for (const [path, encoding] of [
    ['/api/time', 'gzip'],
    [LONG, 'gzip;q=0'],
    [LONG, 'br'],
  ] as const) {
    expect((await fetchAs(path, encoding)).headers.get('content-encoding')).toBeNull();
  }
  const head = await fetchAs(LONG, 'gzip', { method: 'HEAD' });
  expect(head.headers.get('content-encoding')).toBeNull();
  for (let price = 100; price < 160; price++) {
    await exchange.place('alice', {
      symbol: 'BTC/USDT',
      side: 'buy',
      type: 'limit',
      amount: 0.01,
      price,
    });
  }
  const own = await exchange.send('alice', 'GET', '/api/orders', undefined, {
    'Accept-Encoding': 'gzip',
  });
  expect(own.text.length).toBeGreaterThan(8192);
  expect(own.headers.get('content-encoding')).toBeNull();
});
