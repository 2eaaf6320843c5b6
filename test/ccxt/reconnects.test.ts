import { afterAll, beforeAll, expect, test } from 'bun:test';
import { NetworkError, type Order, type OrderBook } from 'ccxt';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { Venue } from './venue.ts';

const SYMBOL = 'BTC/USDT';
const ORDERS = 200;
const seed = Number(process.env.SEED ?? Date.now() % 100_000);
let venue: Venue;
beforeAll(async () => {
  venue = await Venue.open();
});
afterAll(() => venue.close());

test(`connections that break at any time lose and repeat no message (SEED=${seed})`, async () => {
  const random = seededRandom(seed);
  const bot = venue.bot('alice', { options: { ws: { backoff: { base: 1, max: 1 } } } });
  await bot.loadMarkets();
  const received = {
    fills: [] as string[],
    trades: [] as string[],
    orders: new Map<string, Order>(),
  };
  let wake = () => {};
  let isOver = false;
  /** Watches in a loop, as bots do; resolves once `act` has received a result. */
  const watch = (act: () => Promise<unknown>) =>
    new Promise<void>((resolve, reject) => {
      const forever = async () => {
        while (!isOver) {
          await act().then(
            () => resolve(),
            (error) => {
              if (!(error instanceof NetworkError) && !isOver) reject(error);
            },
          );
          wake();
        }
      };
      void forever();
    });
  void watch(async () => received.fills.push(...(await bot.watchMyTrades()).map(({ id }) => id!)));
  void watch(async () =>
    received.trades.push(...(await bot.watchTrades(SYMBOL)).map(({ id }) => id!)),
  );
  void watch(async () => {
    for (const order of await bot.watchOrders()) received.orders.set(order.id!, order);
  });
  // Requested last, so that the others are confirmed too.
  await Promise.all([watch(() => bot.watchBalance()), watch(() => bot.watchOrderBook(SYMBOL))]);

  for (let placed = 0; placed < ORDERS; placed++) {
    await venue.exchange.place(below(2, random) === 0 ? 'alice' : 'bob', {
      symbol: SYMBOL,
      type: 'limit',
      side: below(2, random) === 0 ? 'buy' : 'sell',
      price: 1000 + below(10, random),
      amount: (1 + below(5, random)) / 100,
    });
    if (below(8, random) > 0) continue;
    for (const { connection } of Object.values(bot.clients)) connection?.close();
    // Some break while connecting, some after they have resumed.
    if (below(2, random) === 0) await bot.fetchTime();
  }
  const ids = (rows: readonly { id?: string | undefined }[]) => rows.map(({ id }) => id!);
  const fills = ids(await bot.fetchMyTrades(undefined, 0, Infinity));
  const trades = ids(await bot.fetchTrades(SYMBOL, 0, Infinity));
  const orders = await bot.fetchOrders(undefined, 0, Infinity);
  const book = await bot.fetchOrderBook(SYMBOL);
  const { total, free } = await bot.fetchBalance();
  const lists = ({ bids, asks }: Pick<OrderBook, 'bids' | 'asks'>) => [[...bids], [...asks]];
  const differences = () => {
    const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
    return [
      !isSame(received.fills, fills) && 'fills',
      !isSame(received.trades, trades) && 'trades',
      ...orders.map(
        (order) => !isSame(received.orders.get(order.id!), order) && `order ${order.id}`,
      ),
      !isSame([bot.balance.total, bot.balance.free], [total, free]) && 'balances',
      !isSame(lists(bot.orderbooks[SYMBOL]!), lists(book)) && 'book',
    ].filter((difference) => difference !== false);
  };
  while (differences().length > 0 && received.fills.length <= fills.length) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  expect({ seed, differences: differences() }).toEqual({ seed, differences: [] });
  expect(fills.length).toBeGreaterThan(20);
  isOver = true;
});
