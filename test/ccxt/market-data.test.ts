import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { buttonwood } from '../../src/client/ccxt/index.ts';
import { MINUTE_MS } from '../../src/config/durations.ts';
import {
  expectCandles,
  expectCurrency,
  expectInOrder,
  expectLastPrice,
  expectMarket,
  expectOrderBook,
  expectTicker,
  expectTrade,
} from './structures.ts';
import { Venue } from './venue.ts';

const SYMBOL = 'BTC/USDT';
let venue: Venue;
let bot: buttonwood;
let start: number;

beforeAll(async () => {
  venue = await Venue.open();
  bot = venue.bot();
  start = venue.exchange.now;
  const place = (name: string, side: string, price: number, amount: number) =>
    venue.exchange.place(name, { symbol: SYMBOL, side, type: 'limit', price, amount });
  for (const price of [117_000, 117_500.5, 119_000]) {
    await place('alice', 'sell', price, 0.02);
    await place('bob', 'buy', price, 0.015);
    venue.exchange.now += MINUTE_MS;
  }
  await place('bob', 'buy', 100_000, 0.3);
  await place('bob', 'buy', 100_000.01, 0.2);
});
afterAll(() => venue.close());

/** Returns the plain REST response. */
async function raw(path: string) {
  return (await venue.exchange.send(undefined, 'GET', path)).data;
}

test('time and status', async () => {
  expect(await bot.fetchTime()).toBe(venue.exchange.now);
  expect(await bot.fetchStatus()).toEqual({
    status: 'ok',
    updated: undefined,
    eta: undefined,
    url: undefined,
    info: await raw('/api/status'),
  });
});

test('currencies', async () => {
  await bot.loadMarkets();
  const currencies = await bot.fetchCurrencies();
  const { assets } = await raw('/api/assets');
  expect(Object.keys(currencies)).toEqual(assets.map(({ asset }: { asset: string }) => asset));
  for (const currency of Object.values(currencies)) expectCurrency(currency, bot);
  expect(currencies.BTC).toMatchObject({ id: 'BTC', name: 'Bitcoin', precision: 1e-13 });
});

test('markets', async () => {
  await bot.loadMarkets();
  const markets = await bot.fetchMarkets();
  expect(markets.map((market) => market!.symbol)).toEqual([
    'BTC/USDT',
    'ETH/USDT',
    'SOL/USDT',
    'ETH/BTC',
  ]);
  for (const market of markets) expectMarket(market, bot);
  expect(bot.market('ETH/BTC')).toMatchObject({
    id: 'ETH/BTC',
    active: true,
    taker: 0.001,
    maker: 0.0008,
    created: start,
    precision: { price: 0.00001, amount: 0.00000001 },
    limits: { cost: { min: 0.00001 }, price: { min: 0.00001 }, amount: { min: 0.00000001 } },
  });
});

test('tickers', async () => {
  const tickers = await bot.fetchTickers();
  expect(Object.keys(tickers)).toHaveLength(4);
  for (const ticker of Object.values(tickers)) expectTicker(ticker, bot);
  const ticker = await bot.fetchTicker(SYMBOL);
  expectTicker(ticker, bot);
  expect(tickers[SYMBOL]).toEqual(ticker);
  const [price] = (await raw(`/api/prices?symbol=${SYMBOL}`)).prices;
  expect(ticker).toMatchObject({
    symbol: SYMBOL,
    last: price.price,
    bid: price.bid,
    bidVolume: price.bidAmount,
    ask: price.ask,
    askVolume: price.askAmount,
    open: price.open,
    previousClose: undefined,
    high: price.high,
    low: price.low,
    change: price.change,
    percentage: price.percentage,
    vwap: price.vwap,
    baseVolume: price.baseVolume,
    quoteVolume: price.quoteVolume,
  });
  expect(Object.keys(await bot.fetchTickers(['ETH/USDT']))).toEqual(['ETH/USDT']);
});

test('last prices, and best bids and asks', async () => {
  const prices = await bot.fetchLastPrices();
  expect(Object.keys(prices).sort()).toEqual([...bot.symbols]);
  for (const price of Object.values(prices)) expectLastPrice(price, bot);
  const [record] = (await raw(`/api/prices?symbol=${SYMBOL}`)).prices;
  expect(prices[SYMBOL]).toMatchObject({ symbol: SYMBOL, price: record.price });
  expect(Object.keys(await bot.fetchLastPrices(['ETH/USDT']))).toEqual(['ETH/USDT']);
  expect(await bot.fetchBidsAsks([SYMBOL])).toEqual({ [SYMBOL]: await bot.fetchTicker(SYMBOL) });
  expect(Object.keys(await bot.fetchBidsAsks())).toHaveLength(4);
});

test('order book', async () => {
  const book = await bot.fetchOrderBook(SYMBOL);
  expectOrderBook(book, bot);
  const { bids, asks, sequence } = await raw(`/api/orderbook?symbol=${SYMBOL}`);
  expect(book).toMatchObject({ symbol: SYMBOL, bids, asks, nonce: sequence });
  expect(bids).toHaveLength(2);
  expect((await bot.fetchOrderBook(SYMBOL, 1)).bids).toEqual([bids[0]]);
});

test('order book, order by order', async () => {
  expect(bot.has.fetchL3OrderBook).toBe(true);
  const { bids, asks, nonce, timestamp } = await bot.fetchL3OrderBook(SYMBOL);
  const record = await raw(`/api/level3?symbol=${SYMBOL}`);
  const toLevels = (rows: [string, number, number][]): unknown =>
    rows.map(([id, price, amount]) => [price, amount, id]);
  expect([bids, asks, nonce]).toEqual([
    toLevels(record.bids),
    toLevels(record.asks),
    record.sequence,
  ] as unknown as [typeof bids, typeof asks, typeof nonce]);
  expect(timestamp).toBe(venue.exchange.now);
  expect(bids).toHaveLength(2);
  expect((await bot.fetchL3OrderBook(SYMBOL, 1)).bids).toEqual([bids[0]!]);
});

test('trades', async () => {
  const trades = await bot.fetchTrades(SYMBOL);
  for (const trade of trades) expectTrade(trade, bot, false);
  expectInOrder(trades);
  const rows = (await raw(`/api/trades?symbol=${SYMBOL}&sort=asc`)).trades;
  expect(trades).toMatchObject(
    rows.map(({ id, side, price, amount }: Record<string, unknown>) => {
      return { id, symbol: SYMBOL, side, price, amount };
    }),
  );
  expect(await bot.fetchTrades(SYMBOL, undefined, 2)).toEqual(trades.slice(-2));
  expect(await bot.fetchTrades(SYMBOL, start + 1, 1)).toEqual([trades[1]!]);
});

test('candles', async () => {
  const candles = await bot.fetchOHLCV(SYMBOL);
  expectCandles(candles, MINUTE_MS);
  expect(candles.slice(0, 3)).toEqual([
    [start, 117_000, 117_000, 117_000, 117_000, 0.015],
    // The remainder of the earlier sell is cheaper.
    [start + MINUTE_MS, 117_000, 117_500.5, 117_000, 117_500.5, 0.015],
    [start + 2 * MINUTE_MS, 117_500.5, 119_000, 117_500.5, 119_000, 0.015],
  ]);
  expect(await bot.fetchOHLCV(SYMBOL, '1m', start + 1, 1)).toEqual([candles[1]!]);
  expect(await bot.fetchOHLCV(SYMBOL, '1m', undefined, 1)).toEqual([candles.at(-1)!]);
  expectCandles(await bot.fetchOHLCV(SYMBOL, '1h'), 60 * MINUTE_MS);
});

test('base URL from hostname, urls.api or sandbox', () => {
  const url = (options: object) =>
    venue.bot(undefined, { urls: {}, ...options }).sign('time').url as string;
  expect(url({ hostname: 'exchange.example.com' })).toBe('https://exchange.example.com/api/time');
  expect(url({ urls: { api: 'http://[::1]:8080/base/' } })).toBe('http://[::1]:8080/base/api/time');
  expect(url({ sandbox: true })).toBe('http://127.0.0.1:3000/api/time');
  expect(() => url({})).toThrow('set hostname, urls.api or sandbox');
});
