import { afterEach, beforeEach, expect, test } from 'bun:test';
import { HistoryUnavailableError } from '../../src/archivist/archivist.ts';
import { listen } from '../../src/gateway/http/server.ts';
import { LAGGING_BYTES } from '../../src/gateway/stream/public-channels/readers.ts';
import type { Socket } from '../../src/gateway/stream/sockets/socket.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { TestExchange } from '../http/exchange.ts';
import { StreamClient } from './client.ts';
import { RawReader } from './raw-reader.ts';

/** Subscriptions whose snapshot or catch-up message fails because history is unavailable. */

const CANDLES = { channel: 'candles', symbol: 'BTC/USDT', interval: '1m' };
const TRADES = { channel: 'trades', symbol: 'BTC/USDT' };
const FILLER = JSON.stringify({ op: 'filler', text: 'x'.repeat(64 * 1024) });

let exchange: TestExchange;
let server: ReturnType<typeof listen>;
let streams: Streams;
let sockets: Socket[];
let client: StreamClient;
let restore: () => void;

beforeEach(async () => {
  exchange = await TestExchange.open();
  streams = new Streams(exchange.services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  sockets = [];
  const open = streams.readers.open.bind(streams.readers);
  streams.readers.open = (socket) => {
    sockets.push(socket);
    open(socket);
  };
  const config = { port: 0, host: '127.0.0.1', rateLimits: 'spec', trustedProxies: [] } as const;
  server = listen(exchange.gateway, config, streams);
  client = await StreamClient.open(server.port);
  const { query: ask } = exchange.archivist;
  restore = () => {
    exchange.archivist.query = ask;
  };
});

afterEach(async () => {
  client.close();
  await server.stop();
  await exchange.close();
});

function failHistory(): void {
  exchange.archivist.query = async () => {
    throw new HistoryUnavailableError('PostgreSQL: Connection closed');
  };
}

async function trade(price: number): Promise<void> {
  const order = { symbol: 'BTC/USDT', type: 'limit', amount: 1, price };
  await exchange.place('alice', { ...order, side: 'sell' });
  await exchange.place('bob', { ...order, side: 'buy' });
}

test('a failed snapshot ends the subscription, the error names it, and subscribing again works', async () => {
  failHistory();
  client.send({ op: 'subscribe', ...CANDLES });
  expect(await client.next()).toMatchObject({
    op: 'error',
    ...CANDLES,
    error: { code: 'OVERLOADED' },
  });
  restore();
  client.send({ op: 'subscribe', ...CANDLES });
  expect(await client.next()).toMatchObject({ op: 'snapshot', ...CANDLES, data: null });
  await trade(101_000);
  await client.until(() => client.latest('candles')?.close === 101_000);
});

test('a failed snapshot of one socket does not affect other subscribers of the topic', async () => {
  const other = await StreamClient.open(server.port);
  other.send({ op: 'subscribe', ...CANDLES });
  expect((await other.next()).op).toBe('snapshot');
  failHistory();
  client.send({ op: 'subscribe', ...CANDLES });
  expect(await client.next()).toMatchObject({ op: 'error', ...CANDLES });
  restore();
  await trade(102_000);
  await other.until(() => other.latest('candles')?.close === 102_000);
  client.send({ op: 'ping' });
  expect(await client.next()).toEqual({ op: 'pong' });
  other.close();
});

test('a failed snapshot is not reported after the client unsubscribed', async () => {
  const failed = Promise.withResolvers<never>();
  const queried = Promise.withResolvers<void>();
  exchange.archivist.query = () => {
    queried.resolve();
    return failed.promise;
  };
  client.send({ op: 'subscribe', ...CANDLES });
  await queried.promise;
  client.send({ op: 'unsubscribe', ...CANDLES });
  expect((await client.next()).op).toBe('unsubscribed');
  failed.reject(new HistoryUnavailableError('PostgreSQL: Connection closed'));
  client.send({ op: 'ping' });
  expect(await client.next()).toEqual({ op: 'pong' });
});

test('a failed backfill of trades ends the subscription with an error that names it', async () => {
  failHistory();
  client.send({ op: 'subscribe', ...TRADES, sequence: 0 });
  expect(await client.next()).toMatchObject({ op: 'error', ...TRADES });
  restore();
  client.send({ op: 'subscribe', ...TRADES, sequence: 0 });
  expect(await client.next()).toMatchObject({ op: 'update', ...TRADES });
});

test('a failed backfill of fills ends the subscription with an error that names it', async () => {
  const { apiKey, apiSecret } = await exchange.addKey('streams', 'alice', ['read']);
  client.send({ op: 'auth', apiKey, apiSecret });
  expect((await client.next()).op).toBe('authenticated');
  failHistory();
  client.send({ op: 'subscribe', channel: 'fills', sequence: 0 });
  expect(await client.next()).toMatchObject({ op: 'error', channel: 'fills' });
  restore();
  client.send({ op: 'subscribe', channel: 'fills', sequence: 0 });
  expect(await client.next()).toMatchObject({ op: 'update', channel: 'fills' });
});

test('a reader that catches up while history fails loses the subscription with an error', async () => {
  const reader = await RawReader.open(server.port);
  reader.send({ op: 'subscribe', ...CANDLES });
  await reader.until(() => reader.messages.length === 1);
  const socket = sockets.at(-1)!;
  reader.pause();
  while (socket.getBufferedAmount() <= LAGGING_BYTES) socket.send(FILLER);
  while (!socket.data.readState.isLagging) await Bun.sleep(10);
  failHistory();
  reader.resume();
  await reader.until(() => reader.messages.some(({ op }) => op === 'error'));
  expect(reader.messages.find(({ op }) => op === 'error')).toMatchObject(CANDLES);
  restore();
  reader.send({ op: 'subscribe', ...CANDLES });
  await reader.until(() => reader.messages.at(-1).op === 'snapshot');
  await trade(103_000);
  await reader.until(() => reader.messages.at(-1).data?.close === 103_000);
  reader.destroy();
});

test('candle snapshots are queried in turns, and not for ended subscriptions', async () => {
  const { query: ask } = exchange.archivist;
  let queries = 0;
  exchange.archivist.query = (query) => {
    queries++;
    return ask.call(exchange.archivist, query);
  };
  const intervals = ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w'];
  // All in one turn of the event loop, as if sent on many connections.
  const socket = sockets[0]!;
  for (let round = 0; round < 3; round++) {
    for (const interval of intervals) {
      const topic = { ...CANDLES, interval };
      streams.message(socket, JSON.stringify({ op: 'subscribe', ...topic }));
      if (round < 2) streams.message(socket, JSON.stringify({ op: 'unsubscribe', ...topic }));
    }
  }
  expect(queries).toBeLessThan(5);
  const snapshots = () => client.messages.filter(({ op }) => op === 'snapshot');
  await client.until(() => snapshots().length === intervals.length);
  expect(snapshots().map(({ interval }) => interval)).toEqual(intervals);
  expect(queries).toBeLessThan(intervals.length + 5);
});

test('a failed update ends every subscription to its topic, and no other', async () => {
  const other = await StreamClient.open(server.port);
  for (const one of [client, other]) {
    one.send({ op: 'subscribe', ...CANDLES });
    expect((await one.next()).op).toBe('snapshot');
  }
  other.send({ op: 'subscribe', channel: 'prices', symbol: 'BTC/USDT' });
  expect((await other.next()).op).toBe('snapshot');
  exchange.archivist.query = async () => {
    throw new Error('injected by the test');
  };
  await trade(104_000);
  for (const one of [client, other]) {
    await one.until(() => one.messages.some(({ op }) => op === 'error'));
    const error = one.messages.find(({ op }) => op === 'error');
    expect(error).toMatchObject({ ...CANDLES, error: { code: 'INTERNAL_ERROR' } });
  }
  restore();
  client.messages.length = 0;
  client.send({ op: 'subscribe', ...CANDLES });
  expect(await client.next()).toMatchObject({ op: 'snapshot', data: { close: 104_000 } });
  await trade(105_000);
  await other.until(() => other.latest('prices')?.price === 105_000);
  await client.until(() => client.latest('candles')?.close === 105_000);
  other.close();
});

test('a topic without subscribers stops querying an unavailable history', async () => {
  client.send({ op: 'subscribe', ...CANDLES });
  expect((await client.next()).op).toBe('snapshot');
  let queries = 0;
  const queried = Promise.withResolvers<void>();
  exchange.archivist.query = async () => {
    queries++;
    queried.resolve();
    throw new HistoryUnavailableError('PostgreSQL: Connection closed');
  };
  await trade(106_000);
  await queried.promise;
  client.send({ op: 'unsubscribe', ...CANDLES });
  expect((await client.next()).op).toBe('unsubscribed');
  const before = queries;
  await Bun.sleep(1200);
  expect(queries).toBe(before);
});
