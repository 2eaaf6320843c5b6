import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Balances, type Order, pro, type Trade } from 'ccxt';
import { BinanceVenue } from './venue.ts';

/** The private streams of an unmodified ccxt.binance of which only the URLs are replaced. */

let dialect: BinanceVenue;
type Bot = InstanceType<typeof pro.binance>;

const bots: Bot[] = [];
beforeEach(async () => {
  dialect = await BinanceVenue.open();
  // CCXT signs with the machine's clock.
  Object.defineProperty(dialect.exchange, 'now', { get: () => Date.now() });
});
afterEach(async () => {
  await Promise.all(bots.splice(0).map((bot) => bot.close()));
  await dialect.close();
});

async function newBot(name: string): Promise<Bot> {
  const { apiKey, apiSecret: secret } = dialect.keys.get(name)!;
  const bot = new pro.binance({ apiKey, secret, enableRateLimit: false });
  const replace = (urls: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(urls).map(([field, url]) => [
        field,
        typeof url === 'object' ? replace(url as Record<string, unknown>) : replaceHost(`${url}`),
      ]),
    );
  bot.urls.api = replace(bot.urls.api as Record<string, unknown>) as typeof bot.urls.api;
  // CCXT needs this for URLs without TLS.
  await bot.loadHttpProxyAgent();
  bots.push(bot);
  return bot;
}

/** Returns the dialect's URL for one of Binance's. */
function replaceHost(url: string): string {
  const { pathname, protocol } = new URL(url);
  return (protocol === 'wss:' ? dialect.socketUrl : dialect.url) + pathname;
}

test('watchOrders, watchMyTrades and watchBalance see an order and its fills', async () => {
  const [bot, other] = [await newBot('alice'), await newBot('bob')];
  const symbol = 'BTC/USDT';
  const orders: Order[] = [];
  const collect = async () => {
    for (;;) {
      for (const order of await bot.watchOrders(symbol)) orders.push(structuredClone(order));
      if (orders.at(-1)!.status === 'closed') return;
    }
  };
  const collecting = collect();
  const trading: Promise<Trade[]> = bot.watchMyTrades(symbol);
  const balance: Promise<Balances> = bot.watchBalance();
  await Bun.sleep(300);
  await other.createOrder(symbol, 'limit', 'sell', 0.01, 50_000);
  const placed = await bot.createOrder(symbol, 'limit', 'buy', 0.01, 50_000, {
    clientOrderId: 'mine',
  });
  await collecting;
  const last = orders.at(-1)!;
  expect(last).toMatchObject({
    ...{ id: placed.id, clientOrderId: 'mine', symbol, side: 'buy', type: 'limit' },
    ...{ price: 50_000, amount: 0.01, filled: 0.01, remaining: 0, cost: 500, status: 'closed' },
  });
  const [trade] = await trading;
  expect(trade).toMatchObject({
    ...{ order: placed.id, symbol, side: 'buy', price: 50_000, amount: 0.01 },
    ...{ takerOrMaker: 'taker', fee: { currency: 'BTC', cost: 0.00001 } },
  });
  expect(placed.trades).toMatchObject([{ id: trade!.id, price: 50_000, amount: 0.01 }]);
  const { total } = await bot.fetchBalance();
  const watched = await balance;
  expect(watched.USDT!.total).toBe((total as unknown as Record<string, number>).USDT);
});

test('a canceled order keeps its client order id', async () => {
  const bot = await newBot('alice');
  const symbol = 'BTC/USDT';
  const next = bot.watchOrders(symbol);
  await Bun.sleep(300);
  const { id } = await bot.createOrder(symbol, 'limit', 'buy', 0.01, 40_000, {
    clientOrderId: 'own',
  });
  await next;
  const canceled = bot.watchOrders(symbol);
  await bot.cancelOrder(id!, symbol);
  expect((await canceled).at(-1)).toMatchObject({ id, clientOrderId: 'own', status: 'canceled' });
});
