import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { MarketStatus } from '../../src/engine/terms.ts';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { TestExchange } from '../http/exchange.ts';
import { StreamClient } from './client.ts';

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

const BOOK = { op: 'subscribe', channel: 'orderbook', symbol: 'BTC/USDT' };

async function restBook() {
  const response = await exchange.send(
    undefined,
    'GET',
    '/api/orderbook?symbol=BTC/USDT&depth=1000',
  );
  const { bids, asks, sequence } = response.data;
  return { bids, asks, sequence };
}

test('book updates match the book of REST at every sequence, with amended, OCO and bracket orders', async () => {
  const seed = Number(process.env.SEED ?? 7);
  let state = seed;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const book = await client.book(BOOK);
  expect(book.levels()).toEqual(await restBook());
  const open: string[] = [];
  for (let step = 0; step < 400; step++) {
    const name = below(2) === 0 ? 'alice' : 'bob';
    const price = 118_000 + below(12);
    const kind = below(6);
    const id = open[below(open.length)];
    if (kind === 0 && id !== undefined) {
      await exchange.send(id.split(' ')[0], 'DELETE', `/api/orders/${id.split(' ')[1]}`);
    } else if (kind === 1 && id !== undefined) {
      const path = `/api/orders/${id.split(' ')[1]}`;
      await exchange.send(id.split(' ')[0], 'PATCH', path, JSON.stringify({ price }));
    } else if (kind === 2) {
      const takeProfit = { price: price + 12 };
      const terms = { symbol: 'BTC/USDT', side: 'sell', amount: 0.03, takeProfit };
      const body = JSON.stringify({ ...terms, stopLoss: { triggerPrice: 110_000 } });
      const response = await exchange.send(name, 'POST', '/api/orders/oco', body);
      open.push(`${name} ${response.data.orders[0].orderId}`);
    } else {
      const side = below(2) === 0 ? 'buy' : 'sell';
      const amount = (1 + below(9)) / 100;
      const takeProfit = { price: side === 'buy' ? price + 2 : price - 2 };
      const attached = below(2) === 0 ? { takeProfit } : null;
      const order = { symbol: 'BTC/USDT', side, type: 'limit', amount, price, attached };
      const response = await exchange.place(name, order);
      open.push(`${name} ${response.data.orderId}`);
    }
    const expected = await restBook();
    await client.until(() => book.sequence >= expected.sequence);
    expect({ seed, step, ...book.levels() }).toEqual({ seed, step, ...expected });
  }
});

test('trades carry public ids without a gap', async () => {
  client.send({ op: 'subscribe', channel: 'trades', symbol: 'BTC/USDT' });
  const snapshot = await client.next();
  const order = { symbol: 'BTC/USDT', type: 'limit', amount: 1, price: 118_000 };
  for (let round = 0; round < 2; round++) {
    await exchange.place('alice', { ...order, side: 'sell' });
    await exchange.place('bob', { ...order, side: 'buy' });
  }
  const [first, second] = [await client.next(), await client.next()];
  expect(first.prevSequence).toBe(snapshot.sequence);
  expect(second.prevSequence).toBe(first.sequence);
  const response = await exchange.send(undefined, 'GET', '/api/trades?symbol=BTC/USDT');
  expect([...second.data.trades, ...first.data.trades]).toEqual(response.data.trades);
});

test('prices and candles carry the latest value', async () => {
  client.send({ op: 'subscribe', channel: 'prices', symbol: 'BTC/USDT' });
  expect((await client.next()).data.price).toBe(118_000);
  client.send({ op: 'subscribe', channel: 'candles', symbol: 'BTC/USDT', interval: '1m' });
  expect((await client.next()).data).toBeNull();
  const order = { symbol: 'BTC/USDT', type: 'limit', amount: 1, price: 117_000 };
  await exchange.place('alice', { ...order, side: 'sell' });
  await exchange.place('bob', { ...order, side: 'buy' });
  await client.until(() => client.latest('prices')?.price === 117_000);
  await client.until(() => client.latest('candles')?.close === 117_000);
});

test('an ended candle is sent in its final state, even after the next one has begun', async () => {
  client.send({ op: 'subscribe', channel: 'candles', symbol: 'BTC/USDT', interval: '1m' });
  expect((await client.next()).data).toBeNull();
  const trade = async (price: number) => {
    const order = { symbol: 'BTC/USDT', type: 'limit', amount: 1, price };
    await exchange.place('alice', { ...order, side: 'sell' });
    await exchange.place('bob', { ...order, side: 'buy' });
  };
  await trade(100_000);
  await client.until(() => client.latest('candles')?.close === 100_000);
  // The archivist responds only when both candles exist.
  const ask = exchange.archivist.query.bind(exchange.archivist);
  const waiting: (() => void)[] = [];
  exchange.archivist.query = async (query) => {
    if (query.kind === 'candles') await new Promise<void>((resolve) => waiting.push(resolve));
    return ask(query);
  };
  await trade(101_000);
  exchange.now += 60_000;
  await trade(102_000);
  exchange.archivist.query = ask;
  for (const proceed of waiting) proceed();
  await client.until(() => client.latest('candles')?.close === 102_000);
  const candles = client.messages.map(({ data }) => {
    return [data.timestamp, data.close, data.volume, data.trades, data.closed];
  });
  expect(candles.slice(-2)).toEqual([
    ['2026-01-05T12:00:00.000Z', 101_000, 2, 2, true],
    ['2026-01-05T12:01:00.000Z', 102_000, 1, 1, false],
  ]);
});

test('an invalid message is rejected with its rule, and the connection stays open', async () => {
  const wrong: [unknown, string][] = [
    ['nonsense', 'malformedJson'],
    [[], 'notAnObject'],
    [{ op: 'shout' }, 'subscribe, unsubscribe, auth, ping'],
    [
      { op: 'subscribe', channel: 'gossip' },
      'prices, orderbook, level3, trades, candles, markets, orders, fills, balances, deposits, withdrawals',
    ],
    [{ ...BOOK, symbol: 'NO/NE' }, 'known'],
    [{ ...BOOK, depth: '5' }, 'unknownField'],
    [{ ...BOOK, symbol: 5 }, 'string'],
    [{ ...BOOK, interval: '1m' }, 'unknownField'],
  ];
  for (const [message, rule] of wrong) {
    client.send(message);
    const { op, error } = await client.next();
    expect([op, error.details.rule]).toEqual(['error', rule]);
  }
  client.send({ op: 'ping' });
  expect(await client.next()).toEqual({ op: 'pong' });
});

test('a flood and an oversized message close the connection', async () => {
  for (let count = 0; count < 60; count++) client.send({ op: 'ping' });
  expect(await client.closed).toBe(1008);
  const other = await StreamClient.open(server.port);
  other.send('x'.repeat(20_000));
  expect([1006, 1009]).toContain(await other.closed);
});

describe('prices of orders that do not rest are never published', () => {
  const market = { symbol: 'BTC/USDT', amount: 0.01 };
  const sell = { ...market, side: 'sell' };
  const resting = { ...sell, type: 'limit', price: 118_100 };
  /** Returns the published changes of book and prices, until an order rests at 100. */
  async function published(act: () => Promise<unknown>) {
    await exchange.place('alice', resting);
    for (const channel of ['orderbook', 'prices']) {
      client.send({ op: 'subscribe', channel, symbol: 'BTC/USDT' });
      await client.next();
    }
    await act();
    await exchange.place('bob', { ...market, side: 'buy', type: 'limit', price: 100 });
    const levels: Record<string, number[][]> = { bids: [], asks: [] };
    let prices = 0;
    for (;;) {
      const { channel, data } = await client.next();
      if (channel === 'prices') prices++;
      else for (const side of ['bids', 'asks']) levels[side]!.push(...data[side]);
      if (channel === 'orderbook' && data.bids.some(([price]: number[]) => price === 100)) break;
    }
    return { bids: levels.bids!, asks: levels.asks!, prices };
  }
  const only = { bids: [[100, 0.01]] };

  test('the limit of a taker', async () => {
    const order = { ...market, side: 'buy', type: 'limit', price: 118_777.77, timeInForce: 'IOC' };
    const changes = await published(() => exchange.place('bob', { ...order, amount: 0.02 }));
    expect(changes).toMatchObject({ ...only, asks: [[118_100, 0]] });
  });

  test('a market order', async () => {
    const order = { ...market, side: 'buy', type: 'market' };
    const changes = await published(() => exchange.place('bob', order));
    expect(changes).toMatchObject({ ...only, asks: [[118_100, 0]] });
  });

  test('orders with a pending trigger, placed, amended and canceled', async () => {
    const stop = { ...sell, type: 'stop_limit', price: 118_100, triggerPrice: 90_000 };
    const changes = await published(async () => {
      const { data } = await exchange.place('alice', stop);
      await exchange.place('bob', { ...stop, price: 89_123.45 });
      const change = JSON.stringify({ price: 87_654.32 });
      await exchange.send('alice', 'PATCH', `/api/orders/${data.orderId}`, change);
      await exchange.send('alice', 'DELETE', `/api/orders/${data.orderId}`);
    });
    expect(changes).toEqual({ ...only, asks: [], prices: 0 });
  });

  test('an order with a pending trigger, in a batch with one that rests', async () => {
    const stop = { ...sell, type: 'stop_limit', price: 89_123.45, triggerPrice: 90_000 };
    const orders = [stop, { ...resting, price: 118_200 }];
    const changes = await published(() =>
      exchange.send('alice', 'POST', '/api/orders/batch', JSON.stringify({ orders })),
    );
    expect(changes).toMatchObject({ ...only, asks: [[118_200, 0.01]] });
  });

  test('an order with a pending trigger, canceled together with one that rests', async () => {
    const stop = { ...sell, type: 'stop_limit', price: 89_123.45, triggerPrice: 90_000 };
    const changes = await published(async () => {
      await exchange.place('alice', stop);
      await exchange.send('alice', 'DELETE', '/api/orders?all=true');
    });
    expect(changes).toMatchObject({ ...only, asks: [[118_100, 0]] });
  });
});

test('a channel subscribed to again during its query gets one snapshot', async () => {
  const candles = { channel: 'candles', symbol: 'BTC/USDT', interval: '1m' };
  const other = await StreamClient.open(server.port);
  other.send({ op: 'subscribe', ...candles });
  await other.next();
  for (let round = 0; round < 10; round++) {
    client.send({ op: 'subscribe', ...candles });
    client.send({ op: 'unsubscribe', ...candles });
  }
  client.send({ op: 'subscribe', ...candles });
  const ops: string[] = [];
  while (ops.filter((op) => op === 'unsubscribed').length < 10 || ops.at(-1) !== 'snapshot') {
    ops.push((await client.next()).op);
  }
  client.send({ op: 'ping' });
  for (let op = ''; op !== 'pong'; ops.push(op)) op = (await client.next()).op;
  expect(ops.slice(ops.lastIndexOf('unsubscribed')).filter((op) => op === 'snapshot')).toHaveLength(
    1,
  );
  other.close();
});

test('a new candle begins and 24 h figures expire without a trade', async () => {
  const order = { symbol: 'BTC/USDT', type: 'limit', amount: 1, price: 117_000 };
  await exchange.place('alice', { ...order, side: 'sell' });
  await exchange.place('bob', { ...order, side: 'buy' });
  client.send({ op: 'subscribe', channel: 'prices', symbol: 'BTC/USDT' });
  expect((await client.next()).data.baseVolume).toBe(1);
  client.send({ op: 'subscribe', channel: 'candles', symbol: 'BTC/USDT', interval: '1m' });
  const first = (await client.next()).data.timestamp;
  exchange.now += 60_000;
  await client.until(
    () => Date.parse(client.latest('candles')?.timestamp) === Date.parse(first) + 60_000,
  );
  const [, last] = client.messages.filter(({ channel }) => channel === 'candles').slice(-2);
  const [ended] = client.messages.filter(({ data }) => data?.closed);
  expect([ended.data.timestamp, ended.data.takerBuyVolume]).toEqual([first, 1]);
  expect([last.data.trades, last.data.closed]).toEqual([0, false]);
  exchange.now += 24 * 3_600_000;
  await client.until(() => client.latest('prices')?.baseVolume === 0);
});

test('candles of one second follow live trades and the clock as REST shows them', async () => {
  const topic = { op: 'subscribe', channel: 'candles', symbol: 'BTC/USDT', interval: '1s' };
  const last = async () => {
    const path = '/api/candles?symbol=BTC/USDT&interval=1s&limit=1';
    return (await exchange.send(undefined, 'GET', path)).data.candles[0];
  };
  const trade = async (price: number) => {
    const order = { symbol: 'BTC/USDT', type: 'limit', price, amount: 0.5 };
    await exchange.place('alice', { ...order, side: 'sell' });
    await exchange.place('bob', { ...order, side: 'buy' });
  };
  const arrives = async () => {
    const candle = await last();
    await client.until(() => Bun.deepEquals(client.latest('candles'), candle));
  };
  client.send(topic);
  await client.until(() => client.messages.length > 0);
  expect(client.messages[0]).toMatchObject({ op: 'snapshot', interval: '1s', data: null });
  for (const [wait, price] of [
    [0, 1000],
    [0, 1003],
    [1000, 1001],
    [1000, 0],
    [3000, 1002],
    [500, 999],
  ] as const) {
    exchange.now += wait;
    if (price !== 0) await trade(price);
    await arrives();
  }
  expect(client.latest('candles')).toMatchObject({ open: 1002, low: 999, close: 999, volume: 1 });
  const queries = spyOn(exchange.archivist, 'query');
  await trade(998);
  await client.until(() => client.latest('candles').close === 998);
  expect(queries.mock.calls.filter(([query]) => query.kind === 'candles')).toEqual([]);
  queries.mockRestore();
});

test('prices follow the status of a market and its auction, also without a trade or an order', async () => {
  client.send({ op: 'subscribe', channel: 'prices', symbol: 'BTC/USDT' });
  expect((await client.next()).data).toMatchObject({ status: 'online', auction: null });
  const setStatus = (status: number) =>
    exchange.replica.execute({
      kind: CommandKind.setMarketStatus,
      ...SYSTEM_ACTOR,
      market: 0,
      status,
    });
  await setStatus(MarketStatus.auction);
  await client.until(() => client.latest('prices')?.status === 'auction');
  const order = { symbol: 'BTC/USDT', type: 'limit', amount: 1 };
  await exchange.place('alice', { ...order, side: 'sell', price: 117_000 });
  await exchange.place('bob', { ...order, side: 'buy', price: 119_000 });
  await client.until(() => client.latest('prices')?.auction?.price === 118_000);
  await setStatus(MarketStatus.online);
  await client.until(() => client.latest('prices')?.auction === null);
  expect(client.latest('prices')).toMatchObject({ status: 'online', price: 118_000, trades: 1 });
});
