import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rateLimit } from '../../src/client/ccxt/describe.ts';
import { RateWindow } from '../../src/client/ccxt/rate-windows.ts';
import { ENDPOINTS } from '../../src/gateway/endpoints/endpoints.ts';
import { Venue } from './venue.ts';

/** A bot with CCXT's defaults, against an exchange with the default limits but a shorter window. */

const MINUTE_MS = 2000;
const SPEED = 60_000 / MINUTE_MS;
const SYMBOL = 'BTC/USDT';
let venue: Venue;

beforeAll(async () => {
  venue = await Venue.open({ rateLimits: 'spec' });
  const { exchange } = venue;
  const [startMs, start] = [performance.now(), exchange.now];
  const now = () => start + Math.floor((performance.now() - startMs) * SPEED);
  Object.defineProperty(exchange, 'now', { get: now });
});
afterAll(() => venue.close());

const eager = (name: string) =>
  venue.bot(name, { enableRateLimit: true, rollingWindowSize: MINUTE_MS });

/** Returns after how many milliseconds each request is done. */
async function times(calls: readonly Promise<unknown>[]): Promise<number[]> {
  const start = performance.now();
  return Promise.all(calls.map((call) => call.then(() => performance.now() - start)));
}
const repeat = (count: number, call: () => Promise<unknown>) => Array.from({ length: count }, call);

test('knows the limit of every endpoint', () => {
  const traders = ENDPOINTS.filter(({ path }) => !/^\/api\/(admin|account)\b/.test(path));
  expect(traders.length).toBeGreaterThan(20);
  for (const { method, path, limit } of traders) {
    const endpoint = `${method} ${path.replace('/api/', '').replace(':id', '{id}')}`;
    expect([endpoint, rateLimit(endpoint)]).toEqual([endpoint, limit]);
  }
});

test('the 31st order waits for the next window; other endpoints do not wait', async () => {
  const bot = eager('alice');
  await bot.loadMarkets();
  const order = () => bot.createOrder(SYMBOL, 'limit', 'buy', 0.001, 1000);
  const orders = times(repeat(31, order));
  const others = await times([
    ...repeat(100, () => bot.fetchTime()),
    ...repeat(60, () => bot.fetchBalance()),
    ...repeat(60, () => bot.fetchOrder('1').catch(() => {})),
    ...repeat(30, () => bot.cancelAllOrders()),
  ]);
  expect(Math.max(...others)).toBeLessThan(MINUTE_MS);
  const sorted = (await orders).sort((a, b) => a - b);
  expect(sorted[29]).toBeLessThan(MINUTE_MS);
  expect(sorted[30]).toBeGreaterThanOrEqual(MINUTE_MS);
});

test('no request is rejected, and no window is wasted', async () => {
  const bot = eager('bob');
  const read = () => bot.fetchBalance();
  await bot.loadMarkets();
  const early = times(repeat(40, read));
  // Across two windows of the exchange.
  await Bun.sleep(0.8 * MINUTE_MS);
  const late = await times(repeat(2 * 60, read));
  expect(Math.max(...(await early))).toBeLessThan(MINUTE_MS);
  expect(late.at(-1)).toBeWithin(1.2 * MINUTE_MS, 3 * MINUTE_MS);
});

test('uses the higher limit of an account', async () => {
  const body = JSON.stringify({ accountId: 'maker', limitClass: 5 });
  await venue.exchange.send('operator', 'POST', '/api/admin/accounts', body);
  await venue.exchange.addKey('maker', 'maker', ['read', 'trade']);
  const bot = eager('maker');
  await bot.fetchBalance();
  const read = await times(repeat(299, () => bot.fetchBalance()));
  expect(Math.max(...read)).toBeLessThan(MINUTE_MS);
});

test('does not wait with enableRateLimit off', async () => {
  await venue.exchange.addKey('hasty', 'operator', ['read', 'trade']);
  const bot = venue.bot('hasty', { enableRateLimit: false });
  const results = await Promise.allSettled(repeat(61, () => bot.fetchBalance()));
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([{ reason: { name: 'RateLimitExceeded' } }]);
});

test('a request counts until one window after its response or failure', async () => {
  const minuteMs = 30;
  const window = new RateWindow(2, minuteMs);
  const answer = Promise.withResolvers<string>();
  const silence = Promise.withResolvers<string>();
  const [first, second] = [window.run(() => answer.promise), window.run(() => silence.promise)];
  let started = 0;
  const third = window.run(async () => {
    started = performance.now();
  });
  await Bun.sleep(3 * minuteMs);
  expect(started).toBe(0);
  const answered = performance.now();
  silence.reject(new Error('unreachable'));
  expect(await second.catch(({ message }: Error) => message)).toBe('unreachable');
  await third;
  expect(started - answered).toBeGreaterThanOrEqual(minuteMs);
  answer.resolve('answer');
  expect(await first).toBe('answer');
});
