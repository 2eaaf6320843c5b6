import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests the kill switch and announced maintenance. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const post = (path: string, body: object, by: 'operator' | 'alice' = 'operator') =>
  exchange.send(by, 'POST', path, JSON.stringify(body));
const status = async () => (await exchange.send('alice', 'GET', '/api/status')).data;
const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.001, price: 1000 };

test('the kill switch stops orders everywhere with its reason, and markets keep their status', async () => {
  const halted = await post('/api/admin/trading-status', { status: 'halted', reason: 'Bad feed' });
  expect(halted.data.trading).toMatchObject({ status: 'halted', reason: 'Bad feed' });
  expect((await status()).trading).toEqual(halted.data.trading);
  const rejected = await post('/api/orders', ORDER, 'alice');
  expect(rejected.json.error).toMatchObject({
    code: 'MARKET_UNAVAILABLE',
    message: 'All markets are halted: Bad feed',
    details: { status: 'halted' },
  });
  const markets = (await exchange.send('alice', 'GET', '/api/markets')).data.markets;
  expect(markets.every(({ active }: { active: boolean }) => !active)).toBe(true);
  await post('/api/admin/trading-status', { status: 'trading', reason: 'Feed is back' });
  expect((await post('/api/orders', ORDER, 'alice')).json.error).toBeUndefined();
  const { entries } = (await exchange.send('operator', 'GET', '/api/admin/audit?limit=2')).data;
  expect(entries).toMatchObject([
    { action: 'setTradingStatus', details: { status: 'online', reason: 'Feed is back' } },
    { action: 'setTradingStatus', details: { status: 'halted', reason: 'Bad feed' } },
  ]);
});

test('a maintenance is announced, starts, and is withdrawn', async () => {
  const at = (ms: number) => new Date(exchange.now + ms).toISOString();
  const terms = { from: at(60_000), to: at(90_000), mode: 'cancel_only', message: 'New release' };
  const { data } = await post('/api/admin/maintenance', terms);
  expect(data.maintenance).toEqual([{ ...terms, active: false }]);
  expect((await status()).trading.status).toBe('trading');
  exchange.now += 60_000;
  await post('/api/orders', ORDER, 'alice');
  expect((await post('/api/orders', ORDER, 'alice')).json.error.message).toBe(
    'All markets are cancel_only: New release',
  );
  expect(await status()).toMatchObject({
    trading: { status: 'cancel_only', killSwitch: 'trading' },
    maintenance: [{ active: true }],
  });
  const ended = await post('/api/admin/maintenance/cancel', { from: terms.from });
  expect(ended.data).toMatchObject({ trading: { status: 'trading' }, maintenance: [] });
  const again = await post('/api/admin/maintenance/cancel', { from: terms.from });
  expect([again.status, again.json.error.details.field]).toEqual([404, 'from']);
});

test('the feed of the status page has incidents, maintenance and announcements', async () => {
  await post('/api/admin/trading-status', { status: 'halted', reason: 'Slow feed' });
  exchange.now += 60_000;
  await post('/api/admin/trading-status', { status: 'trading', reason: 'Feed is fast' });
  const from = new Date(exchange.now + 3_600_000).toISOString();
  const to = new Date(exchange.now + 7_200_000).toISOString();
  const announced = exchange.now;
  await post('/api/admin/maintenance', {
    from,
    to,
    mode: 'halted',
    message: 'New <disks> & "more"',
  });
  const announcement = { severity: 'warning', title: 'SOL > BTC', text: 'More' };
  expect((await post('/api/admin/announcements', announcement)).status).toBe(200);
  await exchange.archive.flush();
  const { status: code, headers, text } = await exchange.send(undefined, 'GET', '/status/feed.xml');
  expect([code, headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8']);
  const entries = [...text.matchAll(/<entry>.*<\/entry>/g)].map(([entry]) => entry);
  const read = (name: string) =>
    entries.map((entry) => new RegExp(`<${name}[^>]*>([^<]*)</${name}>`).exec(entry)![1]);
  expect(read('title').toSorted()).toEqual([
    'All markets halted (ended)',
    'Important: SOL &gt; BTC',
    `Maintenance from ${from.slice(0, 16).replace('T', ' ')} UTC to ${to.slice(0, 16).replace('T', ' ')} UTC`,
  ]);
  expect(read('content')).toContain('New &lt;disks&gt; &amp; &quot;more&quot;');
  expect(read('content').some((each) => each!.startsWith('Slow feed '))).toBe(true);
  expect(new Set(read('id')).size).toBe(entries.length);
  expect(read('published')).toContain(new Date(announced).toISOString());
  expect(read('published')).toEqual(read('published').toSorted().reverse());
});

test.each([
  ['/trading-status', { status: 'online', reason: 'x' }, 'status'],
  ['/trading-status', { status: 'halted' }, 'reason'],
  ['/trading-status', { status: 'halted', reason: ' ' }, 'reason'],
  ['/trading-status', { status: 'halted', reason: 'x', cancelOrders: 1 }, 'cancelOrders'],
  ['/maintenance', { from: 'now', to: 1, mode: 'halted', message: 'x' }, 'from'],
  ['/maintenance', { from: 1, to: 2, mode: 'trading', message: 'x' }, 'mode'],
])('%s rejects %j', async (path, body, field) => {
  const { status, json } = await post(`/api/admin${path}`, body);
  expect([status, json.error.details.field]).toEqual([400, field]);
  expect((await post(`/api/admin${path}`, body, 'alice')).status).toBe(403);
});
