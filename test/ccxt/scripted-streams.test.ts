import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import * as ccxt from 'ccxt';
import type { buttonwood } from '../../src/client/ccxt/index.ts';
import { ScriptedStream } from './scripted-stream.ts';
import { Venue } from './venue.ts';

/** Tests of gaps, broken connections and errors, which a real exchange does not produce on demand. */

const SYMBOL = 'BTC/USDT';
const BOOK = { channel: 'orderbook', symbol: SYMBOL };
let venue: Venue;
let script: ScriptedStream;
let bot: buttonwood;
beforeAll(async () => {
  venue = await Venue.open();
});
afterAll(() => venue.close());
beforeEach(async () => {
  script = new ScriptedStream(venue.url);
  const options = { ws: { backoff: { base: 1, max: 1 } } };
  bot = venue.bot('alice', { urls: { api: script.url }, options });
  await bot.loadMarkets();
});
afterEach(async () => {
  await bot.close();
  await script.stop();
});

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error) => error,
  );
const book = (op: string, sequence: number, bids: unknown[], prevSequence?: number) => ({
  op,
  ...BOOK,
  sequence,
  ...(prevSequence === undefined ? {} : { prevSequence }),
  data: { symbol: SYMBOL, bids, asks: [] },
});

test('after a gap the order book is requested again and never returned wrong', async () => {
  const first = bot.watchOrderBook(SYMBOL);
  expect(await script.next()).toEqual({ op: 'subscribe', ...BOOK });
  script.say(book('snapshot', 5, [[100, 1]]));
  expect((await first).nonce).toBe(5);
  const next = bot.watchOrderBook(SYMBOL);
  script.say(book('update', 7, [[99, 1]], 6));
  expect(await script.next()).toEqual({ op: 'unsubscribe', ...BOOK });
  script.say(book('update', 8, [[98, 1]], 7));
  script.say({ op: 'unsubscribed', ...BOOK });
  expect(await script.next()).toEqual({ op: 'subscribe', ...BOOK });
  script.say(
    book('snapshot', 9, [
      [101, 2],
      [97, 1],
    ]),
  );
  const renewed = await next;
  expect(renewed.nonce).toBe(9);
  expect(Array.from(renewed.bids) as unknown).toEqual([
    [101, 2],
    [97, 1],
  ]);
});

test('a change of the last price alone is none of the best bid and ask', async () => {
  const price = (op: string, last: number, bid: number) => {
    const best = { bid, bidAmount: 1, ask: 200, askAmount: 1 };
    const data = { symbol: SYMBOL, price: last, ...best, timestamp: new Date().toISOString() };
    return { op, channel: 'prices', symbol: SYMBOL, data };
  };
  const first = bot.watchBidsAsks([SYMBOL]);
  await script.next();
  script.say(price('snapshot', 100, 99));
  expect((await first)[SYMBOL]).toMatchObject({ bid: 99, last: 100 });
  expect(await bot.watchTicker(SYMBOL)).toMatchObject({ last: 100 });
  const next = bot.watchBidsAsks([SYMBOL]);
  const ticker = bot.watchTicker(SYMBOL);
  script.say(price('update', 101, 99));
  expect(await ticker).toMatchObject({ last: 101 });
  script.say(price('update', 101, 100));
  expect((await next)[SYMBOL]).toMatchObject({ bid: 100, last: 101 });
});

test('a gap while unsubscribing changes nothing', async () => {
  const first = bot.watchOrderBook(SYMBOL);
  await script.next();
  script.say(book('snapshot', 5, [[100, 1]]));
  await first;
  const next = failure(bot.watchOrderBook(SYMBOL));
  script.say(book('update', 7, [[99, 1]], 6));
  expect(await script.next()).toMatchObject({ op: 'unsubscribe' });
  const left = bot.unWatchOrderBook(SYMBOL);
  // Requests are in order, so the next one shows that this one was sent.
  const ticker = failure(bot.watchTicker(SYMBOL));
  await bot.sleep(0);
  script.say({ op: 'unsubscribed', ...BOOK });
  expect(await script.next()).toMatchObject({ op: 'subscribe', ...BOOK });
  expect(await left).toBe(true);
  expect(await next).toBeInstanceOf(ccxt.UnsubscribeError);
  script.say(book('snapshot', 9, [[101, 2]]));
  expect(await script.next()).toMatchObject({ op: 'unsubscribe' });
  script.say({ op: 'unsubscribed', ...BOOK });
  expect(await script.next()).toMatchObject({ op: 'subscribe', channel: 'prices' });
  script.drop();
  expect(await ticker).toBeInstanceOf(ccxt.NetworkError);
});

test('an order book with exact digits', async () => {
  bot.number = String as never;
  const first = bot.watchOrderBook(SYMBOL);
  await script.next();
  const digits = '[[123456789.12345678,0.10000000000000000001],[99,2],[98,1]]';
  script.say(
    `{"op":"snapshot","channel":"orderbook","symbol":"${SYMBOL}","sequence":1,"data":{"bids":${digits},"asks":[]}}`,
  );
  expect(Array.from((await first).bids) as unknown).toEqual([
    ['123456789.12345678', '0.10000000000000000001'],
    ['99', '2'],
    ['98', '1'],
  ]);
  const next = bot.watchOrderBook(SYMBOL);
  script.say(
    book(
      'update',
      2,
      [
        [99, 0],
        [98, 3],
      ],
      1,
    ),
  );
  expect(Array.from((await next).bids) as unknown).toEqual([
    ['123456789.12345678', '0.10000000000000000001'],
    ['98', '3'],
  ]);
});

const fill = (id: number) => ({
  id: `${id}`,
  orderId: `${id * 10}`,
  symbol: SYMBOL,
  side: 'buy',
  price: 118_000,
  amount: 0.1,
  cost: 11_800,
  fee: { asset: 'BTC', cost: 0.0001 },
  liquidity: 'maker',
  timestamp: '2026-01-05T12:00:00.000Z',
});
const fills = (op: string, sequence: number, ids: number[], prevSequence?: number) => ({
  op,
  channel: 'fills',
  sequence,
  ...(prevSequence === undefined ? {} : { prevSequence }),
  data: { fills: ids.map(fill) },
});
const ids = (trades: ccxt.Trade[]) => trades.map(({ id }) => id!);
async function expectAuthentication(): Promise<void> {
  const { apiKey, secret: apiSecret } = bot;
  expect(await script.next()).toEqual({ op: 'auth', apiKey, apiSecret });
}

test('own trades resume after a reconnection', async () => {
  const first = bot.watchMyTrades();
  await expectAuthentication();
  expect(script.asked).toBe(0);
  script.say({ op: 'authenticated' });
  expect(await script.next()).toEqual({ op: 'subscribe', channel: 'fills' });
  script.say(fills('snapshot', 3, []));
  script.say(fills('update', 4, [4], 3));
  expect(ids(await first)).toEqual(['4']);
  const broken = bot.watchMyTrades();
  // Received while no call waits; then the connection breaks.
  script.say(fills('update', 6, [5, 6], 4));
  expect(ids(await broken)).toEqual(['5', '6']);
  const waiting = failure(bot.watchMyTrades());
  script.drop();
  expect(await waiting).toBeInstanceOf(ccxt.NetworkError);

  const next = bot.watchMyTrades();
  await expectAuthentication();
  script.say({ op: 'authenticated' });
  expect(await script.next()).toEqual({ op: 'subscribe', channel: 'fills', sequence: 6 });
  script.say(fills('update', 8, [7, 8], 6));
  script.say(fills('update', 8, [], 8));
  expect(ids(await next)).toEqual(['7', '8']);
  expect(ids(bot.myTrades as never)).toEqual(['4', '5', '6', '7', '8']);
});

test('messages that arrive together are delivered once', async () => {
  for (const symbol of [undefined, SYMBOL]) {
    const first = bot.watchMyTrades(symbol);
    if (symbol === undefined) {
      await expectAuthentication();
      script.say({ op: 'authenticated' });
      await script.next();
      script.say(fills('snapshot', 0, []));
      script.say(fills('update', 1, [1], 0));
    }
    await first;
    const next = bot.watchMyTrades(symbol);
    await bot.sleep(0);
    const at = symbol === undefined ? 1 : 4;
    const [client] = Object.values(bot.clients);
    for (const id of [at + 1, at + 2]) {
      client!.onMessage({ data: JSON.stringify(fills('update', id, [id], id - 1)) });
    }
    expect(ids(await next)).toEqual([`${at + 1}`, `${at + 2}`]);
    const later = bot.watchMyTrades(symbol);
    script.say(fills('update', at + 3, [at + 3], at + 2));
    expect(ids(await later)).toEqual([`${at + 3}`]);
  }
});

test('after a gap missing own trades are requested', async () => {
  const first = bot.watchMyTrades(SYMBOL);
  await expectAuthentication();
  script.say({ op: 'authenticated' });
  await script.next();
  script.say(fills('snapshot', 3, []));
  script.say(fills('update', 9, [9], 8));
  expect(await script.next()).toEqual({ op: 'unsubscribe', channel: 'fills' });
  script.say({ op: 'unsubscribed', channel: 'fills' });
  expect(await script.next()).toEqual({ op: 'subscribe', channel: 'fills', sequence: 3 });
  script.say(fills('update', 9, [8, 9], 3));
  expect(ids(await first)).toEqual(['8', '9']);
});

test('an unknown sequence starts from a new snapshot', async () => {
  const first = bot.watchMyTrades();
  await expectAuthentication();
  script.say({ op: 'authenticated' });
  await script.next();
  script.say(fills('snapshot', 900, []));
  script.drop();
  await failure(first);
  const next = bot.watchMyTrades();
  await script.next();
  script.say({ op: 'authenticated' });
  expect(await script.next()).toMatchObject({ sequence: 900 });
  const error = { code: 'INVALID_REQUEST', message: 'No.', details: { field: 'sequence' } };
  script.say({ op: 'error', error });
  expect(await script.next()).toEqual({ op: 'subscribe', channel: 'fills' });
  script.say(fills('snapshot', 2, []));
  script.say(fills('update', 3, [3], 2));
  expect(ids(await next)).toEqual(['3']);
});

test('rejected credentials fail private streams only', async () => {
  const public_ = bot.watchOrderBook(SYMBOL);
  await script.next();
  script.say(book('snapshot', 5, [[100, 1]]));
  await public_;
  const [orders, balance] = [failure(bot.watchOrders(SYMBOL)), failure(bot.watchBalance())];
  await expectAuthentication();
  script.say({ op: 'error', error: { code: 'UNAUTHORIZED', message: 'No.', details: {} } });
  expect(await orders).toBeInstanceOf(ccxt.AuthenticationError);
  expect(await balance).toBeInstanceOf(ccxt.AuthenticationError);
  const next = bot.watchOrderBook(SYMBOL);
  script.say(book('update', 6, [[99, 1]], 5));
  expect((await next).nonce).toBe(6);
  // The next call tries again.
  const again = failure(bot.watchOrders());
  await expectAuthentication();
  script.say({ op: 'error', error: { code: 'IP_NOT_ALLOWED', message: 'No.', details: {} } });
  expect(await again).toBeInstanceOf(ccxt.PermissionDenied);
});

test('a rejected subscription fails its own calls only', async () => {
  const ticker = bot.watchTicker(SYMBOL);
  const trades = failure(bot.watchTrades(SYMBOL));
  expect(await script.next()).toMatchObject({ channel: 'prices' });
  const price = (await venue.exchange.send(undefined, 'GET', `/api/prices?symbol=${SYMBOL}`)).data;
  script.say({ op: 'snapshot', channel: 'prices', symbol: SYMBOL, data: price.prices[0] });
  expect(await script.next()).toMatchObject({ channel: 'trades' });
  script.say({ op: 'error', error: { code: 'INVALID_REQUEST', message: 'No.', details: {} } });
  expect(await trades).toBeInstanceOf(ccxt.BadRequest);
  expect((await ticker).last).toBe(118_000);
});

test('a subscription ended by the exchange fails its calls and is requested again', async () => {
  const CANDLES = { channel: 'candles', symbol: SYMBOL, interval: '1m' };
  const candle = { timestamp: '2026-01-05T12:00:00.000Z', open: 1, high: 1, low: 1, volume: 1 };
  const candles = (op: string, close: number) => ({ op, ...CANDLES, data: { ...candle, close } });
  const first = bot.watchOHLCV(SYMBOL, '1m');
  await script.next();
  script.say(candles('snapshot', 1));
  await first;
  const next = failure(bot.watchOHLCV(SYMBOL, '1m'));
  const ticker = bot.watchTicker(SYMBOL);
  expect(await script.next()).toMatchObject({ channel: 'prices' });
  const error = { code: 'OVERLOADED', message: 'Try again.', details: {} };
  script.say({ op: 'error', ...CANDLES, error });
  expect(await next).toBeInstanceOf(ccxt.ExchangeNotAvailable);
  const price = (await venue.exchange.send(undefined, 'GET', `/api/prices?symbol=${SYMBOL}`)).data;
  script.say({ op: 'snapshot', channel: 'prices', symbol: SYMBOL, data: price.prices[0] });
  expect((await ticker).last).toBe(118_000);
  const again = bot.watchOHLCV(SYMBOL, '1m');
  expect(await script.next()).toEqual({ op: 'subscribe', ...CANDLES });
  script.say({ op: 'error', ...CANDLES, error });
  expect(await failure(again)).toBeInstanceOf(ccxt.ExchangeNotAvailable);
  const third = bot.watchOHLCV(SYMBOL, '1m');
  expect(await script.next()).toEqual({ op: 'subscribe', ...CANDLES });
  script.say(candles('snapshot', 2));
  expect((await third).at(-1)?.[4]).toBe(2);
});

test('a key that is revoked while in use', async () => {
  const orders = failure(bot.watchOrders());
  await expectAuthentication();
  script.say({ op: 'authenticated' });
  await script.next();
  script.drop(4001, 'key revoked');
  const error = await orders;
  expect(error).toBeInstanceOf(ccxt.AuthenticationError);
  expect(error.message).toContain('key revoked');
});

test('does not request private streams without credentials', async () => {
  const anonymous = venue.bot(undefined, { urls: { api: script.url } });
  expect(await failure(anonymous.watchOrders())).toBeInstanceOf(ccxt.AuthenticationError);
  expect(script.asked).toBe(0);
});

test('a message that is not JSON fails pending calls', async () => {
  const ticker = failure(bot.watchTicker(SYMBOL));
  await script.next();
  script.say('{"op":');
  expect(await ticker).toBeInstanceOf(SyntaxError);
});
