import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { AuthenticationError, NetworkError, type Order, type Trade, UnsubscribeError } from 'ccxt';
import type { buttonwood } from '../../src/client/ccxt/index.ts';
import { expectBalances, expectOrder, expectTrade } from './structures.ts';
import { Venue } from './venue.ts';

const SYMBOL = 'BTC/USDT';
const ETH = 'ETH/USDT';
const SOON_BACK = { options: { ws: { backoff: { base: 1, max: 1 } } } };
let venue: Venue;
let alice: buttonwood;
let bob: buttonwood;
beforeAll(async () => {
  venue = await Venue.open();
});
afterAll(() => venue.close());
beforeEach(async () => {
  alice = venue.bot('alice', SOON_BACK);
  bob = venue.bot('bob');
  await bob.loadMarkets();
});
afterEach(async () => {
  await alice.close();
  await Promise.all([alice.cancelAllOrders(), bob.cancelAllOrders()]);
});

const ids = (rows: (Order | Trade)[]) => rows.map(({ id }) => id!);

/** Cuts the connection of the streams and waits until pending calls have failed. */
async function breakOff(waiting: Promise<unknown>): Promise<void> {
  const failed = waiting.catch((error: unknown) => error);
  // After the response, no message is in flight.
  await alice.watchTicker(ETH);
  for (const client of Object.values(alice.clients)) (client as unknown as WebSocket).close();
  expect(await failed).toBeInstanceOf(NetworkError);
}

test('watches open orders, then each change', async () => {
  const before = await alice.createLimitBuyOrder(SYMBOL, 0.1, 100_000);
  const open = await alice.watchOrders();
  expect(open).toEqual([before]);
  const nextUpdate = async (act: () => Promise<unknown>) => {
    const next = alice.watchOrders(SYMBOL);
    await act();
    const [order, ...others] = await next;
    expect(others).toEqual([]);
    expectOrder(order!, alice);
    expect(order).toEqual(await alice.fetchOrder(order!.id!));
    return order!;
  };
  await alice.watchOrders(SYMBOL);
  const placed = await nextUpdate(() => alice.createLimitBuyOrder(SYMBOL, 0.2, 90_000));
  expect(placed.status).toBe('open');
  expect(await nextUpdate(() => bob.createLimitSellOrder(SYMBOL, 0.03, 100_000))).toMatchObject({
    id: before.id,
    status: 'open',
    filled: 0.03,
  });
  expect(await nextUpdate(() => bob.createLimitSellOrder(SYMBOL, 0.07, 100_000))).toMatchObject({
    id: before.id,
    status: 'closed',
  });
  expect((await nextUpdate(() => alice.cancelOrder(placed.id!))).status).toBe('canceled');
  expect(ids(alice.orders as never)).toEqual([before.id!, placed.id!]);
});

test('watches orders of one market only', async () => {
  const next = alice.watchOrders(ETH);
  await alice.watchBalance();
  await alice.createLimitBuyOrder(SYMBOL, 0.1, 100_000);
  const { id } = await alice.createLimitBuyOrder(ETH, 1, 5000);
  expect(ids(await next)).toEqual([id!]);
});

test('own trades and balances equal those of REST', async () => {
  const first = await alice.watchBalance();
  expectBalances(first, alice);
  expect({ ...first, info: 0 }).toEqual({ ...(await alice.fetchBalance()), info: 0 });
  const trades = alice.watchMyTrades();
  await alice.watchTicker(SYMBOL);
  await alice.createLimitBuyOrder(SYMBOL, 0.1, 100_000);
  let balance = await alice.watchBalance();
  expect(balance.USDT!.used).toBe(10_000);
  await bob.createLimitSellOrder(SYMBOL, 0.1, 99_000);
  const [fill] = await trades;
  expectTrade(fill, alice, true);
  expect([fill!]).toEqual(await alice.fetchMyTrades(SYMBOL, undefined, 1));
  balance = await alice.watchBalance();
  expectBalances(balance, alice);
  expect({ ...balance, info: 0 }).toEqual({ ...(await alice.fetchBalance()), info: 0 });
});

test('after a reconnection no own or public trade is missing', async () => {
  const own = alice.watchMyTrades(SYMBOL);
  const all = alice.watchTrades(SYMBOL);
  const orders = alice.watchOrders();
  await alice.watchTicker(SYMBOL);
  await alice.createLimitBuyOrder(SYMBOL, 1, 100_000);
  await bob.createLimitSellOrder(SYMBOL, 0.1, 100_000);
  expect(ids(await own)).toEqual(ids(await all));
  await orders;

  await breakOff(alice.watchMyTrades(SYMBOL));
  for (let amount = 0.1; amount < 0.4; amount += 0.1) {
    await bob.createLimitSellOrder(SYMBOL, amount, 100_000);
  }
  await alice.cancelAllOrders();
  const expected = ids(await alice.fetchMyTrades(SYMBOL, undefined, 3));
  expect(ids(await alice.watchMyTrades(SYMBOL))).toEqual(expected);
  expect(ids(await alice.watchTrades(SYMBOL))).toEqual(expected);
  let order: Order | undefined;
  // The first was received before.
  while (order?.status !== 'canceled') [order] = await alice.watchOrders();
  expect(order.filled).toBe(0.7);
});

test('messages received before the connection broke are not lost', async () => {
  const own = alice.watchMyTrades();
  await alice.watchTicker(SYMBOL);
  await bob.createLimitSellOrder(SYMBOL, 0.2, 100_000);
  await alice.createMarketBuyOrder(SYMBOL, 0.1);
  await own;
  await alice.createMarketBuyOrder(SYMBOL, 0.1);
  await breakOff(alice.watchOrderBook(SYMBOL).then(() => alice.watchOrderBook(SYMBOL)));
  expect(ids(await alice.watchMyTrades())).toEqual(
    ids(await alice.fetchMyTrades(SYMBOL, undefined, 1)),
  );
});

test('reports a revoked key and a wrong secret', async () => {
  const { apiKey } = await venue.exchange.addKey('brief', 'alice', ['read']);
  const brief = venue.bot('brief', SOON_BACK);
  await brief.watchBalance();
  const orders = brief.watchOrders().catch((error: unknown) => error);
  await brief.watchTicker(SYMBOL);
  const answer = await venue.exchange.send(
    'operator',
    'DELETE',
    `/api/admin/accounts/alice/keys/${apiKey}`,
  );
  expect(answer.status).toBe(200);
  expect(await orders).toBeInstanceOf(AuthenticationError);
  for (const bot of [brief, venue.bot('alice', { secret: 'wrong' })]) {
    await expect(bot.watchMyTrades()).rejects.toBeInstanceOf(AuthenticationError);
  }
});

test('unwatches and watches again', async () => {
  const before = await alice.createLimitBuyOrder(SYMBOL, 0.1, 100_000);
  await alice.watchOrders();
  const waiting = [alice.watchOrders(SYMBOL), alice.watchMyTrades()];
  await alice.watchTicker(SYMBOL);
  // It was received before a call waited for this market.
  expect(ids((await waiting[0]!) as Order[])).toEqual([before.id!]);
  const failed = Promise.allSettled([alice.watchOrders(SYMBOL), waiting[1]!]);
  await alice.watchTicker(ETH);
  await Promise.all([alice.unWatchOrders(), alice.unWatchMyTrades()]);
  for (const result of await failed) {
    expect((result as PromiseRejectedResult).reason).toBeInstanceOf(UnsubscribeError);
  }
  await alice.cancelAllOrders();
  const { id } = await alice.createLimitBuyOrder(SYMBOL, 0.2, 100_000);
  expect(ids(await alice.watchOrders())).toContain(id!);
});
