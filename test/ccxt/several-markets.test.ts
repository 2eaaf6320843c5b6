import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { type OrderBook, type Ticker, type Trade, UnsubscribeError } from 'ccxt';
import type { buttonwood } from '../../src/client/ccxt/index.ts';
import { MINUTE_MS } from '../../src/config/durations.ts';
import { expectCandles, expectOrderBook, expectTicker, expectTrade } from './structures.ts';
import { Venue } from './venue.ts';

/** CCXT's watch methods of several markets in one call. */

const BTC = 'BTC/USDT';
const ETH = 'ETH/USDT';
const SOL = 'SOL/USDT';
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

const place = (name: string, side: string, price: number, amount: number, symbol: string) =>
  venue.exchange.place(name, { symbol, side, type: 'limit', price, amount });
/** Executes a trade. */
async function trade(symbol: string, price: number, amount = 0.1): Promise<void> {
  await place('alice', 'sell', price, amount, symbol);
  await place('bob', 'buy', price, amount, symbol);
}

/** Calls a method until every one of the names was returned. */
async function collect<Result>(
  names: readonly string[],
  next: () => Promise<Result>,
  readName: (result: Result) => string,
): Promise<Map<string, Result>> {
  const seen = new Map<string, Result>();
  while (seen.size < names.length) {
    const result = await next();
    expect(names).toContain(readName(result));
    seen.set(readName(result), result);
  }
  return seen;
}

test('trades', async () => {
  const symbols = [BTC, ETH];
  const first = bot.watchTradesForSymbols(symbols);
  // Subscriptions are confirmed in order.
  await bot.watchTicker(BTC);
  await trade(ETH, 5200);
  expect(await first).toMatchObject([{ symbol: ETH, price: 5200 }]);
  // Both markets trade while no call waits; nothing is lost or repeated.
  await trade(BTC, 118_000);
  await trade(ETH, 5201);
  await trade(BTC, 118_001);
  await trade(SOL, 200);
  const trades: Trade[] = [];
  while (trades.length < 3) trades.push(...(await bot.watchTradesForSymbols(symbols)));
  for (const each of trades) expectTrade(each, bot, false);
  const prices = (symbol: string) =>
    trades.filter((each) => each.symbol === symbol).map(({ price }) => price as number);
  expect([prices(BTC), prices(ETH)]).toEqual([[118_000, 118_001], [5201]]);
});

test('a trade of one market that arrives while another call returns is not delayed', async () => {
  const symbols = [BTC, ETH];
  const first = bot.watchTradesForSymbols(symbols);
  await bot.watchTicker(BTC);
  await trade(BTC, 118_000);
  await first;
  // The call before has waited for this market too.
  await trade(ETH, 5200);
  while (bot.trades[ETH] === undefined) await Bun.sleep(1);
  expect(await bot.watchTradesForSymbols(symbols)).toMatchObject([{ symbol: ETH }]);
});

test('order books', async () => {
  await place('bob', 'buy', 100_000, 0.5, BTC);
  await place('bob', 'buy', 99_000, 0.5, BTC);
  await place('bob', 'buy', 5000, 0.5, ETH);
  const symbols = [BTC, ETH];
  const books = await collect(
    symbols,
    () => bot.watchOrderBookForSymbols(symbols),
    ({ symbol }: OrderBook) => symbol!,
  );
  for (const [symbol, book] of books) {
    expectOrderBook(book, bot);
    const { bids, nonce } = await bot.fetchOrderBook(symbol);
    expect([Array.from(book.bids), book.nonce] as unknown).toEqual([bids, nonce]);
  }
  const next = bot.watchOrderBookForSymbols(symbols, 1);
  await place('bob', 'buy', 98_000, 0.5, BTC);
  expect((await next).bids as unknown).toEqual([[100_000, 0.5]]);
});

test('candles', async () => {
  await trade(BTC, 118_000);
  await trade(ETH, 5200);
  const pairs = [
    [BTC, '1m'],
    [BTC, '5m'],
    [ETH, '1m'],
  ];
  const names = pairs.map((pair) => pair.join(' '));
  const candles = await collect(
    names,
    () => bot.watchOHLCVForSymbols(pairs),
    (result) => {
      const [[symbol, frames]] = Object.entries(result) as [[string, object]];
      return `${symbol} ${Object.keys(frames)[0]}`;
    },
  );
  for (const [name, result] of candles) {
    const [symbol, timeframe] = name.split(' ') as [string, string];
    const rows = result[symbol]![timeframe]!;
    expectCandles(rows, bot.parseTimeframe(timeframe) * 1000);
    expect(rows).toEqual((await bot.fetchOHLCV(symbol, timeframe)).slice(-rows.length));
  }
  // Waits for the market that trades next, whichever it is.
  venue.exchange.now += MINUTE_MS;
  const next = bot.watchOHLCVForSymbols([[ETH, '1m']]);
  await trade(ETH, 5300);
  expect(Object.keys(await next)).toEqual([ETH]);
});

test('best bids and asks, only when they change', async () => {
  await place('bob', 'buy', 100_000, 0.5, BTC);
  const seen = await collect(
    [BTC, ETH],
    () => bot.watchBidsAsks([BTC, ETH]),
    (tickers) => Object.keys(tickers)[0]!,
  );
  for (const tickers of seen.values()) {
    for (const ticker of Object.values(tickers)) expectTicker(ticker, bot);
  }
  const next = bot.watchBidsAsks([BTC]);
  const changed = bot.watchTicker(BTC);
  // The last price changes, the best bid and ask do not.
  await place('alice', 'sell', 110_000, 0.5, BTC);
  await place('bob', 'buy', 110_000, 0.5, BTC);
  await changed;
  await place('bob', 'buy', 100_001, 0.25, BTC);
  const best: Ticker[] = [(await next)[BTC]!];
  while (best.at(-1)!.bid !== 100_001) best.push((await bot.watchBidsAsks([BTC]))[BTC]!);
  const pairs = best.map(({ bid, bidVolume, ask, askVolume }) =>
    [bid, bidVolume, ask, askVolume].join(),
  );
  expect(pairs).toEqual([...new Set(pairs)]);
  expect(bot.bidsasks[BTC]).toEqual(best.at(-1)!);
  expect(best.at(-1)!.bidVolume).toBe(0.25);
});

test('with newUpdates off, returns all best bids and asks', async () => {
  const keeper = venue.bot(undefined, { options: { newUpdates: false } });
  let tickers = await keeper.watchBidsAsks();
  while (Object.keys(tickers).length < 4) tickers = await keeper.watchBidsAsks();
  expect(Object.keys(tickers).sort()).toEqual([...keeper.symbols]);
  await keeper.close();
});

test('orders and fills of some markets', async () => {
  const alice = venue.bot('alice');
  const symbols = [BTC, ETH];
  await alice.createLimitBuyOrder(SOL, 1, 100);
  await alice.watchOrders();
  const placed = await alice.createLimitBuyOrder(ETH, 1, 5000);
  expect(await alice.watchOrdersForSymbols(symbols)).toEqual([placed]);
  const fills = alice.watchMyTradesForSymbols(symbols);
  await alice.watchBalance();
  await place('bob', 'sell', 100, 1, SOL);
  await place('bob', 'sell', 5000, 1, ETH);
  const [fill, ...others] = await fills;
  expectTrade(fill, alice, true);
  expect(fill).toMatchObject({ symbol: ETH, order: placed.id!, amount: 1 });
  expect(others).toEqual([]);
  const [order] = await alice.watchOrdersForSymbols(symbols);
  expect(order).toMatchObject({ id: placed.id!, status: 'closed' });
  await alice.close();
});

test('unwatches several markets', async () => {
  const symbols = [BTC, ETH];
  // It never trades.
  const pairs = [['ETH/BTC', '1m']];
  const waiting = [
    bot.watchTradesForSymbols(symbols),
    bot.watchOHLCVForSymbols(pairs),
  ] as Promise<unknown>[];
  const errors = Promise.allSettled(waiting);
  await bot.watchOrderBookForSymbols(symbols);
  await bot.watchBidsAsks(symbols);
  const results = [
    await bot.unWatchTradesForSymbols(symbols),
    await bot.unWatchOHLCVForSymbols(pairs),
    await bot.unWatchOrderBookForSymbols(symbols),
    await bot.unWatchBidsAsks(symbols),
  ];
  expect(results).toEqual([true, true, true, true]);
  for (const result of await errors) {
    expect(result).toMatchObject({ reason: expect.any(UnsubscribeError) });
  }
  // A new subscription works.
  expectOrderBook(await bot.watchOrderBookForSymbols(symbols), bot);
});
