import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { type OrderBook, type Ticker, type Tickers, UnsubscribeError } from 'ccxt';
import type { buttonwood } from '../../src/client/ccxt/index.ts';
import { expectCandles, expectOrderBook, expectTicker, expectTrade } from './structures.ts';
import { Venue } from './venue.ts';

const SYMBOL = 'BTC/USDT';
let venue: Venue;
let bot: buttonwood;
beforeAll(async () => {
  venue = await Venue.open();
});
afterAll(() => venue.close());
beforeEach(() => {
  bot = venue.bot();
});
afterEach(async () => {
  await bot.close();
  await venue.exchange.send('alice', 'DELETE', '/api/orders?all=true');
  await venue.exchange.send('bob', 'DELETE', '/api/orders?all=true');
});

const place = (name: string, side: string, price: number, amount: number, symbol = SYMBOL) =>
  venue.exchange.place(name, { symbol, side, type: 'limit', price, amount });
/** Executes a trade at a price. */
async function trade(price: number, amount = 0.1, symbol = SYMBOL): Promise<void> {
  await place('alice', 'sell', price, amount, symbol);
  await place('bob', 'buy', price, amount, symbol);
}

test('a ticker', async () => {
  const first = await bot.watchTicker(SYMBOL);
  expectTicker(first, bot);
  const next = bot.watchTicker(SYMBOL);
  await place('bob', 'buy', 100_000, 0.25);
  expect(await next).toMatchObject({ symbol: SYMBOL, bid: 100_000, bidVolume: 0.25 });
  expect(bot.tickers[SYMBOL]).toEqual(await next);
});

test('tickers of several markets, or of all', async () => {
  const seen = new Map<string, Ticker>();
  while (seen.size < 4) {
    for (const [symbol, ticker] of Object.entries(await bot.watchTickers()))
      seen.set(symbol, ticker);
  }
  expect([...seen.keys()].sort()).toEqual([...bot.symbols]);
  for (const ticker of seen.values()) expectTicker(ticker, bot);
  const next = bot.watchTickers(['ETH/USDT', 'SOL/USDT']);
  await place('bob', 'buy', 200, 1, 'SOL/USDT');
  expect(Object.keys(await next)).toEqual(['SOL/USDT']);
});

test('with newUpdates off, returns everything kept', async () => {
  const options = { newUpdates: false, tradesLimit: 2 };
  const keeper = venue.bot(undefined, { options });
  let tickers: Tickers = {};
  while (Object.keys(tickers).length < 4) tickers = await keeper.watchTickers();
  const ticker = keeper.watchTickers([SYMBOL]);
  const first = keeper.watchTrades(SYMBOL);
  // Subscriptions are confirmed in order.
  await keeper.watchOrderBook(SYMBOL);
  await trade(118_000, 0.01);
  expect(Object.keys(await ticker)).toEqual([SYMBOL]);
  expect(await first).toHaveLength(1);
  for (const price of [118_001, 118_002]) {
    const next = keeper.watchTrades(SYMBOL);
    await trade(price, 0.01);
    expect((await next).map((each) => each.price)).toEqual([price - 1, price]);
  }
});

test('the order book equals that of REST at every sequence', async () => {
  for (let price = 100_000; price < 100_005; price++) await place('bob', 'buy', price, 0.5);
  const book = await bot.watchOrderBook(SYMBOL);
  const expectRests = async (watched: OrderBook) => {
    expectOrderBook(watched, bot);
    expect(watched.timestamp).toBe(venue.exchange.now);
    const { bids, asks, nonce } = await bot.fetchOrderBook(SYMBOL);
    expect([Array.from(watched.bids), Array.from(watched.asks)] as unknown).toEqual([bids, asks]);
    expect(watched.nonce).toBe(nonce!);
  };
  await expectRests(book);
  const steps = [
    () => place('alice', 'sell', 118_000, 0.3),
    () => place('alice', 'sell', 117_000, 0.2),
    () => place('bob', 'buy', 118_000, 0.3),
    () => place('alice', 'sell', 100_004, 0.7),
  ];
  for (const step of steps) {
    const next = bot.watchOrderBook(SYMBOL);
    await step();
    await expectRests(await next);
  }
  const best = await bot.fetchOrderBook(SYMBOL, 2);
  const next = bot.watchOrderBook(SYMBOL, 2);
  await place('bob', 'buy', 1, 1);
  expect((await next).bids).toEqual(best.bids);
});

test('an order book that never changed has the time of the listing', async () => {
  const book = await bot.watchOrderBook('ETH/BTC');
  expectOrderBook(book, bot);
  expect([book.bids.length, book.asks.length]).toEqual([0, 0]);
  expect(book.timestamp).toBe(bot.market('ETH/BTC').created!);
});

test('messages received between calls are not missed', async () => {
  await bot.watchOrderBook(SYMBOL);
  await trade(118_000, 0.01);
  const { nonce } = await bot.fetchOrderBook(SYMBOL);
  while (bot.orderbooks[SYMBOL]!.nonce !== nonce) await Bun.sleep(1);
  expect((await bot.watchOrderBook(SYMBOL)).nonce).toBe(nonce!);
});

test('each trade is delivered once, however many a message has', async () => {
  const first = bot.watchTrades(SYMBOL);
  await place('alice', 'sell', 118_000, 0.1);
  await place('alice', 'sell', 118_001, 0.1);
  const ids: string[] = [];
  // The first trade shows that the subscription is confirmed.
  await bot.watchTicker(SYMBOL);
  await place('bob', 'buy', 118_001, 0.2);
  for (const each of await first) {
    expectTrade(each, bot, false);
    ids.push(each.id!);
  }
  await trade(118_002);
  await trade(118_003);
  while (ids.length < 4) for (const { id } of await bot.watchTrades(SYMBOL)) ids.push(id!);
  const fetched = await bot.fetchTrades(SYMBOL, undefined, 4);
  expect(ids).toEqual(fetched.map(({ id }) => id!));
  expect(Array.from(bot.trades[SYMBOL]!) as unknown).toEqual(fetched);
});

test('candles', async () => {
  await trade(118_000);
  const first = await bot.watchOHLCV(SYMBOL, '5m');
  expectCandles(first, 300_000);
  const closed = bot.watchOHLCV(SYMBOL, '5m');
  venue.exchange.now += 300_000;
  await trade(119_000, 0.2);
  expect((await closed)[0]).toEqual(first[0]!);
  let last = (await closed).at(-1)!;
  while (last[1] !== 119_000) last = (await bot.watchOHLCV(SYMBOL, '5m')).at(-1)!;
  expect(last.slice(1)).toEqual([119_000, 119_000, 119_000, 119_000, 0.2]);
  expect(bot.ohlcvs[SYMBOL]!['5m'] as unknown).toHaveLength(2);
});

test('paces many subscriptions below the message limit', async () => {
  const watches = bot
    .loadMarkets()
    .then(() =>
      Promise.all(
        bot.symbols.flatMap(
          (symbol) => [bot.watchOrderBook(symbol), bot.watchTicker(symbol)] as Promise<unknown>[],
        ),
      ),
    );
  expect(await watches).toHaveLength(8);
});

test('unwatches', async () => {
  await bot.watchOrderBook(SYMBOL);
  const waiting = bot.watchOrderBook(SYMBOL).catch((error: unknown) => error);
  expect(await bot.unWatchOrderBook(SYMBOL)).toBe(true);
  expect(await waiting).toBeInstanceOf(UnsubscribeError);
  expect(await bot.unWatchOrderBook(SYMBOL)).toBe(true);
  expectOrderBook(await bot.watchOrderBook(SYMBOL), bot);
  await bot.watchTickers([SYMBOL, 'ETH/USDT']);
  expect(await bot.unWatchTickers([SYMBOL, 'ETH/USDT'])).toBe(true);
  await bot.watchTicker(SYMBOL);
  expect(await bot.unWatchTicker(SYMBOL)).toBe(true);
  const left = [bot.watchTrades(SYMBOL), bot.watchOHLCV('SOL/USDT')];
  const errors = Promise.allSettled(left);
  await bot.watchTicker(SYMBOL);
  await Promise.all([bot.unWatchTrades(SYMBOL), bot.unWatchOHLCV('SOL/USDT')]);
  expect((await errors).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
