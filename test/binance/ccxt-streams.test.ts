import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import ccxt from 'ccxt';
import { BinanceVenue, type Json } from './venue.ts';

/** Tests that CCXT's own class for Binance watches the markets of the dialect; only its URLs are replaced. */

const HOST = /^https:\/\/[a-z.]+\.binance\.com/;

let venue: BinanceVenue;
let bot: InstanceType<typeof ccxt.pro.binance>;
let timer: ReturnType<typeof setInterval> | undefined;

beforeAll(async () => {
  venue = await BinanceVenue.open();
  bot = new ccxt.pro.binance({ enableRateLimit: false });
  const { api } = bot.urls as { api: Record<string, Json> };
  for (const [name, url] of Object.entries(api)) {
    if (typeof url === 'string') api[name] = url.replace(HOST, venue.url);
  }
  api.ws.spot = `${venue.url.replace('http', 'ws')}/ws`;
  await venue.order('alice', 'buy', 90_000, 1);
  await venue.order('alice', 'sell', 120_000, 1);
  await venue.trade(99_999, 1);
  // CCXT needs it for ws:// instead of wss://.
  await bot.loadHttpProxyAgent();
  await bot.loadMarkets();
});
afterEach(() => clearInterval(timer));
afterAll(async () => {
  await bot.close();
  await venue.close();
});

/** Trades once per 200 ms and second of the exchange until the test ends. */
function trade(): void {
  let count = 0;
  timer = setInterval(() => {
    venue.exchange.now += 1000;
    count++;
    void venue.trade(100_000 + count, '0.01', count % 2 === 0 ? 'buy' : 'sell');
  }, 200);
}

describe('CCXT', () => {
  test('watches trades', async () => {
    trade();
    const [first] = await bot.watchTrades('BTC/USDT');
    expect(first).toMatchObject({ symbol: 'BTC/USDT', amount: 0.01 });
    const fetched = await bot.fetchTrades('BTC/USDT');
    const same = fetched.find(({ id }) => id === first!.id)!;
    expect(same).toMatchObject({ price: first!.price!, side: first!.side!, cost: first!.cost! });
  });

  test('watches a book that is that of REST', async () => {
    trade();
    let book = await bot.watchOrderBook('BTC/USDT');
    for (let count = 0; count < 3; count++) {
      book = await bot.watchOrderBook('BTC/USDT');
    }
    clearInterval(timer);
    await venue.order('alice', 'buy', 90_001, 1);
    while (book.bids[0]![0] !== 90_001) book = await bot.watchOrderBook('BTC/USDT');
    const fetched = await bot.fetchOrderBook('BTC/USDT');
    expect(Number(book.nonce)).toBe(Number(fetched.nonce));
    expect([...book.bids].map(([price, amount]) => [price, amount])).toEqual(fetched.bids);
    expect([...book.asks].map(([price, amount]) => [price, amount])).toEqual(fetched.asks);
  });

  test('watches tickers', async () => {
    trade();
    const mini = await bot.watchTicker('BTC/USDT');
    expect(mini).toMatchObject({ symbol: 'BTC/USDT', open: 99_999, low: 99_999 });
    const ticker = await bot.watchTicker('BTC/USDT', { name: 'ticker' });
    expect(ticker).toMatchObject({ symbol: 'BTC/USDT', bid: 90_001 });
    expect(ticker.last).toBeGreaterThan(99_998);
    const tickers = await bot.watchTickers(['BTC/USDT', 'ETH/USDT']);
    expect(Object.keys(tickers).every((symbol) => /^(BTC|ETH)\/USDT$/.test(symbol))).toBe(true);
  });

  test('watches candles', async () => {
    trade();
    const candles = await bot.watchOHLCV('BTC/USDT', '1m');
    const [start, open, high, low, close, volume] = candles.at(-1)!;
    const fetched = await bot.fetchOHLCV('BTC/USDT', '1m');
    const same = fetched.find(([time]) => time === start)!;
    expect([open, low]).toEqual([same[1], same[3]]);
    expect(high).toBeGreaterThanOrEqual(close!);
    expect(volume).toBeGreaterThan(0);
  });

  test('watches the best bids and asks', async () => {
    trade();
    const tickers = await bot.watchBidsAsks(['BTC/USDT']);
    expect(tickers['BTC/USDT']!.bid).toBeGreaterThanOrEqual(90_001);
    expect(tickers['BTC/USDT']!.ask).toBeGreaterThan(100_000);
  });
});
