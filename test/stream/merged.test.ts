import { afterEach, beforeEach, expect, test } from 'bun:test';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { TestExchange } from '../http/exchange.ts';
import { StreamClient } from './client.ts';

const EVERY_MS = 50;
const BOOK = { op: 'subscribe', channel: 'orderbook', symbol: 'BTC/USDT' };

let exchange: TestExchange;
let server: ReturnType<typeof listen>;
let client: StreamClient;

beforeEach(async () => {
  exchange = await TestExchange.open();
  const streams = new Streams(exchange.services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  const config = { port: 0, host: '127.0.0.1', rateLimits: 'spec', trustedProxies: [] } as const;
  server = listen(exchange.gateway, config, streams);
  client = await StreamClient.open(server.port);
});

afterEach(async () => {
  client.close();
  await server.stop();
  await exchange.close();
});

async function trade(price: number): Promise<void> {
  const order = { symbol: 'BTC/USDT', type: 'limit', amount: 0.01, price };
  await exchange.place('alice', { ...order, side: 'sell' });
  await exchange.place('bob', { ...order, side: 'buy' });
}

async function restBook() {
  const path = '/api/orderbook?symbol=BTC/USDT&depth=1000';
  const { bids, asks, sequence } = (await exchange.send(undefined, 'GET', path)).data;
  return { bids, asks, sequence };
}

test('a merged book is the book of REST at each of its sequences, also for those who join later', async () => {
  const seed = Number(process.env.SEED ?? 11);
  const random = seededRandom(seed);
  const start = performance.now();
  const merged = await client.book({ ...BOOK, everyMs: EVERY_MS });
  const atOnce = await StreamClient.open(server.port);
  const whole = await atOnce.book(BOOK);
  const empty = await restBook();
  const known = new Map([[empty.sequence, empty]]);
  const readers = [client];
  let orders = 0;
  while (performance.now() < start + 20 * EVERY_MS) {
    const side = below(2, random) === 0 ? 'buy' : 'sell';
    const order = { side, type: 'limit', amount: 0.01, price: 118_000 + below(12, random) };
    await exchange.place(below(2, random) === 0 ? 'alice' : 'bob', {
      symbol: 'BTC/USDT',
      ...order,
    });
    const expected = await restBook();
    known.set(expected.sequence, expected);
    expect({ seed, ...merged.levels() }).toEqual({ seed, ...known.get(merged.sequence)! });
    if (++orders % 100 === 0) {
      const late = await StreamClient.open(server.port);
      const joined = await late.book({ ...BOOK, everyMs: EVERY_MS });
      expect({ seed, ...joined.levels() }).toEqual({ seed, ...(await restBook()) });
      readers.push(late);
    }
  }
  const expected = await restBook();
  await client.until(() => merged.sequence >= expected.sequence);
  await atOnce.until(() => whole.sequence >= expected.sequence);
  expect(merged.levels()).toEqual(expected);
  expect(whole.levels()).toEqual(expected);
  const intervals = (performance.now() - start) / EVERY_MS;
  // A snapshot for a new reader comes after the changes that wait.
  expect(client.count('orderbook')).toBeLessThanOrEqual(intervals + readers.length + 2);
  expect(atOnce.count('orderbook')).toBeGreaterThan(client.count('orderbook'));
  atOnce.close();
  for (const late of readers.slice(1)) late.close();
});

test('merged trades have every trade once, earliest first', async () => {
  client.send({ op: 'subscribe', channel: 'trades', symbol: 'BTC/USDT', everyMs: EVERY_MS });
  let { sequence } = await client.next();
  for (let round = 0; round < 20; round++) await trade(118_000 + round);
  const { trades } = (await exchange.send(undefined, 'GET', '/api/trades?symbol=BTC/USDT')).data;
  const seen: unknown[] = [];
  let updates = 0;
  for (; seen.length < trades.length; updates++) {
    const message = await client.next();
    expect(message).toMatchObject({ op: 'update', everyMs: EVERY_MS, prevSequence: sequence });
    sequence = message.sequence;
    seen.push(...message.data.trades);
  }
  expect(seen).toEqual(trades.reverse());
  expect(updates).toBeLessThan(trades.length);
});

test('a trade in a market without others is sent at once, however often its book changes', async () => {
  client.send({ op: 'subscribe', channel: 'trades', symbol: 'BTC/USDT', everyMs: 1000 });
  client.send({ ...BOOK, everyMs: 50 });
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01 };
  for (let round = 0; round < 50; round++) {
    await exchange.place('bob', { ...order, price: 90_000 + round });
    await Bun.sleep(2);
  }
  const start = performance.now();
  await trade(118_000);
  await client.until(() => client.latest('trades')?.trades.length === 1);
  expect(performance.now() - start).toBeLessThan(500);
});

test('merged trades resume after a sequence', async () => {
  for (let round = 0; round < 3; round++) await trade(118_000 + round);
  const { trades } = (await exchange.send(undefined, 'GET', '/api/trades?symbol=BTC/USDT')).data;
  const sequence = Number(trades.at(-1).id);
  const topic = { channel: 'trades', symbol: 'BTC/USDT', everyMs: 100 };
  client.send({ op: 'subscribe', ...topic, sequence });
  const missed = await client.next();
  expect([missed.prevSequence, missed.data.trades.length]).toEqual([sequence, 2]);
  await trade(119_000);
  expect((await client.next()).prevSequence).toBe(missed.sequence);
});

test('merged prices and candles end at the latest value', async () => {
  const market = { op: 'subscribe', symbol: 'BTC/USDT', everyMs: EVERY_MS };
  client.send({ ...market, channel: 'prices' });
  client.send({ ...market, channel: 'candles', interval: '1m' });
  for (let round = 0; round < 30; round++) await trade(100_000 + round);
  await client.until(() => client.latest('prices')?.price === 100_029);
  await client.until(() => client.latest('candles')?.close === 100_029);
  expect(client.latest('candles')).toMatchObject({ trades: 30, closed: false });
  expect(client.count('prices')).toBeLessThan(30);
});

test('a socket may have a market at several paces, and end one of them', async () => {
  client.send(BOOK);
  expect(await client.next()).not.toHaveProperty('everyMs');
  for (const everyMs of [50, 1000]) {
    client.send({ ...BOOK, everyMs });
    expect(await client.next()).toMatchObject({ op: 'snapshot', everyMs });
  }
  client.send({ ...BOOK, op: 'unsubscribe', everyMs: 1000 });
  expect((await client.next()).op).toBe('unsubscribed');
  await exchange.place('alice', {
    symbol: 'BTC/USDT',
    side: 'sell',
    type: 'limit',
    amount: 0.01,
    price: 118_500,
  });
  const updates = [await client.next(), await client.next()];
  expect(updates.map(({ everyMs }) => everyMs)).toEqual([undefined, 50]);
  client.send({ ...BOOK, everyMs: 1000 });
  expect(await client.next()).toMatchObject({ op: 'snapshot', everyMs: 1000 });
});

test('other intervals, and channels that are not merged, are rejected', async () => {
  const wrong: [object, string][] = [
    [{ ...BOOK, everyMs: 75 }, '50, 100, 250, 1000'],
    [{ ...BOOK, everyMs: 0 }, '50, 100, 250, 1000'],
    [{ ...BOOK, everyMs: '50.0' }, '50, 100, 250, 1000'],
    [{ ...BOOK, everyMs: true }, 'string'],
    [{ ...BOOK, channel: 'level3', everyMs: 50 }, 'unknownField'],
    [{ op: 'subscribe', channel: 'markets', everyMs: 50 }, 'unknownField'],
  ];
  for (const [message, rule] of wrong) {
    client.send(message);
    const { op, error } = await client.next();
    expect([op, error.details.rule]).toEqual(['error', rule]);
  }
});
