import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import {
  AuthenticationError,
  InsufficientFunds,
  NetworkError,
  type Order,
  OrderNotFound,
  PermissionDenied,
  RequestTimeout,
} from 'ccxt';
import type { buttonwood } from '../../src/client/ccxt/index.ts';
import { ScriptedStream } from './scripted-stream.ts';
import { expectBalances, expectOrder } from './structures.ts';
import { Venue } from './venue.ts';

/** CCXT's methods that trade over the socket. The suite orders.test.ts runs over it too: see over-sockets.test.ts. */

const SYMBOL = 'BTC/USDT';
const ETH = 'ETH/USDT';
const SOON_BACK = { options: { ws: { backoff: { base: 1, max: 1 } } } };
let venue: Venue;
let alice: buttonwood;
let script: ScriptedStream;
beforeAll(async () => {
  venue = await Venue.open();
});
afterAll(() => venue.close());
beforeEach(async () => {
  alice = venue.bot('alice', SOON_BACK);
  await alice.loadMarkets();
  script = new ScriptedStream(venue.url);
});
afterEach(async () => {
  await alice.cancelAllOrders();
  await alice.close();
  await script.stop();
});

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error) => error,
  );

/** Returns a bot that is connected to the scripted stream, where it has just sent an operation. */
async function scripted(act: (bot: buttonwood) => Promise<unknown>, options = {}) {
  const bot = venue.bot('alice', { ...SOON_BACK, urls: { api: script.url }, ...options });
  await bot.loadMarkets();
  const outcome = act(bot);
  await authenticate();
  return { bot, outcome, request: await script.next() };
}
async function authenticate(): Promise<void> {
  expect(await script.next()).toMatchObject({ op: 'auth' });
  script.say({ op: 'authenticated' });
}

test('places, amends, reads and cancels without a REST request', async () => {
  const { fetch } = alice;
  alice.fetch = () => {
    throw new Error('over REST');
  };
  const placed = await alice.createOrderWs(SYMBOL, 'limit', 'buy', 0.1, 100_000);
  expectOrder(placed, alice);
  expect(placed).toMatchObject({ status: 'open', amount: 0.1, price: 100_000 });
  expect(placed.clientOrderId).toMatch(/^[0-9a-f-]{36}$/);
  const id = placed.id!;
  expect(await alice.fetchOrderWs(id)).toEqual(placed);
  expect(await alice.fetchOpenOrdersWs(SYMBOL)).toEqual([placed]);
  expect(await alice.fetchOpenOrdersWs(ETH)).toEqual([]);
  const amended = await alice.editOrderWs(id, SYMBOL, 'limit', 'buy', 0.05, 99_000.001);
  expect(amended).toMatchObject({ id, amount: 0.05, price: 99_000 });
  const balance = await alice.fetchBalanceWs();
  expectBalances(balance, alice);
  expect(balance.USDT!.used).toBe(4950);
  expect((await alice.cancelOrderWs(id)).status).toBe('canceled');
  const orders = await alice.createOrdersWs([
    { symbol: SYMBOL, type: 'limit', side: 'buy', amount: 0.1, price: 10_000 },
    { symbol: ETH, type: 'limit', side: 'buy', amount: 0.1, price: 1000 },
    { symbol: SYMBOL, type: 'limit', side: 'buy', amount: 1000, price: 100_000 },
  ]);
  expect(orders.map(({ status }) => status)).toEqual(['open', 'open', 'rejected']);
  const ids = (rows: Order[]) => rows.map((order) => order.id!);
  expect(ids(await alice.cancelAllOrdersWs(ETH))).toEqual([orders[1]!.id!]);
  expect(ids(await alice.cancelOrdersWs([orders[0]!.id!, '999']))).toEqual([orders[0]!.id!]);
  const more = await alice.createLimitSellOrderWs(SYMBOL, 0.1, 200_000);
  expect(ids(await alice.cancelAllOrdersWs())).toEqual([more.id!]);
  alice.fetch = fetch;
});

test('`has` names the methods, and CCXT’s variants of createOrderWs work', async () => {
  const named = Object.entries(alice.has).filter(([name]) => name.endsWith('Ws'));
  const supported = named.filter(([, value]) => value === true).map(([name]) => name);
  expect(supported).toContain('createOrderWs');
  const methods = alice as unknown as Record<string, unknown>;
  for (const name of supported) expect([name, typeof methods[name]]).toEqual([name, 'function']);
  const { has } = alice as { has: Record<string, unknown> };
  const isMissing = (name: string) =>
    name.startsWith('create') && has[name] === true && `${name}Ws` in methods && !has[`${name}Ws`];
  expect(Object.keys(has).filter(isMissing)).toEqual([]);
  const last = 5200;
  const placed = [
    await alice.createLimitBuyOrderWs(ETH, 1, 1000),
    await alice.createLimitOrderWs(ETH, 'sell', 1, 9000),
    await alice.createPostOnlyOrderWs(ETH, 'limit', 'buy', 1, 1000),
    await alice.createStopLimitOrderWs(ETH, 'sell', 1, 1000, last - 100),
    await alice.createStopLossOrderWs(ETH, 'market', 'sell', 1, undefined, last - 100),
    await alice.createStopMarketOrderWs(ETH, 'sell', 1, last - 100),
    await alice.createStopOrderWs(ETH, 'market', 'sell', 1, undefined, last - 100),
    await alice.createTakeProfitOrderWs(ETH, 'market', 'sell', 1, undefined, last + 100),
    await alice.createTrailingAmountOrderWs(ETH, 'market', 'sell', 1, undefined, 50),
    await alice.createTrailingPercentOrderWs(ETH, 'market', 'sell', 1, undefined, 2.5),
    await alice.createTriggerOrderWs(ETH, 'market', 'sell', 1, undefined, last - 100),
    await alice.createOrderWithTakeProfitAndStopLossWs(
      ...[ETH, 'limit', 'buy', 1, 1000, 9000, 900],
    ),
  ];
  for (const order of placed) expectOrder(order, alice);
  await venue.bot('bob').createLimitSellOrder(SYMBOL, 0.1, 100_000);
  expect(await alice.createMarketBuyOrderWs(SYMBOL, 0.01)).toMatchObject({ status: 'closed' });
  expect(await alice.createMarketBuyOrderWithCostWs(SYMBOL, 100)).toMatchObject({ cost: 100 });
  expect((await alice.createMarketOrderWs(SYMBOL, 'buy', 0.01)).status).toBe('closed');
  await venue.bot('bob').createLimitBuyOrder(SYMBOL, 0.1, 90_000);
  expect((await alice.createMarketSellOrderWs(SYMBOL, 0.01)).status).toBe('closed');
});

test('orders and streams share a connection, whichever is first', async () => {
  const watched = alice.watchOrders();
  const placed = await alice.createOrderWs(SYMBOL, 'limit', 'buy', 0.1, 100_000);
  expect(Object.keys(alice.clients)).toHaveLength(1);
  await watched;
  let order: Order | undefined;
  while (order?.status !== 'canceled') {
    const next = alice.watchOrders();
    if (order === undefined) await alice.cancelOrderWs(placed.id!);
    [order] = await next;
  }
  expect(order.id).toBe(placed.id!);
});

test('many orders at once, and numbers with all their digits', async () => {
  const exact = venue.bot('alice', { number: String });
  await exact.loadMarkets();
  const orders = await Promise.all(
    Array.from({ length: 100 }, () =>
      exact.createOrderWs(SYMBOL, 'limit', 'buy', '0.00012345' as never, '12345.67' as never),
    ),
  );
  expect(new Set(orders.map(({ id }) => id)).size).toBe(100);
  expect(orders[0]).toMatchObject({ amount: '0.00012345', price: '12345.67' } as never);
});

test('errors have the class of their code', async () => {
  const order = (bot: buttonwood) => bot.createOrderWs(SYMBOL, 'limit', 'buy', 1000, 100_000);
  const error = await failure(order(alice));
  expect(error).toBeInstanceOf(InsufficientFunds);
  expect(error.message).toContain('"code":"INSUFFICIENT_BALANCE"');
  expect(await failure(alice.cancelOrderWs('999'))).toBeInstanceOf(OrderNotFound);
  const byClientId = alice.cancelOrderWs('', SYMBOL, { clientOrderId: 'none' });
  expect(await failure(byClientId)).toBeInstanceOf(OrderNotFound);
  expect(await failure(order(venue.bot('reader')))).toBeInstanceOf(PermissionDenied);
  const stranger = venue.bot('alice', { secret: 'wrong' });
  expect(await failure(order(stranger))).toBeInstanceOf(AuthenticationError);
  expect(await failure(stranger.fetchBalanceWs())).toBeInstanceOf(AuthenticationError);
  expect(await failure(order(venue.bot()))).toBeInstanceOf(AuthenticationError);
});

test('an order whose connection breaks before the response is sent again with the same id', async () => {
  const { bot, outcome, request } = await scripted((one) =>
    one.createOrderWs(SYMBOL, 'limit', 'buy', 0.1, 100_000),
  );
  expect(request).toMatchObject({ op: 'order.place', params: { amount: 0.1, price: 100_000 } });
  script.drop();
  await authenticate();
  const again = await script.next();
  expect(again.params).toEqual(request.params);
  const placed = await alice.createOrder(SYMBOL, 'limit', 'buy', 0.1, 100_000);
  script.say({ op: again.op, id: again.id, success: true, data: placed.info });
  expect((await outcome) as Order).toMatchObject({ id: placed.id!, status: 'open' });
  await bot.close();
});

test('an order does not wait for subscriptions that were requested before', async () => {
  const bot = venue.bot('alice', { ...SOON_BACK, urls: { api: script.url } });
  await bot.loadMarkets();
  const watched = Promise.allSettled(bot.symbols.map((symbol) => bot.watchTicker(symbol)));
  const { op, ...topic } = await script.next();
  expect(op).toBe('subscribe');
  const placing = failure(bot.createOrderWs(SYMBOL, 'limit', 'buy', 0.1, 100_000));
  await bot.sleep(0);
  const error = { code: 'INVALID_REQUEST', message: 'No.', details: {} };
  script.say({ op: 'error', ...topic, error });
  await authenticate();
  // The order and the next subscription.
  const next = [(await script.next()).op, (await script.next()).op];
  expect(next.sort()).toEqual(['order.place', 'subscribe']);
  await bot.close();
  await Promise.all([watched, placing]);
});

test('a repeated order that is rate limited ends as unknown, not as rejected', async () => {
  const { bot, outcome } = await scripted((one) =>
    one.createOrderWs(SYMBOL, 'limit', 'buy', 0.1, 100_000),
  );
  const failed = failure(outcome);
  script.drop();
  await authenticate();
  const { op, id } = await script.next();
  const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'Slower.', details: {} };
  script.say({ op, id, success: false, retryAfter: 1, error });
  expect(await failed).toBeInstanceOf(RequestTimeout);
  await bot.close();
});

test.each([
  ['a cancel', (bot: buttonwood) => bot.cancelOrderWs('7')],
  ['an amend', (bot: buttonwood) => bot.editOrderWs('7', SYMBOL, 'limit', 'buy', 1)],
  ['a cancel of all', (bot: buttonwood) => bot.cancelAllOrdersWs()],
  [
    'a batch',
    (bot: buttonwood) =>
      bot.createOrdersWs([{ symbol: SYMBOL, type: 'limit', side: 'buy', amount: 1, price: 1 }]),
  ],
])('%s whose connection breaks is not repeated: its outcome is unknown', async (_, act) => {
  const { bot, outcome } = await scripted(act);
  const failed = failure(outcome);
  script.drop();
  const error = await failed;
  expect(error).toBeInstanceOf(RequestTimeout);
  expect(error.message).toContain('the outcome is unknown');
  expect(script.asked).toBe(0);
  await bot.close();
});

test('without a response in time the outcome is unknown', async () => {
  const { bot, outcome, request } = await scripted((one) => one.cancelOrderWs('7'), {
    timeout: 50,
  });
  expect(await failure(outcome)).toBeInstanceOf(RequestTimeout);
  script.say({ op: request.op, id: request.id, success: true, data: {} });
  await bot.close();
});

test('what was not sent fails as a network error, and the next call connects again', async () => {
  const url = script.url;
  await script.stop();
  const bot = venue.bot('alice', { ...SOON_BACK, urls: { api: url } });
  bot.setMarkets(Object.values(alice.markets!));
  for (let attempts = 0; attempts < 2; attempts++) {
    const error = await failure(bot.createOrderWs(SYMBOL, 'limit', 'buy', 0.1, 100_000));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).not.toBeInstanceOf(RequestTimeout);
  }
});

test('reads over the socket wait for the window of their endpoint, with those of REST', async () => {
  const limited = await Venue.open({ rateLimits: 'spec' });
  try {
    const bot = limited.bot('alice', { enableRateLimit: true, rollingWindowSize: 500 });
    await bot.loadMarkets();
    const read = (count: number) => (count % 2 === 0 ? bot.fetchBalanceWs() : bot.fetchBalance());
    const start = performance.now();
    const sent = Array.from({ length: 60 }, (_, count) => read(count));
    await Promise.all(sent);
    // The clock of this exchange stands still, so that its window has not ended.
    expect((await failure(read(0))).name).toBe('RateLimitExceeded');
    expect(performance.now() - start).toBeGreaterThanOrEqual(500);
  } finally {
    await limited.close();
  }
});
