import { afterAll, beforeAll, expect, test } from 'bun:test';
import { RateLimitExceeded } from 'ccxt';
import { rateLimit } from '../../src/client/ccxt/describe.ts';
import type { buttonwood } from '../../src/client/ccxt/index.ts';
import { RateWindow, type WindowState } from '../../src/client/ccxt/rate-windows.ts';
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

/** Opens an account of its own, with an API key of the same name. */
async function openAccount(name: string, terms: object = {}): Promise<void> {
  const body = JSON.stringify({ accountId: name, ...terms });
  await venue.exchange.send('operator', 'POST', '/api/admin/accounts', body);
  const funds = { account: name, asset: 'USDT', amount: 100_000, reference: name, reason: 'test' };
  await venue.exchange.send('operator', 'POST', '/api/admin/transfers', JSON.stringify(funds));
  await venue.exchange.addKey(name, name, ['read', 'trade']);
}

const eager = (name: string) =>
  venue.bot(name, { enableRateLimit: true, rollingWindowSize: MINUTE_MS });

/** Returns after how many milliseconds each request is done. */
async function times(calls: readonly Promise<unknown>[]): Promise<number[]> {
  const start = performance.now();
  return Promise.all(calls.map((call) => call.then(() => performance.now() - start)));
}
const repeat = <Result>(count: number, call: () => Promise<Result>) =>
  Array.from({ length: count }, call);

/** The endpoints that CCXT has no methods for. */
const NOT_FOR_BOTS =
  /^\/api\/(proofs|status\/history|limits|log|reports|webhooks|alerts|notices|custody|deposit-addresses|withdrawal|referrals)/;

test('knows the limit of every endpoint', () => {
  const isForTraders = ({ path, isSandboxOnly }: (typeof ENDPOINTS)[number]) =>
    !isSandboxOnly && !/^\/api\/(admin|account)\b/.test(path) && !NOT_FOR_BOTS.test(path);
  const traders = ENDPOINTS.filter(isForTraders);
  expect(traders.length).toBeGreaterThan(20);
  for (const { method, path, limit } of traders) {
    const endpoint = `${method} ${path.replace('/api/', '').replace(':id', '{id}')}`;
    expect([endpoint, rateLimit(endpoint)]).toEqual([endpoint, limit]);
  }
});

/** Returns the error that a promise rejects with, and after how many milliseconds. */
async function failure(promise: Promise<unknown>) {
  const start = performance.now();
  const error = await promise.then(
    () => undefined,
    (thrown) => thrown,
  );
  return { error, ms: performance.now() - start };
}

test.each([
  [
    'createOrder',
    'REST',
    (bot: buttonwood) => bot.createOrder(SYMBOL, 'limit', 'buy', 0.001, 1000),
  ],
  ['cancelAllOrders', 'REST', (bot: buttonwood) => bot.cancelAllOrders()],
  ['editOrder', 'REST', (bot: buttonwood) => bot.editOrder('1', SYMBOL, 'limit', 'buy', 1)],
  [
    'createOrderWs',
    'sockets',
    (bot: buttonwood) => bot.createOrderWs(SYMBOL, 'limit', 'buy', 0.001, 1000),
  ],
  ['cancelAllOrdersWs', 'sockets', (bot: buttonwood) => bot.cancelAllOrdersWs()],
] as const)('the 31st %s over %s, and more, are rejected at once', async (name, _, act) => {
  await openAccount(name);
  // With CCXT's default window of a minute, any wait would exceed the time limit of the test.
  const bot = venue.bot(name, { enableRateLimit: true });
  await bot.loadMarkets();
  const results = await Promise.all(repeat(101, () => failure(act(bot))));
  const rejected = results.filter(({ error }) => error instanceof RateLimitExceeded);
  expect(rejected).toHaveLength(71);
  for (const { error, ms } of rejected) {
    expect(error.message).toContain('"code":"RATE_LIMIT_EXCEEDED"');
    expect(Number.isInteger(error.retryAfter)).toBe(true);
    expect(error.retryAfter).toBeWithin(1, 61);
    expect(ms).toBeLessThan(MINUTE_MS);
  }
  // Reads of the same path have a window of their own.
  await bot.fetchOrders();
});

test('with limits off nothing waits, and nothing is rejected', async () => {
  const free = await Venue.open({ rateLimits: 'off' });
  try {
    // A window of a minute, as in production: any wait would exceed the time limit of the test.
    const bot = free.bot('alice', { enableRateLimit: true });
    await Promise.all(repeat(250, () => bot.fetchTime()));
    await Promise.all(repeat(150, () => bot.fetchBalance()));
    await Promise.all(repeat(150, () => bot.fetchBalanceWs()));
    const order = () => bot.createOrder(SYMBOL, 'limit', 'buy', 0.001, 1000);
    await Promise.all(repeat(100, order));
  } finally {
    await free.close();
  }
});

test('reads wait for what another program of the account has used up', async () => {
  await openAccount('shared');
  const [first, second] = [eager('shared'), eager('shared')];
  await Promise.all([first.loadMarkets(), second.loadMarkets()]);
  await Promise.all(repeat(59, () => first.fetchBalance()));
  // Its response reports that nothing is left.
  await second.fetchBalance();
  const [waitMs] = await times([second.fetchBalance()]);
  expect(waitMs).toBeGreaterThan(0.5 * MINUTE_MS);
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

test('reads that find nothing count too', async () => {
  await openAccount('seeker');
  const bot = eager('seeker');
  await bot.loadMarkets();
  const seek = () => bot.fetchOrder('1').catch(({ name }) => name);
  const found = await Promise.all(repeat(70, seek));
  expect(new Set(found)).toEqual(new Set(['OrderNotFound']));
});

test('uses the higher limit of an account', async () => {
  await openAccount('maker', { limitClass: 5 });
  const bot = eager('maker');
  await bot.fetchBalance();
  const read = await times(repeat(299, () => bot.fetchBalance()));
  expect(Math.max(...read)).toBeLessThan(MINUTE_MS);
});

test('does not wait with enableRateLimit off', async () => {
  await openAccount('hasty');
  const bot = venue.bot('hasty', { enableRateLimit: false });
  const results = await Promise.allSettled(repeat(61, () => bot.fetchBalance()));
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([{ reason: { name: 'RateLimitExceeded' } }]);
});

/** A window with a limit of 3 until a response reports another, and how many of its requests were sent. */
function openWindow(lengthMs = 60_000) {
  const window = new RateWindow(3, lengthMs);
  const answers: ((state: Partial<WindowState>) => void)[] = [];
  const request = async () => {
    const { promise, resolve } = Promise.withResolvers<Partial<WindowState>>();
    answers.push(resolve);
    window.note({ limit: Number.NaN, remaining: Number.NaN, reset: 0, ...(await promise) });
  };
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent++) void window.run(request);
    await Bun.sleep(0);
  };
  /** Answers the oldest request in flight. */
  const answer = async (state: Partial<WindowState>) => {
    answers.shift()!(state);
    await Bun.sleep(0);
  };
  return { send, answer, answers };
}

test('sends as many requests as a response leaves, including those in flight', async () => {
  const { send, answer, answers } = openWindow();
  await send(9);
  expect(answers).toHaveLength(3);
  await answer({ limit: 5, remaining: 4, reset: 60 });
  expect(answers).toHaveLength(4);
  // A response that was sent earlier and arrives later changes nothing.
  await answer({ limit: 5, remaining: 2, reset: 60 });
  await answer({ limit: 5, remaining: 3, reset: 60 });
  expect(answers).toHaveLength(2);
  await answer({ limit: 5, remaining: 1, reset: 60 });
  await answer({ limit: 5, remaining: 0, reset: 60 });
  expect(answers).toHaveLength(0);
});

test('a late response of an earlier window changes nothing', async () => {
  const { send, answer, answers } = openWindow();
  await send(9);
  await answer({ limit: 3, remaining: 2, reset: 120 });
  await answer({ limit: 3, remaining: 0, reset: 60 });
  await answer({ limit: 3, remaining: 1, reset: 120 });
  expect(answers).toHaveLength(1);
});

test('a window ends one length after the first response that reports it', async () => {
  const { send, answer, answers } = openWindow(50);
  await send(4);
  const start = performance.now();
  for (const remaining of [2, 1, 0]) await answer({ limit: 3, remaining, reset: 60 });
  expect(answers).toHaveLength(0);
  while (answers.length === 0) await Bun.sleep(1);
  expect(performance.now() - start).toBeGreaterThanOrEqual(50);
});

test('a window that lasts longer on the exchange is waited for again', async () => {
  const { send, answer, answers } = openWindow(30);
  await send(5);
  for (const remaining of [2, 1, 0]) await answer({ limit: 3, remaining, reset: 60 });
  while (answers.length === 0) await Bun.sleep(1);
  expect(answers).toHaveLength(2);
  // The same window, by the exchange's clock.
  for (const remaining of [0, 0]) await answer({ limit: 3, remaining, reset: 60 });
  await send(1);
  expect(answers).toHaveLength(0);
  while (answers.length === 0) await Bun.sleep(1);
});

test('a response without a report lets the next request go', async () => {
  const { send, answer, answers } = openWindow();
  await send(5);
  await answer({});
  expect(answers).toHaveLength(3);
});

test('limits that are switched off and on again', async () => {
  const { send, answer, answers } = openWindow();
  await send(9);
  await answer({ limit: 3, remaining: 3, reset: 60 });
  expect(answers).toHaveLength(8);
  await answer({ limit: 3, remaining: 0, reset: 70 });
  while (answers.length > 0) await answer({ limit: 3, remaining: 0, reset: 70 });
  await send(1);
  expect(answers).toHaveLength(0);
});
