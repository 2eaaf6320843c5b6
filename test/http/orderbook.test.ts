import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { version } from '../../package.json';
import { type Answer, TestExchange } from './exchange.ts';

/** Tests GET /api/orderbook, /api/assets, /api/time and /api/status. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const book = (query: string): Promise<Answer> =>
  exchange.send(undefined, 'GET', `/api/orderbook${query}`);
const order = (side: string, price: number, amount: number | string) =>
  `{"symbol":"BTC/USDT","side":"${side}","type":"limit","amount":${amount},"price":${price}}`;

describe('GET /api/orderbook', () => {
  test('starts empty, then shows exact totals by price, the best first', async () => {
    const empty = await book('?symbol=BTC/USDT');
    expect(empty.data).toEqual({
      symbol: 'BTC/USDT',
      bids: [],
      asks: [],
      sequence: 0,
      updatedAt: null,
      timestamp: '2026-01-05T12:00:00.000Z',
    });
    await exchange.place('alice', order('buy', 100000, '0.00000012'));
    await exchange.place('bob', order('buy', 100000, '0.10000000'));
    await exchange.place('alice', order('buy', 99999.99, 2));
    await exchange.place('alice', order('sell', 120000, 3));
    await exchange.place('bob', order('sell', 110000.5, 1));
    const { text } = await book('?symbol=BTC/USDT');
    expect(text).toContain('"bids":[[100000,0.10000012],[99999.99,2]]');
    expect(text).toContain('"asks":[[110000.5,1],[120000,3]]');
    expect(text).toContain('"sequence":5');
  });

  test('has the time of its last change', async () => {
    const before = exchange.now;
    exchange.now += 1000;
    await exchange.place('alice', order('buy', 90000, 1000));
    await exchange.place('alice', order('sell', 6000, 1).replace('BTC/USDT', 'ETH/USDT'));
    const iso = (time: number) => new Date(time).toISOString();
    const unchanged = (await book('?symbol=BTC/USDT')).data;
    expect([unchanged.updatedAt, unchanged.timestamp]).toEqual([iso(before), iso(exchange.now)]);
    const placed = await exchange.place('alice', order('buy', 90000, 1));
    expect((await book('?symbol=BTC/USDT')).data.updatedAt).toBe(iso(exchange.now));
    exchange.now += 1000;
    await exchange.send('alice', 'DELETE', `/api/orders/${placed.data.orderId}`);
    expect((await book('?symbol=BTC/USDT')).data.updatedAt).toBe(iso(exchange.now));
    exchange.now = before;
  });

  test('has at most depth levels per side', async () => {
    const { data } = await book('?symbol=BTC/USDT&depth=1');
    expect([data.bids.length, data.asks.length]).toEqual([1, 1]);
  });

  test('has a sequence per market that counts cancels but not rejections', async () => {
    const before = (await book('?symbol=BTC/USDT')).data.sequence;
    const placed = await exchange.place('alice', order('buy', 90000, 1));
    await exchange.place('alice', order('buy', 90000, 1000));
    await exchange.send('alice', 'DELETE', `/api/orders/${placed.data.orderId}`);
    expect((await book('?symbol=BTC/USDT')).data.sequence).toBe(before + 2);
    expect((await book('?symbol=ETH/BTC')).data.sequence).toBe(0);
  });

  test.each([
    ['', 'INVALID_SYMBOL', 'symbol'],
    ['?symbol=BTC-USDT', 'INVALID_SYMBOL', 'symbol'],
    ['?symbol=BTC/USDT&depth=0', 'INVALID_REQUEST', 'depth'],
    ['?symbol=NO/NO&depth=1001', 'INVALID_REQUEST', 'depth'],
    ['?symbol=BTC/USDT&depth=x', 'INVALID_REQUEST', 'depth'],
    ['?symbol=BTC/USDT&limit=5', 'INVALID_REQUEST', 'limit'],
  ])('rejects "%s"', async (query, code, field) => {
    const answer = await book(query);
    expect([answer.status, answer.code, answer.details.field]).toEqual([400, code, field]);
  });
});

test('GET /api/assets lists every asset with its decimals', async () => {
  const { data } = await exchange.send(undefined, 'GET', '/api/assets');
  const names = data.assets.map(({ asset }: { asset: string }) => asset).sort();
  expect(names).toEqual(['BTC', 'ETH', 'SOL', 'USDT']);
  expect(data.assets).toContainEqual({ asset: 'USDT', name: 'Tether', decimals: 10 });
});

test('GET /api/time returns the clock', async () => {
  exchange.now += 1234;
  const { data } = await exchange.send(undefined, 'GET', '/api/time');
  expect(data).toEqual({ timestamp: '2026-01-05T12:00:01.234Z' });
});

test('GET /api/status returns status and release', async () => {
  const { data } = await exchange.send(undefined, 'GET', '/api/status');
  const trading = { status: 'trading', killSwitch: 'trading', reason: null, since: null };
  expect(data).toEqual({ status: 'ok', version, trading, maintenance: [], announcements: [] });
});

test.each(['/api/assets', '/api/time', '/api/status'])('%s accepts no parameter', async (path) => {
  const answer = await exchange.send(undefined, 'GET', `${path}?symbol=BTC/USDT`);
  expect([answer.status, answer.code]).toEqual([400, 'INVALID_REQUEST']);
});
